/**
 * Everything that depends on the kind of a board: where its cells lie on the map, what is drawn round them, and its surface
 * in three dimensions. It is plain data, so that the map needs no three.js.
 */
import type { BoardView, Cell, Piece, Point, Point3 } from "../../api/types";
import type { Triangle } from "../geometry3d";

/** A place for pieces on the map; where the map cuts a cell, one for each part, between two directions. */
export interface PieceSpot {
  centre: Point;
  /** The distance from the centre to the outline of the cell. */
  room: number;
  sector: [Point, Point] | null;
}

export interface MapCell {
  name: string;
  role: string;
  polygons: Point[][];
  spots: PieceSpot[];
}

export interface MapLabel {
  text: string;
  at: Point;
  size: number;
  kind: "margin" | "watermark" | "cell";
}

/** An area beside or between the cells. */
export interface MapDecoration {
  role: string;
  points: Point[];
}

/** A line along the border of a face: a fold where another face joins, an edge where the map ends. */
export interface EdgeLine {
  kind: "edge" | "fold";
  points: [Point, Point];
}

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
  /** The kind of piece that stands for a player. */
  readonly playerPiece: Piece["kind"];
  /** Whether cells with a piece are tinted in its colour. */
  readonly tintsClaimedCells: boolean;
  /** How far the surface under the tiles is shifted down, so that it does not show through them. */
  readonly groundOffset: number;
  mapCells(board: BoardView): MapCell[];
  decorations(board: BoardView, cells: readonly MapCell[]): MapDecoration[];
  edgeLines(board: BoardView): EdgeLine[];
  labels(board: BoardView, cells: readonly MapCell[]): MapLabel[];
  placement(board: BoardView, cell: Cell): Placement;
  /** The cell as triangles, drawn in towards its centre by a width. */
  tileTriangles(board: BoardView, cell: Cell, inset: number): Triangle[];
  /** A band inside the outline of the cell, from one inset to another. */
  bandTriangles(board: BoardView, cell: Cell, outer: number, inner: number): Triangle[];
  /** Normals of the corners of all triangles; null where each triangle is flat. */
  vertexNormals(triangles: readonly Triangle[]): Point3[] | null;
  faceLetters(board: BoardView): FaceLetter[];
}
