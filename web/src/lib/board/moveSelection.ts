/** Choosing a move by its cells: texts and the cells they name are all that is known here, no rules. */
import type { GameView } from "../api/types";

export type MoveCells = Readonly<GameView["move_cells"]>;

export interface MoveSelection {
  /** Cells chosen so far. */
  selected: readonly string[];
  /** Moves that these cells name already, where there is something left to choose. */
  options: readonly string[];
  /** The move that is chosen, when only one is left. */
  move: string | null;
}

export const EMPTY_SELECTION: MoveSelection = { selected: [], options: [], move: null };

/** Legal moves whose cells begin with those selected. */
function candidates(legal: readonly string[], cells: MoveCells, selected: readonly string[]): string[] {
  return legal.filter((move) => {
    const named = cells[move] ?? [];
    return named.length > 0 && selected.every((cell, place) => named[place] === cell);
  });
}

/** Cells that may be chosen next. */
export function selectableCells(legal: readonly string[], cells: MoveCells, selected: readonly string[]): Set<string> {
  const found = candidates(legal, cells, selected).map((move) => cells[move]![selected.length]);
  return new Set(found.filter((cell) => cell !== undefined));
}

/** Legal moves that name no cell, such as a swap. */
export function movesWithoutCells(legal: readonly string[], cells: MoveCells): string[] {
  return legal.filter((move) => (cells[move] ?? []).length === 0);
}

/** The choice after one more cell, or null when no legal move goes on with it. */
export function selectCell(
  legal: readonly string[],
  cells: MoveCells,
  before: MoveSelection,
  cell: string,
): MoveSelection | null {
  if (before.selected.length > 0 && before.selected.at(-1) === cell && before.move === null) return EMPTY_SELECTION;
  return extendSelection(legal, cells, before.move ? [] : before.selected, cell) ?? extendSelection(legal, cells, [], cell);
}

function extendSelection(
  legal: readonly string[],
  cells: MoveCells,
  selected: readonly string[],
  cell: string,
): MoveSelection | null {
  const now = [...selected, cell];
  const left = candidates(legal, cells, now);
  const complete = left.filter((move) => cells[move]!.length === now.length);
  if (left.length === 0) return null;
  if (left.length === 1 && complete.length === 1) return { selected: now, options: [], move: left[0]! };
  return { selected: now, options: complete, move: null };
}

/** The text of a move with its cells left out: moves of one kind look alike. */
export function moveKind(move: string, cells: MoveCells): string {
  return (cells[move] ?? []).reduce((text, cell) => text.replace(cell, "*"), move);
}

/** A move that a refused cell may have meant, of a kind that is legal now: the server can say why not. */
export function guessIntendedMove(
  legal: readonly string[],
  cells: MoveCells,
  selected: readonly string[],
  cell: string,
): string | null {
  const kinds = new Set(legal.map((move) => moveKind(move, cells)));
  const wanted = [...selected, cell];
  const alike = Object.keys(cells).filter((move) => {
    const named = cells[move]!;
    return named.length > 0 && wanted.every((name, place) => named[place] === name);
  });
  return alike.find((move) => kinds.has(moveKind(move, cells))) ?? alike[0] ?? null;
}
