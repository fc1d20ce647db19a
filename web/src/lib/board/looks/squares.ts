/** All squares of a board: rings stand on discs. */
import type { BoardLook, MapCell, MapLabel } from "./BoardLook";
import { boardSize, columnsAndRows, labelSize, plainLook } from "./plain";

export const squaresLook: BoardLook = {
  ...plainLook,
  playerPiece: "ring",
  labels: (board, cells) => filesAndRanks(boardSize(board), cells),
};

/** Letters below the files, numbers beside the ranks of a board of n x n squares about the origin. */
export function filesAndRanks(n: number, cells: readonly MapCell[]): MapLabel[] {
  const size = labelSize(cells);
  const beyond = n / 2 + 0.08 + 0.9 * size;
  const along = (index: number): number => index - n / 2 + 0.5;
  return columnsAndRows(n, size, {
    column: (index) => [along(index), beyond],
    row: (index) => [-beyond, -along(index)],
  });
}
