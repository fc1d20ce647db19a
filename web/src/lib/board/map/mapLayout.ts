/** The complete flat map of a board: where cells, stones and labels lie, before anything is drawn. */
import type { BoardView, Point } from "../../api/types";
import { add, norm, normalise, scale, subtract, svgPath } from "../geometry2d";
import { lookOf } from "../looks";
import type { EdgeLine, MapCell, MapDecoration, MapLabel, PieceSpot } from "../looks/BoardLook";

export interface DrawnCell extends MapCell {
  /** The polygons as one SVG path. */
  outline: string;
  /** Where to write on the cell, and where the cursor is for arrow keys. */
  centre: Point;
}

export interface MapLayout {
  cells: DrawnCell[];
  byName: ReadonlyMap<string, DrawnCell>;
  decorations: (MapDecoration & { outline: string })[];
  lines: (EdgeLine & { outline: string })[];
  labels: MapLabel[];
  box: { x: number; y: number; width: number; height: number };
}

const MARGIN = 0.3;

function buildMapLayout(board: BoardView): MapLayout {
  const look = lookOf(board);
  const cells = look.mapCells(board).map(drawnCell);
  const decorations = look.decorations(board, cells);
  const labels = look.labels(board, cells);
  return {
    cells,
    byName: new Map(cells.map((cell) => [cell.name, cell])),
    decorations: decorations.map((decoration) => ({ ...decoration, outline: svgPath(decoration.points) })),
    lines: look.edgeLines(board).map((line) => ({ ...line, outline: svgPath(line.points, false) })),
    labels,
    box: boundingBox([
      ...cells.flatMap((cell) => cell.polygons.flat()),
      ...decorations.flatMap(({ points }) => points),
      ...labels.flatMap(({ at, size }) => [add(at, [size, size]), subtract(at, [size, size])]),
    ]),
  };
}

function drawnCell(cell: MapCell): DrawnCell {
  const outline = cell.polygons.map((points) => svgPath(points)).join("");
  return { ...cell, outline, centre: spotCentre(cell.spots[0]!) };
}

/** Return where to write on a spot: inside its part, where the cell is cut. */
export function spotCentre({ centre, room, sector }: PieceSpot): Point {
  if (!sector) return centre;
  const [start, end] = [normalise(sector[0]), normalise(sector[1])];
  let between = add(start, end);
  if (norm(between) < 1e-6) between = [start[1], -start[0]];
  if (start[0] * end[1] - start[1] * end[0] > 1e-6) between = scale(between, -1);
  return add(centre, normalise(between), 0.5 * room);
}

/** Return the path of a star with four points on the stone of a spot. */
export function starPath(spot: PieceSpot): string {
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

function boundingBox(points: Point[]): MapLayout["box"] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return { x, y, width: Math.max(...xs) + MARGIN - x, height: Math.max(...ys) + MARGIN - y };
}

const layouts = new WeakMap<BoardView, MapLayout>();

/** Return the map of a board; it is computed once. */
export function mapLayout(board: BoardView): MapLayout {
  const layout = layouts.get(board) ?? buildMapLayout(board);
  layouts.set(board, layout);
  return layout;
}
