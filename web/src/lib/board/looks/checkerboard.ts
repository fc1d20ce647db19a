/** The dark squares of a checkerboard, with the light ones between them. */
import type { BoardLook, MapDecoration } from "./BoardLook";
import { boardSize, plainLook } from "./plain";
import { filesAndRanks } from "./squares";

export const checkerboardLook: BoardLook = {
  ...plainLook,
  playerPiece: "checker",
  decorations: (board) => lightSquares(boardSize(board)),
  labels: (board, cells) => filesAndRanks(boardSize(board), cells),
};

function lightSquares(n: number): MapDecoration[] {
  return [...Array(n * n).keys()]
    .map((number) => ({ file: number % n, rank: Math.floor(number / n) }))
    .filter(({ file, rank }) => (file + rank) % 2 === 1)
    .map(({ file, rank }) => {
      const [x, y] = [file - n / 2, n / 2 - rank - 1];
      return {
        role: "light square",
        points: [
          [x, y],
          [x + 1, y],
          [x + 1, y + 1],
          [x, y + 1],
        ],
      };
    });
}
