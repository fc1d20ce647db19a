/** Conditional moves: lines that begin with a move of the opponent, whose answers the server plays. */
import type { MatchView, PlayedMoveView, PositionView } from "../api/types";

export type ConditionalLine = readonly string[];

export interface ConditionalMoves {
  /** The event after whose position the lines begin. */
  position_version: number;
  lines: readonly ConditionalLine[];
}

const startsWith = (line: ConditionalLine, start: ConditionalLine): boolean =>
  start.every((move, index) => line[index] === move);

/** Whether a match can have conditional moves of this visitor. */
export const allowsConditionalMoves = ({ clock, state, your_seats }: MatchView): boolean =>
  clock.kind === "days" && state.status === "playing" && your_seats.length === 1;

/** Whether a line on the board, which leads to a position, has an answer of this visitor at its end. */
export const endsWithAnswer = ({ your_seats }: MatchView, line: ConditionalLine, { seat }: PositionView): boolean =>
  line.length > 1 && !your_seats.includes(seat ?? -1);

/** Return what is left of stored lines after the moves that were played since; lines that the match has left are dropped. */
export function remainingLines(stored: ConditionalMoves, moves: readonly PlayedMoveView[]): ConditionalLine[] {
  const version = stored.position_version;
  const first = moves[0]?.seq ?? Number.POSITIVE_INFINITY;
  if (version >= first && !moves.some(({ seq }) => seq === version)) return []; // the position was taken back
  const played = moves.filter(({ seq }) => seq > version).map(({ move }) => move);
  return stored.lines
    .filter((line) => line.length > played.length && startsWith(line, played))
    .map((line) => line.slice(played.length));
}

/** Return a line without the moves after the last own one; `seats` has the seat of each move. */
export function trimToAnswer(line: ConditionalLine, seats: readonly (number | null)[], own: number): ConditionalLine {
  return line.slice(0, seats.slice(0, line.length).lastIndexOf(own) + 1);
}

/** Return the lines with a new one, which replaces what it extends and what answers the same moves in another way. */
export function addLine(
  lines: readonly ConditionalLine[],
  added: ConditionalLine,
  seats: readonly (number | null)[],
  own: number,
): ConditionalLine[] {
  const isReplaced = (line: ConditionalLine): boolean => {
    const differing = added.findIndex((move, index) => line[index] !== move);
    if (differing < 0) return line.length === added.length; // the other one goes on after it
    return differing >= line.length || seats[differing] === own;
  };
  const kept = lines.filter((line) => !isReplaced(line));
  return kept.some((line) => startsWith(line, added)) ? kept : [...kept, added];
}
