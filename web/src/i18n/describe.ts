/** Positions, moves, results and errors in words. */
import { isApiError } from "../lib/api/errors";
import type {
  Explanation,
  IllegalMoveInfo,
  OutcomeView,
  Piece,
  PlayedMoveView,
  PositionView,
  ScoreView,
} from "../lib/api/types";
import type { BoardScene } from "../lib/board/BoardScene";
import { type MoveCells, moveKind } from "../lib/board/moveSelection";
import { moveNumber } from "../lib/match/timeline";
import { piecesToPlace } from "../lib/play/hand";
import { preferences } from "../lib/state/preferences.svelte";
import type { IllegalMoveParams } from "./codes";
import { capitalise, colourName, lookUp, t } from "./index.svelte";

export function describePieces(pieces: readonly Piece[] | undefined): string {
  if (!pieces?.length) return t.board.empty;
  const names = pieces.map(({ colour, kind }) => t.board.coloured(colourName(colour), t.pieces[kind] ?? kind));
  return names.length === 1 ? names[0]! : t.board.stackOf(names.join(", "));
}

export function describeCell(scene: BoardScene, cell: string): string {
  const notes = [describePieces(scene.position.pieces[cell])];
  for (const [colour, cells] of Object.entries(scene.position.territory)) {
    if (cells.includes(cell)) notes.push(t.board.territoryOf(colourName(colour)));
  }
  if (scene.selectable.has(cell)) notes.push(t.board.selectable);
  if (scene.selected.includes(cell)) notes.push(t.board.selected);
  if (scene.lastMove.includes(cell)) notes.push(t.board.lastMove);
  return `${cell}: ${notes.join("; ")}`;
}

/** What somebody has played, as a sentence. */
export function describePlayedMove(name: string, move: string, cells: MoveCells): string {
  const [from = "", to = ""] = cells[move] ?? [];
  const text = lookUp<(name: string, from: string, to: string) => string>(t.play.played, moveKind(move, cells));
  return capitalise(text?.(name, from, to) ?? t.play.playedOther(name, move));
}

/** What is to be chosen in a position, and which piece in hand is to be placed; empty where it is always the same. */
export function describePhase(position: PositionView, cells: MoveCells): string {
  const hand = piecesToPlace(position, cells);
  if (!hand.length) return lookUp(t.play.phases, position.phase) ?? "";
  const names = hand.map(({ colour, kind }) => t.board.coloured(colourName(colour), t.pieces[kind] ?? kind));
  return t.play.placeHand(names.join(", "));
}

/** A count of both players, and the count that wins. */
export function describeScore({ kind, by_colour, target }: ScoreView): string {
  const counts = Object.entries(by_colour).map(([colour, count]) => t.scores.count(colourName(colour), count));
  const parts = [counts.join(", "), ...(target === null ? [] : [t.scores.target(target)])];
  return `${lookUp(t.scores.kinds, kind) ?? kind}: ${parts.join("; ")}`;
}

/** Which position of a game is shown, with the number that its move has in the list. */
export function describePly(moves: readonly PlayedMoveView[], ply: number): string {
  return ply === 0 ? t.play.start : t.play.past(moveNumber(moves, ply), moves[ply - 1]?.move ?? "");
}

/** What a move does in a position, or why it is illegal. The server says what it does in English only. */
export function describeMove(explained: Explanation, position: PositionView): string {
  if (explained.illegal) return describeIllegalMove(explained.illegal, explained.cells, position);
  return toSentence(preferences.language === "en" ? explained.message : describeEffect(explained));
}

function describeEffect({ move, placed, removed, resulting_position: after }: Explanation): string {
  const { effect } = t.text;
  const pieces = placed.map((cell) => `${cell} (${describePieces(after?.pieces[cell])})`);
  const parts = [effect.move(move)];
  if (pieces.length) parts.push(effect.after(pieces.join(", ")));
  if (removed.length) parts.push(effect.emptied(removed.join(", ")));
  if (after?.outcome) parts.push(describeOutcome(after.outcome, after.colours));
  return parts.join("; ");
}

/** Why a move is illegal; the server's words where the page does not know the reason. */
export function describeIllegalMove(
  illegal: IllegalMoveInfo,
  cells: readonly string[],
  position: PositionView | null,
): string {
  const params: IllegalMoveParams = {
    cell: cells.at(-1) ?? "",
    from: cells[0] ?? "",
    colour: witnessColour(illegal.witness, position),
  };
  return toSentence(lookUp(t.illegalMoves, illegal.reason)?.(params) ?? illegal.message);
}

function witnessColour(witness: readonly string[], position: PositionView | null): string {
  const piece = witness.map((cell) => position?.pieces[cell]?.at(-1)).find(Boolean);
  return piece ? colourName(piece.colour) : "";
}

/** How a game ended; the server's words where the page does not know the reason. */
export function describeOutcome({ winner, reason, witness, message }: OutcomeView, colours: readonly string[]): string {
  const name = (seat: number): string => colourName(colours[seat] ?? "");
  const params =
    winner === null
      ? { winner: "", loser: "", cells: witness }
      : { winner: capitalise(name(winner)), loser: name(1 - winner), cells: witness };
  return toSentence(lookUp(t.outcomes, reason)?.(params) ?? message);
}

/** An error as a sentence. Errors whose message says more than their code are shown as the server words them. */
export function describeError(error: unknown): string {
  if (!isApiError(error)) return String((error as Partial<Error> | null)?.message ?? error);
  const { code, message, details } = error;
  if (code === "illegal-move") {
    const { move = "", reason = "", witness = [] } = details as Partial<IllegalMoveInfo & Pick<Explanation, "move">>;
    return describeIllegalMove({ reason, witness, message, rule: "" }, [move], null);
  }
  const retrySeconds = typeof details.retry_after === "number" ? Math.ceil(details.retry_after) : null;
  return toSentence(lookUp(t.errors, code)?.({ retrySeconds }) ?? message);
}

/** A day by the conventions of the visitor's language. */
export const formatDate = (ms: number): string =>
  new Intl.DateTimeFormat(preferences.language, { dateStyle: "medium" }).format(ms);

/** A day of the calendar, given as 2026-12-31. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(preferences.language, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day));

/** Names of cells stay as they are, at the beginning of a sentence too. */
function toSentence(text: string): string {
  const begun = /^[a-z]\d/.test(text) ? text : capitalise(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
