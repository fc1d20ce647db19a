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
  profile: "My profile",
  running: "In progress",
  finished: "Finished",
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
  challenge: "Challenge to a game",
  mute: "Hide chat messages",
  unmute: "Show chat messages",
  block: "Block",
  unblock: "Unblock",
  report: "Report",
  reportReason: "What is wrong? The operators of this server read it.",
  sendReport: "Send the report",
  reported: (number: number): string => `Thank you. The operators have your report (number ${number}).`,
  reportMessage: "Report this message",
  reportSure: "Report this message to the operators of this server?",
  headToHead: "Your results against each other",
  score: (won: number, drawn: number, lost: number): string =>
    `${format.count(won, { one: "win", other: "wins" })}, ${format.count(drawn, { one: "draw", other: "draws" })}, ${format.count(lost, { one: "loss", other: "losses" })}`,
  curve: (game: string, from: number, to: number): string => `Rating in ${game}, from ${from} to ${to}`,
  pools: { people: "against people", bots: "with bots" },
  matchCount: (count: number): string => format.count(count, { one: "match", other: "matches" }),
};

export const join = {
  heading: "You are invited",
  text: (name: string, game: string): string => `${name} invites you to a match of ${game}.`,
  accept: "Accept and play",
  expired: "This invitation is no longer valid.",
};

/** What every page tells: challenges to the visitor. */
export const notices = {
  challenge: (name: string, game: string): string => `${name} challenges you to ${game}`,
  accept: "Accept",
  decline: "Decline",
};

/** What a challenge offers. */
export const challenge = {
  youPlay: (colour: string): string => `you play ${colour}`,
  first: "and move first",
  second: "and move second",
  rated: "rated",
  unrated: "not rated",
  rating: (rating: number): string => `rating ${format.number(rating)}`,
  noRating: "no rating yet",
};

export const matchSearch = {
  game: "Game",
  board: "Board",
  boardExample: "tether-7",
  opening: "First moves",
  openingExample: "c3 b2",
  opponent: "Opponent",
  result: "Result",
  all: "all",
  results: { won: "won", drawn: "drawn", lost: "lost", void: "does not count" },
  search: "Search",
  none: "No matches found.",
  more: "More",
};
