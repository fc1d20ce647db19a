/** Everything that a board shows of a position, as plain data: the views draw it and know no more. */
import type { Explanation, Piece, PositionView } from "../api/types";

export interface Shown {
  position: PositionView;
  /** Cells of the last move; the last of them is where it went. */
  last: readonly string[];
  /** Cells that may be chosen next. */
  choosable: ReadonlySet<string>;
  /** Cells chosen so far for a move that names several. */
  picked: readonly string[];
  /** What the move under the cursor would do. */
  preview: Explanation | null;
  /** A refused cell, and the cells that show why. */
  refused: { cell: string; witness: readonly string[] } | null;
  /** 0 to 1 by cell: what an engine thinks of. */
  heat: Readonly<Record<string, number>>;
}

const NONE: ReadonlySet<string> = new Set();

export function plainly(position: PositionView, last: readonly string[] = []): Shown {
  return { position, last, choosable: NONE, picked: [], preview: null, refused: null, heat: {} };
}

/** Pieces as they would stand after the previewed move, on the cells that it changes. */
export function ghosts(shown: Shown): Record<string, Piece[]> {
  const { preview } = shown;
  if (!preview?.after) return {};
  return Object.fromEntries(preview.placed.map((cell) => [cell, preview.after!.pieces[cell] ?? []]));
}

/** What stands on the cells, less what a ghost stands in for. */
export function standing(shown: Shown): Record<string, Piece[]> {
  const changed = new Set(shown.preview?.placed ?? []);
  return Object.fromEntries(Object.entries(shown.position.pieces).filter(([cell]) => !changed.has(cell)));
}

/** Cells that the previewed move takes something from. */
export function leaving(shown: Shown): ReadonlySet<string> {
  return new Set(shown.preview?.legal ? shown.preview.removed : []);
}

/** Territory as it is, or as the previewed move would leave it. */
export function territory(shown: Shown): Record<string, string[]> {
  return shown.preview?.after?.territory ?? shown.position.territory;
}

/** The cells that decide the game, now or after the previewed move. */
export function witness(shown: Shown): readonly string[] {
  return shown.position.outcome?.witness ?? shown.preview?.after?.outcome?.witness ?? [];
}

/** Of those, the cells whose stone gets a sign of its own, for whoever cannot tell the colours; the last move has one already. */
export function starred(shown: Shown): readonly string[] {
  return witness(shown).filter((cell) => shown.position.pieces[cell]?.[0]?.kind === "stone" && cell !== shown.last.at(-1));
}
