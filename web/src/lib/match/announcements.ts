/** What others do in a match, as sentences: moves for those who do not see the board, answers to offers for everybody. */
import { describePlayedMove } from "../../i18n/describe";
import { lookUp, t } from "../../i18n/index.svelte";
import type { EventView, MatchView, PositionView } from "../api/types";
import type { MoveCells } from "../board/moveSelection";
import { displayName } from "./displayNames";

const isOfOthers = (match: MatchView, { seat }: EventView): boolean => seat !== null && !match.your_seats.includes(seat);

function nameOfSeat(match: MatchView, seat: number): string {
  const user = match.seats[seat]?.user;
  return user ? displayName(user) : (match.seats[seat]?.colour ?? "");
}

/** Return the cells that a move has emptied without naming them. */
function removedCells(before: PositionView | null, after: PositionView | null, named: readonly string[]): string[] {
  const remaining = after?.pieces ?? {};
  return Object.keys(before?.pieces ?? {}).filter((cell) => !remaining[cell]?.length && !named.includes(cell));
}

/** Return a sentence for every move of others among new events; `before` is the match without them. */
export function announceMoves(
  before: MatchView,
  after: MatchView,
  events: readonly EventView[],
  cells: MoveCells,
): string[] {
  const played = events.filter((event) => event.type === "move-played" && isOfOthers(after, event));
  const sentences = played.map(({ seat, data }) => describePlayedMove(nameOfSeat(after, seat!), String(data.move), cells));
  if (played.length !== 1) return sentences;
  const named = cells[String(played[0]!.data.move)] ?? [];
  const removed = removedCells(before.state.position, after.state.position, named);
  return removed.length ? [...sentences, t.play.removed(removed.join(", "))] : sentences;
}

/** Return the answer of the opponent to an offer of this user among new events, null without one. */
export function describeAnswer(match: MatchView, events: readonly EventView[]): string | null {
  const texts = {
    "draw-declined": t.match.drawDeclined,
    "takeback-declined": t.match.takebackDeclined,
    "takeback-accepted": t.match.takebackAccepted,
  };
  const answers = events.filter((event) => match.your_seats.length > 0 && isOfOthers(match, event));
  return answers.map(({ type, seat }) => lookUp(texts, type)?.(nameOfSeat(match, seat!)) ?? null).findLast(Boolean) ?? null;
}
