/** The cells of the flat map as SVG paths; the server has computed where everything lies. */
import type { BoardView, MapPlacement, MarkShape, Point } from "../../api/types";
import { svgPath } from "../geometry2d";
import { toClassName } from "../pieceStyle";

export interface DrawnCell {
  name: string;
  role: string;
  placements: readonly MapPlacement[];
  /** The polygons as one path. */
  outline: string;
  /** The outline of the cell without the lines along which the map cuts it. */
  rim: string;
  /** Where the cursor is for arrow keys. */
  centre: Point;
}

const CAPITAL_HEIGHT = 0.72; // of capitals in the fonts of the page, as a share of the font size

function buildCells(board: BoardView): ReadonlyMap<string, DrawnCell> {
  return new Map(
    board.cells.map(({ name, role }, index) => {
      const { polygons, placements } = board.map.cells[index]!;
      const outline = polygons.map((polygon) => svgPath(polygon)).join("");
      const rim = placements.some(({ sector }) => sector)
        ? polygons.map(([_, ...border]) => svgPath(border, false)).join("")
        : outline;
      return [name, { name, role, placements, outline, rim, centre: textCentre(placements[0]!) }];
    }),
  );
}

const known = new WeakMap<BoardView, ReadonlyMap<string, DrawnCell>>();

/** Return the cells of the map by name, in the order of the board; the paths are built once. */
export function mapCells(board: BoardView): ReadonlyMap<string, DrawnCell> {
  const cells = known.get(board) ?? buildCells(board);
  known.set(board, cells);
  return cells;
}

/** A path of the ground: everything on it that is painted alike. */
export interface GroundPath {
  className: string;
  d: string;
}

function buildGround(board: BoardView): readonly GroundPath[] {
  const { decorations, lines, outlined_cells } = board.map;
  const cells = mapCells(board);
  const paths = new Map<string, string[]>();
  const add = (className: string, d: string): void => {
    const parts = paths.get(className);
    if (parts) parts.push(d);
    else paths.set(className, [d]);
  };
  for (const { role, has_strong_line, polygon } of decorations)
    add(`decoration ${toClassName(role)}${has_strong_line ? " strong" : ""}`, svgPath(polygon));
  for (const { role, outline } of cells.values()) add(`cell ${toClassName(role)}`, outline);
  for (const { kind, points } of lines) add(`line ${kind}`, svgPath(points, false));
  for (const name of outlined_cells) add("outlined", cells.get(name)!.rim);
  return [...paths].map(([className, parts]) => ({ className, d: parts.join("") }));
}

const knownGrounds = new WeakMap<BoardView, readonly GroundPath[]>();

/** Return what lies under the pieces, from bottom to top: a board has hundreds of cells, but only a few kinds of them. */
export function mapGround(board: BoardView): readonly GroundPath[] {
  const ground = knownGrounds.get(board) ?? buildGround(board);
  knownGrounds.set(board, ground);
  return ground;
}

const escapeAttribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Return one path for each cell as markup, to be pointed at: a browser parses it faster than it creates elements one by one. */
export function targetMarkup(board: BoardView): string {
  const cells = [...mapCells(board).values()];
  return cells.map(({ name, outline }) => `<path data-cell="${escapeAttribute(name)}" d="${outline}"></path>`).join("");
}

/** Return where to write on a cell: inside its part, where the map cuts the cell. */
export const textCentre = ({ centre, sector }: MapPlacement): Point => sector?.middle ?? centre;

/** Return the font size of a text whose capitals have a height. */
export const fontSize = (height: number): number => height / CAPITAL_HEIGHT;

/** Return the path of a star with four points on the stone of a placement. */
export function starPath(placement: MapPlacement): string {
  const [x, y] = textCentre(placement);
  const long = (placement.sector ? 0.3 : 0.48) * placement.max_radius;
  const short = (placement.sector ? 0.1 : 0.15) * placement.max_radius;
  return svgPath([
    [x, y - long],
    [x + short, y - short],
    [x + long, y],
    [x + short, y + short],
    [x, y + long],
    [x - short, y + short],
    [x - long, y],
    [x - short, y - short],
  ]);
}

/** Return the outline of a mark on a cell. */
export function markPath(placement: MapPlacement, shape: MarkShape): string {
  const [x, y] = textCentre(placement);
  const r = (placement.sector ? 0.32 : 0.5) * placement.max_radius;
  if (shape === "circle") return `M${x - r} ${y}A${r} ${r} 0 1 0 ${x + r} ${y}A${r} ${r} 0 1 0 ${x - r} ${y}Z`;
  const s = 0.8 * r;
  if (shape === "cross") return `M${x - s} ${y - s}L${x + s} ${y + s}M${x - s} ${y + s}L${x + s} ${y - s}`;
  if (shape === "square") return `M${x - s} ${y - s}H${x + s}V${y + s}H${x - s}Z`;
  return `M${x} ${y - r}L${x + 0.87 * r} ${y + 0.5 * r}H${x - 0.87 * r}Z`;
}
