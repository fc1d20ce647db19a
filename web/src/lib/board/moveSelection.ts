/** Choosing a move by its cells: texts and the cells they name are all that is known here, no rules. */

export type MoveCells = Readonly<Record<string, readonly string[]>>;

export interface Choice {
  /** Cells chosen so far. */
  picked: readonly string[];
  /** Moves that these cells name already, where there is something left to choose. */
  offers: readonly string[];
  /** The move that is chosen, when only one is left. */
  move: string | null;
}

export const NOTHING: Choice = { picked: [], offers: [], move: null };

/** Legal moves whose cells begin with those picked. */
function candidates(legal: readonly string[], cells: MoveCells, picked: readonly string[]): string[] {
  return legal.filter((move) => {
    const named = cells[move] ?? [];
    return named.length > 0 && picked.every((cell, place) => named[place] === cell);
  });
}

/** Cells that may be chosen next. */
export function choosable(legal: readonly string[], cells: MoveCells, picked: readonly string[]): Set<string> {
  const found = candidates(legal, cells, picked).map((move) => cells[move]![picked.length]);
  return new Set(found.filter((cell) => cell !== undefined));
}

/** Legal moves that name no cell, such as a swap. */
export function wordMoves(legal: readonly string[], cells: MoveCells): string[] {
  return legal.filter((move) => (cells[move] ?? []).length === 0);
}

/** The choice after one more cell, or null when no legal move goes on with it. */
export function choose(legal: readonly string[], cells: MoveCells, before: Choice, cell: string): Choice | null {
  if (before.picked.length > 0 && before.picked.at(-1) === cell && before.move === null) return NOTHING;
  return extended(legal, cells, before.move ? [] : before.picked, cell) ?? extended(legal, cells, [], cell);
}

function extended(legal: readonly string[], cells: MoveCells, picked: readonly string[], cell: string): Choice | null {
  const now = [...picked, cell];
  const left = candidates(legal, cells, now);
  const complete = left.filter((move) => cells[move]!.length === now.length);
  if (left.length === 0) return null;
  if (left.length === 1 && complete.length === 1) return { picked: now, offers: [], move: left[0]! };
  return { picked: now, offers: complete, move: null };
}

/** The text of a move with its cells left out: moves of one kind look alike. */
export function kindOf(move: string, cells: MoveCells): string {
  return (cells[move] ?? []).reduce((text, cell) => text.replace(cell, "*"), move);
}

/** A move that a refused cell may have meant, of a kind that is legal now: the server can say why not. */
export function meant(legal: readonly string[], cells: MoveCells, picked: readonly string[], cell: string): string | null {
  const kinds = new Set(legal.map((move) => kindOf(move, cells)));
  const wanted = [...picked, cell];
  const alike = Object.keys(cells).filter((move) => {
    const named = cells[move]!;
    return named.length > 0 && wanted.every((name, place) => named[place] === name);
  });
  return alike.find((move) => kinds.has(kindOf(move, cells))) ?? alike[0] ?? null;
}
