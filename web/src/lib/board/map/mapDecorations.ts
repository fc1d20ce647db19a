/** What lies round and between the cells of each kind of board on its flat map. */
import type { BoardView, Point } from "../../api/types";
import { add, clipPolygon, convexHull, norm, normalise, offsetPolygon, polygonSides, scale, svgPath } from "../geometry2d";
import type { Label, MapCell, MapLayout } from "./mapLayout";

export interface Furniture {
  role: string;
  points: Point[];
}

type Kind = BoardView["kind"];

const BAR = 0.42; // the width of a coloured side
const LETTERING = 0.024; // of the longer side of the board

export function furnitureOf(board: BoardView, cells: MapCell[]): Furniture[] {
  return FURNITURE[board.kind]?.(board, cells) ?? [];
}

export function labelsOf(board: BoardView, cells: MapCell[]): Label[] {
  return LABELS[board.kind](board, cells);
}

export function linesOf(board: BoardView): MapLayout["lines"] {
  return board.kind === "cube" ? faceBorders(board) : [];
}

function lettering(cells: MapCell[]): number {
  const xs = cells.flatMap((cell) => cell.polygons.flat().map(([x]) => x));
  return Math.min(0.5, 1.5 * LETTERING * (Math.max(...xs) - Math.min(...xs)));
}

const FURNITURE: Partial<Record<Kind, (board: BoardView, cells: MapCell[]) => Furniture[]>> = {
  "dark squares": (board) => lightSquares(board.size[0]!),
  rhombus: (board, cells) => colouredSides(board, cells),
};

function lightSquares(n: number): Furniture[] {
  const numbers = [...Array(n * n).keys()];
  return numbers
    .map((number) => [number % n, Math.floor(number / n)] as Point)
    .filter(([file, rank]) => (file + rank) % 2 === 1)
    .map(([file, rank]) => {
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

/** A bar along each side of the rhombus, from corner to corner, in the colour of its owner. */
function colouredSides(board: BoardView, cells: MapCell[]): Furniture[] {
  const n = board.size[0]!;
  const frame = offsetPolygon(convexHull(cells.flatMap((cell) => cell.polygons.flat())), BAR);
  const at = (row: number, column: number): Point => cells[row * n + column]!.centre;
  const corners = [at(0, 0), at(0, n - 1), at(n - 1, n - 1), at(n - 1, 0)];
  const beyond = offsetPolygon(corners, 2);
  return polygonSides([0, 1, 2, 3]).map(([from, to]) => ({
    role: from % 2 ? "blue side" : "red side",
    points: clipPolygon([corners[from]!, beyond[from]!, beyond[to]!, corners[to]!], frame),
  }));
}

const LABELS: Record<Kind, (board: BoardView, cells: MapCell[]) => Label[]> = {
  squares: (board, cells) => filesAndRanks(board.size[0]!, lettering(cells)),
  "dark squares": (board, cells) => filesAndRanks(board.size[0]!, lettering(cells)),
  rhombus: (board, cells) => columnsAndRows(board.size[0]!, cells),
  cylinder: (board, cells) => ringNames(board, cells),
  cube: (board) => faceLetters(board),
};

const letter = (number: number): string => String.fromCharCode(97 + number);

function filesAndRanks(n: number, size: number): Label[] {
  return [...Array(n).keys()].flatMap((number): Label[] => {
    const along = number - n / 2 + 0.5;
    const beyond = n / 2 + 0.08 + 0.9 * size;
    return [
      { text: letter(number), at: [along, beyond], size, kind: "margin" },
      { text: String(number + 1), at: [-beyond, -along], size, kind: "margin" },
    ];
  });
}

function columnsAndRows(n: number, cells: MapCell[]): Label[] {
  const size = lettering(cells);
  const beyond = (1 / Math.sqrt(3) + BAR + 0.08 + 0.7 * size) / Math.cos(Math.PI / 6);
  return [...Array(n).keys()].flatMap((number): Label[] => [
    { text: letter(number), at: add(cells[number]!.centre, [-0.5, -Math.sqrt(3) / 2], beyond), size, kind: "margin" },
    { text: String(number + 1), at: add(cells[number * n]!.centre, [-beyond, 0]), size, kind: "margin" },
  ]);
}

/** The edge cells' names outside, and the first name of every ring on its cell. */
function ringNames(board: BoardView, cells: MapCell[]): Label[] {
  const edge = new Set(board.marks.edge);
  const size = lettering(cells) * 0.72;
  const beyond = Math.max(...cells.flatMap((cell) => cell.polygons.flat().map(norm)));
  const names = cells
    .filter(({ name }) => edge.has(name))
    .map(({ name, centre }): Label => {
      const heading = normalise(centre);
      return {
        text: name,
        at: scale(heading, beyond + size * (0.8 + 0.25 * name.length * Math.abs(heading[0]))),
        size,
        kind: "margin",
      };
    });
  const firsts = cells.filter(({ name }) => /^[a-z]+1$/.test(name) && !edge.has(name));
  return [
    ...names,
    ...firsts.map(({ name, centre }): Label => ({ text: name, at: centre, size: size * 0.8, kind: "cell" })),
  ];
}

function faceMiddles(board: BoardView): Map<string, Point> {
  const middles = new Map<string, Point>();
  for (const face of "UDFBLR") {
    const octagons = board.cells.filter(({ name, neighbours }) => name.startsWith(face) && neighbours.length === 8);
    const sum = octagons.reduce<Point>((total, { flat_centre }) => add(total, flat_centre), [0, 0]);
    middles.set(face, scale(sum, 1 / octagons.length));
  }
  return middles;
}

function faceLetters(board: BoardView): Label[] {
  return [...faceMiddles(board)].map(([text, at]) => ({ text, at, size: 0.5 * board.size[0]!, kind: "watermark" }));
}

/** The borders of the faces: a fold where another face joins, an edge where the net ends. */
function faceBorders(board: BoardView): MapLayout["lines"] {
  const half = board.size[0]! / 2;
  const middles = [...faceMiddles(board).values()];
  const corners: Point[] = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
  return middles.flatMap((middle) =>
    polygonSides(corners).map(([start, end]) => {
      const beyond = add(middle, add(start, end));
      const joined = middles.some((other) => norm([other[0] - beyond[0], other[1] - beyond[1]]) < 0.1);
      return { kind: joined ? "fold" : "edge", outline: svgPath([add(middle, start), add(middle, end)], false) } as const;
    }),
  );
}
