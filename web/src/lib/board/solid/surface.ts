/** The cells of a board in three dimensions: tiles with grooves between them, in one mesh whose triangles know their cells. */
import { BufferAttribute, BufferGeometry, Vector3 } from "three";
import type { BoardView, Cell } from "../../api/types";
import type { Triangle } from "../geometry3d";
import { lookOf } from "../looks";
import { cellRadius } from "../looks/plain";

const GROOVE = 0.022; // the width of half a groove

/** Where pieces stand on a cell. */
export interface CellPlace {
  name: string;
  centre: Vector3;
  normal: Vector3;
  /** The radius of a piece that fits. */
  room: number;
  /** Whether the cell is folded over an edge or a corner. */
  folded: boolean;
}

export function placeOf(board: BoardView, cell: Cell): CellPlace {
  const { normal, folded } = lookOf(board).placement(board, cell);
  const [centre, upright] = [new Vector3(...cell.centre), new Vector3(...normal)];
  return { name: cell.name, centre, normal: upright, room: cellRadius(cell), folded };
}

export interface Surface {
  tiles: BufferGeometry;
  /** The whole surface, which shows in the grooves. */
  ground: BufferGeometry;
  /** The cell of each triangle of the tiles. */
  cellOf: number[];
  /** Of each cell, the range of its vertices. */
  vertices: [number, number][];
}

export function buildSurface(board: BoardView): Surface {
  const look = lookOf(board);
  const cellOf: number[] = [];
  const vertices: [number, number][] = [];
  const tiles: Triangle[] = [];
  board.cells.forEach((cell, number) => {
    const triangles = look.tileTriangles(board, cell, GROOVE);
    vertices.push([3 * tiles.length, 3 * (tiles.length + triangles.length)]);
    cellOf.push(...triangles.map(() => number));
    tiles.push(...triangles);
  });
  const ground = board.cells.flatMap((cell) => look.tileTriangles(board, cell, 0));
  return { tiles: buildGeometry(board, tiles), ground: buildGeometry(board, ground), cellOf, vertices };
}

/** A band inside a cell's outline, from one inset to another. */
export function buildBand(board: BoardView, cell: Cell, outer: number, inner: number): BufferGeometry {
  return buildGeometry(board, lookOf(board).bandTriangles(board, cell, outer, inner));
}

function buildGeometry(board: BoardView, triangles: Triangle[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(triangles.flat(2)), 3));
  const normals = lookOf(board).vertexNormals(triangles);
  if (normals) geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals.flat()), 3));
  else geometry.computeVertexNormals();
  return geometry;
}
