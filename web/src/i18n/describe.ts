/** A position in words, for those who listen: what stands where, and what can be done there. */
import type { Explanation, OutcomeView, Piece, Refused } from "../lib/api/types";
import type { BoardScene } from "../lib/board/BoardScene";
import { preferences } from "../lib/state/preferences.svelte";
import { germanOutcome, germanRefusal } from "./de-rules";
import { colourName, t } from "./index.svelte";

export function describePieces(pieces: readonly Piece[] | undefined): string {
  if (!pieces?.length) return t.board.empty;
  const named = pieces.map((piece) => t.board.coloured(colourName(piece.colour), t.pieces[piece.kind] ?? piece.kind));
  return named.length === 1 ? named[0]! : t.board.stackOf(named.join(", "));
}

export function describeCell(scene: BoardScene, cell: string): string {
  const notes = [describePieces(scene.position.pieces[cell])];
  for (const [colour, cells] of Object.entries(scene.position.territory)) {
    if (cells.includes(cell)) notes.push(t.board.territoryOf(colourName(colour)));
  }
  if (scene.selectable.has(cell)) notes.push(t.board.mayChoose);
  if (scene.selected.includes(cell)) notes.push(t.board.picked);
  if (scene.lastMove.includes(cell)) notes.push(t.board.lastMove);
  return `${cell}: ${notes.join("; ")}`;
}

/** What a move does: the server's words, or in German what can be told from cells and pieces. */
export function describeMove(explained: Explanation): string {
  if (explained.refusal) return describeRefusal(explained.refusal);
  if (preferences.language === "en") return sentence(explained.words);
  const parts = [`Zug ${explained.move}`];
  const placed = explained.placed.map((cell) => `${cell} (${describePieces(explained.after?.pieces[cell])})`);
  if (placed.length) parts.push(`danach ${placed.join(", ")}`);
  if (explained.removed.length) parts.push(`leer wird ${explained.removed.join(", ")}`);
  const over = explained.after?.outcome;
  if (over) parts.push(describeOutcome(over, explained.after!.colours));
  return sentence(parts.join("; "));
}

export function describeRefusal(refused: Refused): string {
  return sentence(preferences.language === "de" ? germanRefusal(refused) : refused.words);
}

export function describeOutcome(outcome: OutcomeView, colours: readonly string[]): string {
  if (preferences.language === "en") return sentence(outcome.words);
  return sentence(germanOutcome(outcome, outcome.winner === null ? null : colourName(colours[outcome.winner]!)));
}

/** An error as a sentence: what the server says, or the error itself. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Names of cells stay as they are, at the beginning of a sentence too. */
function sentence(text: string): string {
  const begun = /^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
