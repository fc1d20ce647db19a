/** A rhombus of hexagons whose sides belong to the colours. */
import type { BoardView, Point } from "../../api/types";
import { add, clipPolygon, convexHull, offsetPolygon, polygonSides } from "../geometry2d";
import type { BoardLook, MapCell, MapDecoration, MapLabel } from "./BoardLook";
import { boardSize, columnsAndRows, labelSize, plainLook } from "./plain";

const SIDE_WIDTH = 0.42;

export const rhombusLook: BoardLook = { ...plainLook, decorations: colouredSides, labels };

const centreOf = (cell: MapCell): Point => cell.spots[0]!.centre;

/** A bar along each side, from corner to corner, in the colour of its owner. */
function colouredSides(board: BoardView, cells: readonly MapCell[]): MapDecoration[] {
  const n = boardSize(board);
  const frame = offsetPolygon(convexHull(cells.flatMap((cell) => cell.polygons.flat())), SIDE_WIDTH);
  const at = (row: number, column: number): Point => centreOf(cells[row * n + column]!);
  const corners = [at(0, 0), at(0, n - 1), at(n - 1, n - 1), at(n - 1, 0)];
  const beyond = offsetPolygon(corners, 2);
  return polygonSides([0, 1, 2, 3]).map(([from, to]) => ({
    role: from % 2 ? "blue side" : "red side",
    points: clipPolygon([corners[from]!, beyond[from]!, beyond[to]!, corners[to]!], frame),
  }));
}

function labels(board: BoardView, cells: readonly MapCell[]): MapLabel[] {
  const [n, size] = [boardSize(board), labelSize(cells)];
  const beyond = (1 / Math.sqrt(3) + SIDE_WIDTH + 0.08 + 0.7 * size) / Math.cos(Math.PI / 6);
  return columnsAndRows(n, size, {
    column: (index) => add(centreOf(cells[index]!), [-0.5, -Math.sqrt(3) / 2], beyond),
    row: (index) => add(centreOf(cells[index * n]!), [-beyond, 0]),
  });
}
