/** The complete flat map of a board: where cells, stones and names lie, before anything is drawn. */
import type { BoardView, Cell, Point } from "../../api/types";
import { add, distanceToSegments, norm, normalise, polygonSides, scale, subtract, svgPath } from "../geometry2d";
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

export interface MapLayout {
  cells: MapCell[];
  byName: ReadonlyMap<string, MapCell>;
  furniture: { role: string; outline: string }[];
  lines: { kind: "edge" | "fold"; outline: string }[];
  labels: Label[];
  box: { x: number; y: number; width: number; height: number };
}

const CAP = 1.4; // how much larger the map shows the cylinder's cap than the rings round it
const MARGIN = 0.3;

export function buildMapLayout(board: BoardView): MapLayout {
  const cells =
    board.kind === "cylinder" ? spreadCells(board) : board.cells.map((cell) => mapCell(cell, board.kind === "cube"));
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const furniture = furnitureOf(board, cells);
  const labels = labelsOf(board, cells);
  return {
    cells,
    byName,
    furniture: furniture.map(({ role, points }) => ({ role, outline: svgPath(points) })),
    lines: linesOf(board),
    labels,
    box: boxAround([
      ...cells.flatMap((cell) => cell.polygons.flat()),
      ...furniture.flatMap(({ points }) => points),
      ...labels.flatMap(({ at, size }) => [add(at, [size, size]), subtract(at, [size, size])]),
    ]),
  };
}

function mapCell(cell: Cell, folds: boolean): MapCell {
  return cellOf(cell, cell.flat_outlines, folds && isCut(cell) ? cell.flat_outlines.map(part) : [spot(cell)]);
}

function cellOf(cell: Cell, polygons: Point[][], spots: Spot[]): MapCell {
  const outline = polygons.map((points) => svgPath(points)).join("");
  return { name: cell.name, role: cell.role, polygons, outline, spots, centre: spotCentre(spots[0]!) };
}

/** Whether the map cuts a cell, so that its parts begin at its centre. */
function isCut(cell: Cell): boolean {
  return cell.flat_outlines.length > 1 || cell.flat_outlines[0]!.length > cell.neighbours.length;
}

function spot(cell: Cell): Spot {
  return {
    centre: cell.flat_centre,
    room: distanceToSegments(cell.flat_centre, polygonSides(cell.flat_outlines[0]!)),
    sector: null,
  };
}

function part(points: Point[]): Spot {
  const [centre, ...rim] = points as [Point, ...Point[]];
  const stretches = rim.slice(1).map((end, index): [Point, Point] => [rim[index]!, end]);
  return {
    centre,
    room: distanceToSegments(centre, stretches),
    sector: [subtract(rim[0]!, centre), subtract(rim.at(-1)!, centre)],
  };
}

/** Where to write on a spot: inside its part, where it is one. */
export function spotCentre({ centre, room, sector }: Spot): Point {
  if (!sector) return centre;
  const [start, end] = [normalise(sector[0]), normalise(sector[1])];
  let between = add(start, end);
  if (norm(between) < 1e-6) between = [start[1], -start[0]];
  if (start[0] * end[1] - start[1] * end[0] > 1e-6) between = scale(between, -1);
  return add(centre, normalise(between), 0.5 * room);
}

/** A star of four points to draw on the stone of a spot. */
export function starPath(spot: Spot): string {
  const [x, y] = spotCentre(spot);
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
    const away = Math.max(norm(point), 1e-9);
    return scale(point, (away + (CAP - 1) * Math.min(away, rim)) / away);
  };
  const edge = new Set(board.marks.edge);
  const placed = board.cells.map((cell) => {
    const polygon = cell.flat_outlines[0]!.map(spread);
    const centre = spread(cell.flat_centre);
    return { cell, polygon, centre: edge.has(cell.name) ? midway(centre, polygon) : centre };
  });
  const rooms = placed.map(({ centre, polygon }) => distanceToSegments(centre, polygonSides(polygon)));
  const most = 1.25 * Math.min(...rooms);
  return placed.map(({ cell, polygon, centre }, number) =>
    cellOf(cell, [polygon], [{ centre, room: Math.min(most, rooms[number]!), sector: null }]),
  );
}

/** Edge cells lack their outer half, so their middle is not where their centre is. */
function midway(centre: Point, polygon: Point[]): Point {
  const away = polygon.map(norm);
  return scale(normalise(centre), (Math.min(...away) + Math.max(...away)) / 2);
}

function boxAround(points: Point[]): MapLayout["box"] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return { x, y, width: Math.max(...xs) + MARGIN - x, height: Math.max(...ys) + MARGIN - y };
}

const maps = new WeakMap<BoardView, MapLayout>();

/** The map of a board, worked out once. */
export function mapLayout(board: BoardView): MapLayout {
  const known = maps.get(board) ?? buildMapLayout(board);
  maps.set(board, known);
  return known;
}
