/** The surface of a cube: its map is a net of faces, on which folded cells are cut. */
import type { BoardView, Cell, Point, Point3 } from "../../api/types";
import { add, distanceToSegments, norm, polygonSides, scale, subtract } from "../geometry2d";
import type { BoardLook, EdgeLine, FaceLetter, MapCell, MapLabel, PieceSpot, Placement } from "./BoardLook";
import { boardSize, plainLook, SOLID_LIMITS, sideNormals, sumOf, wholeCell } from "./plain";

const FACES = "UDFBLR";

export const cubeLook: BoardLook = {
  ...plainLook,
  form: "solid",
  cameraLimits: SOLID_LIMITS,
  groundOffset: 0,
  mapCells: (board) => board.cells.map(mapCell),
  edgeLines: faceBorders,
  labels: (board) => watermarks(board),
  placement: foldedPlacement,
  faceLetters,
};

function mapCell(cell: Cell): MapCell {
  const whole = wholeCell(cell);
  return isCut(cell) ? { ...whole, spots: cell.flat_outlines.map(partSpot) } : whole;
}

/** Whether the map cuts a cell, so that its parts begin at its centre. */
function isCut(cell: Cell): boolean {
  return cell.flat_outlines.length > 1 || cell.flat_outlines[0]!.length > cell.neighbours.length;
}

function partSpot(points: Point[]): PieceSpot {
  const [centre, ...rim] = points as [Point, ...Point[]];
  const sides = rim.slice(1).map((end, index): [Point, Point] => [rim[index]!, end]);
  const sector: [Point, Point] = [subtract(rim[0]!, centre), subtract(rim.at(-1)!, centre)];
  return { centre, room: distanceToSegments(centre, sides), sector };
}

/** The middle of each face on the map, by its letter. */
function faceMiddles(board: BoardView): Map<string, Point> {
  const middles = new Map<string, Point>();
  for (const face of FACES) {
    const octagons = board.cells.filter(({ name, neighbours }) => name.startsWith(face) && neighbours.length === 8);
    const sum = octagons.reduce<Point>((total, { flat_centre }) => add(total, flat_centre), [0, 0]);
    middles.set(face, scale(sum, 1 / octagons.length));
  }
  return middles;
}

function watermarks(board: BoardView): MapLabel[] {
  return [...faceMiddles(board)].map(([text, at]) => ({ text, at, size: 0.5 * boardSize(board), kind: "watermark" }));
}

function faceBorders(board: BoardView): EdgeLine[] {
  const half = boardSize(board) / 2;
  const middles = [...faceMiddles(board).values()];
  const corners: Point[] = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
  return middles.flatMap((middle) =>
    polygonSides(corners).map(([start, end]): EdgeLine => {
      const beyond = add(middle, add(start, end));
      const joined = middles.some((other) => norm(subtract(other, beyond)) < 0.1);
      return { kind: joined ? "fold" : "edge", points: [add(middle, start), add(middle, end)] };
    }),
  );
}

/** Pieces of a folded cell stand between its faces, each counted once. */
function foldedPlacement(_: BoardView, cell: Cell): Placement {
  const faces = new Map(sideNormals(cell).map((normal) => [normal.map(Math.round).join(), normal]));
  return { normal: sumOf([...faces.values()]), folded: faces.size > 1 };
}

/** The letters of the faces, as on the map. */
function faceLetters(board: BoardView): FaceLetter[] {
  const half = boardSize(board) / 2;
  const directions: [string, Point3, Point3][] = [
    ["U", [0, 0, 1], [0, 1, 0]],
    ["D", [0, 0, -1], [0, -1, 0]],
    ["F", [0, -1, 0], [0, 0, 1]],
    ["B", [0, 1, 0], [0, 0, 1]],
    ["L", [-1, 0, 0], [0, 0, 1]],
    ["R", [1, 0, 0], [0, 0, 1]],
  ];
  return directions.map(([text, normal, up]) => {
    const centre = normal.map((part) => part * (half + 0.008)) as Point3;
    return { text, centre, normal, up, size: 1.3 * half };
  });
}
