/** The cells of a board in space: tiles with grooves between them, in one mesh whose triangles know their cells. */
import { BufferAttribute, BufferGeometry, Vector3 } from "three";
import type { BoardView, Cell } from "../../api/types";
import { polygonSides } from "../geometry2d";

const GROOVE = 0.022; // the width of half a groove
const FINE = 4; // into how many parts a side on a round wall is cut

export interface Place {
  name: string;
  centre: Vector3;
  normal: Vector3;
  /** The radius of a piece that fits. */
  room: number;
  /** Whether the cell is folded over an edge or a corner. */
  folded: boolean;
}

type Triangle = [Vector3, Vector3, Vector3];

const vector = (point: readonly number[]): Vector3 => new Vector3(point[0], point[1], point[2]);

/** Where pieces stand on a cell. */
export function placeOf(board: BoardView, cell: Cell): Place {
  const centre = vector(cell.centre);
  const normals = board.kind === "cylinder" ? [outward(centre)] : normalsOf(cell);
  const normal = normals.reduce((sum, each) => sum.add(each), new Vector3()).normalize();
  const folded = normals.some((each) => each.distanceTo(normals[0]!) > 0.01) && board.kind === "cube";
  return { name: cell.name, centre, normal: board.kind === "cube" ? foldNormal(cell) : normal, room: roomOf(cell), folded };
}

const isOnCap = (point: Vector3): boolean => point.z > -1e-6;

function outward(point: Vector3): Vector3 {
  return isOnCap(point) ? new Vector3(0, 0, 1) : new Vector3(point.x, point.y, 0).normalize();
}

function normalsOf(cell: Cell): Vector3[] {
  const centre = vector(cell.centre);
  return polygonSides(cell.outline).map(([start, end]) =>
    vector(start).sub(centre).cross(vector(end).sub(centre)).normalize(),
  );
}

/** Between the faces of a folded cell, each counted once. */
function foldNormal(cell: Cell): Vector3 {
  const faces = new Map(normalsOf(cell).map((normal) => [normal.toArray().map(Math.round).join(), normal]));
  return [...faces.values()].reduce((sum, each) => sum.add(each), new Vector3()).normalize();
}

function roomOf(cell: Cell): number {
  const centre = vector(cell.centre);
  const distances = polygonSides(cell.outline).map(([from, to]) => {
    const [start, end] = [vector(from), vector(to)];
    const along = end.clone().sub(start);
    const share = centre.clone().sub(start).dot(along) / along.lengthSq();
    return start.addScaledVector(along, Math.min(1, Math.max(0, share))).distanceTo(centre);
  });
  return Math.min(...distances);
}

/** A cell as triangles, drawn in towards its centre by a width; round where the wall is. */
export function trianglesOf(board: BoardView, cell: Cell, inset = 0): Triangle[] {
  const centre = vector(cell.centre);
  const share = 1 - inset / roomOf(cell);
  const outline = cell.outline.map((point) => centre.clone().lerp(vector(point), share));
  if (board.kind !== "cylinder") return polygonSides(outline).map(([start, end]) => [centre, start, end]);
  const radius = board.size[0]! + 0.5;
  return isOnCap(centre) ? capTriangles(centre, outline, radius * share) : wallTriangles(centre, outline, radius);
}

/** Flat, with arcs where a side follows the rim. */
function capTriangles(centre: Vector3, outline: Vector3[], radius: number): Triangle[] {
  return polygonSides(outline).flatMap(([start, end]) => {
    const onRim = [start, end].every((point) => Math.hypot(point.x, point.y) > radius - 0.02);
    const rim = onRim && centre.length() > 0.1 ? arc(start, end) : [start, end];
    return rim.slice(1).map((point, index): Triangle => [centre, rim[index]!, point]);
  });
}

/** From one point of the rim to another; both ends stay exactly where they are. */
function arc(start: Vector3, end: Vector3): Vector3[] {
  const [first, last] = [Math.hypot(start.x, start.y), Math.hypot(end.x, end.y)];
  return [...Array(FINE + 1).keys()].map((part) => {
    const share = part / FINE;
    return onWall(start.clone().lerp(end, share), first + share * (last - first));
  });
}

function onWall(point: Vector3, radius: number): Vector3 {
  const scale = radius / Math.hypot(point.x, point.y);
  return new Vector3(point.x * scale, point.y * scale, point.z);
}

/** Each triangle of the fan cut into small ones that follow the wall. */
function wallTriangles(centre: Vector3, outline: Vector3[], radius: number): Triangle[] {
  return polygonSides(outline).flatMap(([start, end]) => {
    const at = (row: number, column: number): Vector3 => {
      if (row === 0) return onWall(centre, radius);
      const rim = start.clone().lerp(end, column / row);
      return onWall(centre.clone().lerp(rim, row / FINE), radius);
    };
    const found: Triangle[] = [];
    for (let row = 0; row < FINE; row++) {
      for (let column = 0; column <= row; column++) {
        found.push([at(row, column), at(row + 1, column), at(row + 1, column + 1)]);
        if (column < row) found.push([at(row, column), at(row + 1, column + 1), at(row, column + 1)]);
      }
    }
    return found;
  });
}

export interface Surface {
  tiles: BufferGeometry;
  ground: BufferGeometry;
  /** The cell of each triangle of the tiles. */
  cellOf: number[];
  /** Of each cell, the range of its vertices. */
  vertices: [number, number][];
}

export function surfaceOf(board: BoardView): Surface {
  const cellOf: number[] = [];
  const vertices: [number, number][] = [];
  const tiles: Triangle[] = [];
  board.cells.forEach((cell, number) => {
    const found = trianglesOf(board, cell, GROOVE);
    vertices.push([3 * tiles.length, 3 * (tiles.length + found.length)]);
    cellOf.push(...found.map(() => number));
    tiles.push(...found);
  });
  const ground = board.cells.flatMap((cell) => trianglesOf(board, cell));
  return { tiles: geometryOf(board, tiles), ground: geometryOf(board, ground), cellOf, vertices };
}

/** A band inside a cell's outline, from one inset to another. */
export function bandOf(board: BoardView, cell: Cell, outer: number, inner: number): BufferGeometry {
  const [rim, hole] = [trianglesOf(board, cell, outer), trianglesOf(board, cell, inner)];
  const bands = rim.flatMap(([, start, end], index): Triangle[] => {
    const [, from, to] = hole[index]!;
    return [
      [start, end, to],
      [start, to, from],
    ];
  });
  const last = board.kind === "cylinder" && !isOnCap(vector(cell.centre)) ? bands.filter((_, index) => isRim(index)) : bands;
  return geometryOf(board, last);
}

/** Of the small triangles of a wall cell only the outermost row borders the outline. */
function isRim(index: number): boolean {
  const perSide = FINE * FINE;
  const inSide = Math.floor(index / 2) % perSide;
  return inSide >= (FINE - 1) * (FINE - 1) && (inSide - (FINE - 1) * (FINE - 1)) % 2 === 0;
}

export function geometryOf(board: BoardView, triangles: Triangle[]): BufferGeometry {
  const positions = new Float32Array(triangles.flatMap((triangle) => triangle.flatMap((point) => point.toArray())));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  if (board.kind === "cylinder") geometry.setAttribute("normal", new BufferAttribute(roundNormals(triangles), 3));
  else geometry.computeVertexNormals();
  return geometry;
}

function roundNormals(triangles: Triangle[]): Float32Array {
  return new Float32Array(
    triangles.flatMap((triangle) => {
      const flat = triangle.every(isOnCap);
      return triangle.flatMap((point) => (flat ? [0, 0, 1] : new Vector3(point.x, point.y, 0).normalize().toArray()));
    }),
  );
}
