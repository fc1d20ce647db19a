/** The complete flat map of a board: where cells, stones and names lie, before anything is drawn. */
import type { BoardView, Cell, Point } from "../../api/types";
import { distanceTo, length, minus, path, plus, scaled, sidesOf, unit } from "../geometry2d";
import { furnitureOf, labelsOf, linesOf } from "./mapDecorations";

/** A place for pieces; where the map cuts a cell, one for each part, between two directions. */
export interface Spot {
  centre: Point;
  room: number;
  sector: [Point, Point] | null;
}

export interface MapCell {
  name: string;
  role: string;
  polygons: Point[][];
  outline: string;
  spots: Spot[];
  centre: Point;
}

export interface Label {
  text: string;
  at: Point;
  size: number;
  kind: "margin" | "watermark" | "cell";
}

export interface FlatMap {
  cells: MapCell[];
  byName: ReadonlyMap<string, MapCell>;
  furniture: { role: string; outline: string }[];
  lines: { kind: "edge" | "fold"; outline: string }[];
  labels: Label[];
  box: { x: number; y: number; width: number; height: number };
}

const CAP = 1.4; // how much larger the map shows the cylinder's cap than the rings round it
const MARGIN = 0.3;

export function flatMap(board: BoardView): FlatMap {
  const cells =
    board.kind === "cylinder" ? spreadCells(board) : board.cells.map((cell) => mapCell(cell, board.kind === "cube"));
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const furniture = furnitureOf(board, cells);
  const labels = labelsOf(board, cells);
  return {
    cells,
    byName,
    furniture: furniture.map(({ role, points }) => ({ role, outline: path(points) })),
    lines: linesOf(board),
    labels,
    box: boxAround([
      ...cells.flatMap((cell) => cell.polygons.flat()),
      ...furniture.flatMap(({ points }) => points),
      ...labels.flatMap(({ at, size }) => [plus(at, [size, size]), minus(at, [size, size])]),
    ]),
  };
}

function mapCell(cell: Cell, folds: boolean): MapCell {
  return cellOf(cell, cell.flat_outlines, folds && isCut(cell) ? cell.flat_outlines.map(part) : [spot(cell)]);
}

function cellOf(cell: Cell, polygons: Point[][], spots: Spot[]): MapCell {
  const outline = polygons.map((points) => path(points)).join("");
  return { name: cell.name, role: cell.role, polygons, outline, spots, centre: middleOf(spots[0]!) };
}

/** Whether the map cuts a cell, so that its parts begin at its centre. */
function isCut(cell: Cell): boolean {
  return cell.flat_outlines.length > 1 || cell.flat_outlines[0]!.length > cell.neighbours.length;
}

function spot(cell: Cell): Spot {
  return { centre: cell.flat_centre, room: distanceTo(cell.flat_centre, sidesOf(cell.flat_outlines[0]!)), sector: null };
}

function part(points: Point[]): Spot {
  const [centre, ...rim] = points as [Point, ...Point[]];
  const stretches = rim.slice(1).map((end, index): [Point, Point] => [rim[index]!, end]);
  return { centre, room: distanceTo(centre, stretches), sector: [minus(rim[0]!, centre), minus(rim.at(-1)!, centre)] };
}

/** Where to write on a spot: inside its part, where it is one. */
export function middleOf({ centre, room, sector }: Spot): Point {
  if (!sector) return centre;
  const [start, end] = [unit(sector[0]), unit(sector[1])];
  let between = plus(start, end);
  if (length(between) < 1e-6) between = [start[1], -start[0]];
  if (start[0] * end[1] - start[1] * end[0] > 1e-6) between = scaled(between, -1);
  return plus(centre, unit(between), 0.5 * room);
}

/** A star of four points to draw on the stone of a spot. */
export function starOf(spot: Spot): string {
  const [x, y] = middleOf(spot);
  const [long, short] = [(spot.sector ? 0.3 : 0.48) * spot.room, (spot.sector ? 0.1 : 0.15) * spot.room];
  const corners = [
    [0, -long],
    [short, -short],
    [long, 0],
    [short, short],
    [0, long],
    [-short, short],
    [-long, 0],
    [-short, -short],
  ];
  return `M${corners.map(([right, down]) => `${x + right!} ${y + down!}`).join("L")}Z`;
}

/** The cylinder's cells with more room for its cap, and stones of nearly one size. */
function spreadCells(board: BoardView): MapCell[] {
  const rim = board.size[0]! + 0.5;
  const spread = (point: Point): Point => {
    const away = Math.max(length(point), 1e-9);
    return scaled(point, (away + (CAP - 1) * Math.min(away, rim)) / away);
  };
  const edge = new Set(board.marks.edge);
  const placed = board.cells.map((cell) => {
    const polygon = cell.flat_outlines[0]!.map(spread);
    const centre = spread(cell.flat_centre);
    return { cell, polygon, centre: edge.has(cell.name) ? midway(centre, polygon) : centre };
  });
  const rooms = placed.map(({ centre, polygon }) => distanceTo(centre, sidesOf(polygon)));
  const most = 1.25 * Math.min(...rooms);
  return placed.map(({ cell, polygon, centre }, number) =>
    cellOf(cell, [polygon], [{ centre, room: Math.min(most, rooms[number]!), sector: null }]),
  );
}

/** Edge cells lack their outer half, so their middle is not where their centre is. */
function midway(centre: Point, polygon: Point[]): Point {
  const away = polygon.map(length);
  return scaled(unit(centre), (Math.min(...away) + Math.max(...away)) / 2);
}

function boxAround(points: Point[]): FlatMap["box"] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return { x, y, width: Math.max(...xs) + MARGIN - x, height: Math.max(...ys) + MARGIN - y };
}

const maps = new WeakMap<BoardView, FlatMap>();

/** The map of a board, worked out once. */
export function mapOf(board: BoardView): FlatMap {
  const known = maps.get(board) ?? flatMap(board);
  maps.set(board, known);
  return known;
}
