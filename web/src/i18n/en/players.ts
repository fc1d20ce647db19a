/** Texts of pages about matches and players. */
import { format } from "./format";

export const lobby = {
  heading: "Lobby",
  open: "Open challenges",
  none: "There are no open challenges. Create one, and it is listed here.",
  join: "Join",
  mine: "yours",
  playing: "Matches in progress",
  nonePlaying: "No match is in progress.",
  watch: "Watch",
  create: "Create a challenge",
  withdraw: "Withdraw",
};

export const myGames = {
  heading: "My games",
  none: "You have not played yet.",
  yourTurn: "your turn",
  theirTurn: "opponent’s turn",
  waiting: "waiting",
  won: "won",
  lost: "lost",
  drawn: "drawn",
  open: "Open",
  void: "does not count",
};

export const watch = { heading: "Watch", none: "There is no match to watch." };

export const player = {
  ratings: "Ratings",
  none: "No rated matches yet.",
  matches: "Matches",
  pools: { people: "against people", bots: "with bots" },
  matchCount: (count: number): string => format.count(count, { one: "match", other: "matches" }),
};

export const join = {
  heading: "You are invited",
  text: (name: string, game: string): string => `${name} invites you to a match of ${game}.`,
  accept: "Accept and play",
  expired: "This invitation is no longer valid.",
};
