/** Everything that a board shows of a position, as plain data: all that the map and the 3D view draw. */
import type { BoardView, Explanation, MarkShape, PositionView } from "../api/types";

export interface BoardScene {
  position: PositionView;
  /** Cells of the last move; the last of them is where it went. */
  lastMove: readonly string[];
  /** Cells of the moves before it in the same turn. */
  earlierMoves: readonly (readonly string[])[];
  /** Whether the last move is to be shown as a movement. */
  animatesLastMove: boolean;
  /** Cells that may be chosen next. */
  selectable: ReadonlySet<string>;
  /** Cells chosen so far for a move that names several. */
  selected: readonly string[];
  /** What the move under the cursor would do. */
  preview: Explanation | null;
  /** A refused cell, and the cells that show why. */
  illegal: { cell: string; witness: readonly string[] } | null;
  /** Share of the engine's visits by cell, from 0 to 1. */
  heat: Readonly<Record<string, number>>;
  /** Shapes that somebody has put on cells. */
  marks: Readonly<Record<string, MarkShape>>;
}

const NONE: ReadonlySet<string> = new Set();

export function plainScene(position: PositionView, lastMove: readonly string[] = []): BoardScene {
  return {
    position,
    lastMove,
    earlierMoves: [],
    animatesLastMove: false,
    selectable: NONE,
    selected: [],
    preview: null,
    illegal: null,
    heat: {},
    marks: {},
  };
}

/** More selectable cells than this share of the board are not painted: they would cover it. */
const MAX_PAINTED_SHARE = 0.5;

/** The selectable cells to paint: targets of a selected piece, or pieces that can move. */
export function hintedCells(scene: BoardScene, { cells, map }: BoardView): ReadonlySet<string> {
  const isStacked = map.stack_offset.some((part) => part !== 0);
  const isUseful = scene.selected.length > 0 || (isStacked && scene.selectable.size <= MAX_PAINTED_SHARE * cells.length);
  return isUseful ? scene.selectable : NONE;
}

/** Pieces as they would stand after the previewed move, on the cells that it changes. */
export function ghostPieces(scene: BoardScene): PositionView["pieces"] {
  const { preview } = scene;
  if (!preview?.resulting_position) return {};
  return Object.fromEntries(preview.placed.map((cell) => [cell, preview.resulting_position!.pieces[cell] ?? []]));
}

/** What stands on the cells, less what a ghost stands in for. */
export function remainingPieces(scene: BoardScene): PositionView["pieces"] {
  const changed = new Set(scene.preview?.placed ?? []);
  return Object.fromEntries(Object.entries(scene.position.pieces).filter(([cell]) => !changed.has(cell)));
}

/** Cells that the previewed move takes something from. */
export function capturedCells(scene: BoardScene): ReadonlySet<string> {
  return new Set(scene.preview?.legal ? scene.preview.removed : []);
}

/** Territory as it is, or as the previewed move would leave it. */
export function visibleTerritory(scene: BoardScene): PositionView["territory"] {
  return scene.preview?.resulting_position?.territory ?? scene.position.territory;
}

/** The cells that decide the game, now or after the previewed move. */
export function decidingCells(scene: BoardScene): readonly string[] {
  return scene.position.outcome?.witness ?? scene.preview?.resulting_position?.outcome?.witness ?? [];
}

/** Of those, the cells whose stone gets a mark that does not depend on colours; the stone of the last move has one already. */
export function starredCells(scene: BoardScene): readonly string[] {
  return decidingCells(scene).filter(
    (cell) => scene.position.pieces[cell]?.[0]?.kind === "stone" && cell !== scene.lastMove.at(-1),
  );
}
