/**
 * Everything in three dimensions that depends on the kind of a board. It is plain data, so that no look needs three.js; the
 * server sends the flat map as it is drawn.
 */
import type { BoardView, Cell, Point3 } from "../../api/types";
import type { Triangle } from "../geometry3d";

/** How pieces stand on a cell in three dimensions. */
export interface Placement {
  normal: Point3;
  /** Whether the cell is folded over an edge or a corner. */
  folded: boolean;
}

/** A large letter on a face of a solid. */
export interface FaceLetter {
  text: string;
  centre: Point3;
  normal: Point3;
  up: Point3;
  size: number;
}

/** How far a board can be turned, in degrees. */
export interface CameraLimits {
  tilt: [number, number];
  /** To either side; all round where it is null. */
  turn: number | null;
}

export interface BoardLook {
  /** A solid is seen from all sides; a flat board lies on a slab and is seen from above. */
  readonly form: "solid" | "flat";
  readonly cameraLimits: CameraLimits;
  /** Whether the players sit on opposite sides: the second one sees the board from the other side. */
  readonly hasOpposingSides: boolean;
  /** How far the surface under the tiles is shifted down, so that it does not show through them. */
  readonly groundOffset: number;
  placement(board: BoardView, cell: Cell): Placement;
  /** The cell as triangles, drawn in towards its centre by a width. */
  tileTriangles(board: BoardView, cell: Cell, inset: number): Triangle[];
  /** A band inside the outline of the cell, from one inset to another. */
  bandTriangles(board: BoardView, cell: Cell, outer: number, inner: number): Triangle[];
  /** Normals of the corners of all triangles; null where each triangle is flat. */
  vertexNormals(triangles: readonly Triangle[]): Point3[] | null;
  faceLetters(board: BoardView): FaceLetter[];
}
