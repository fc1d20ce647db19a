/** The look of a flat board: every cell as the server describes it, on a slab. The looks of solids extend it. */
import type { BoardView, Cell, Point3 } from "../../api/types";
import { polygonSides } from "../geometry2d";
import { add3, cross3, distanceToSegment3, lerp3, normalise3, subtract3, type Triangle } from "../geometry3d";
import type { BoardLook, CameraLimits } from "./BoardLook";

const FLAT_LIMITS: CameraLimits = { tilt: [18, 89], turn: 80 };
export const SOLID_LIMITS: CameraLimits = { tilt: [-89, 89], turn: null };

export const plainLook: BoardLook = {
  form: "flat",
  cameraLimits: FLAT_LIMITS,
  hasOpposingSides: false,
  groundOffset: 0.01,
  placement: (_, cell) => ({ normal: meanNormal(cell), folded: false }),
  tileTriangles: (_, cell, inset) => fanTriangles(cell.centre, insetOutline(cell, inset)),
  bandTriangles: (board, cell, outer, inner) =>
    joinRims(plainLook.tileTriangles(board, cell, outer), plainLook.tileTriangles(board, cell, inner)),
  vertexNormals: () => null,
  faceLetters: () => [],
};

/** Return the radius of the largest circle inside a cell about its centre. */
export function cellRadius(cell: Cell): number {
  return Math.min(...polygonSides(cell.outline).map(([start, end]) => distanceToSegment3(cell.centre, start, end)));
}

/** The outline of a cell moved towards its centre; `inset` is the width that this removes at the nearest side. */
export function insetOutline(cell: Cell, inset: number): Point3[] {
  const share = insetShare(cell, inset);
  return cell.outline.map((point) => lerp3(cell.centre, point, share));
}

export const insetShare = (cell: Cell, inset: number): number => 1 - inset / cellRadius(cell);

export function fanTriangles(centre: Point3, outline: readonly Point3[]): Triangle[] {
  return polygonSides(outline).map(([start, end]) => [centre, start, end]);
}

/** The area between two triangulations that correspond to each other. */
export function joinRims(rim: readonly Triangle[], hole: readonly Triangle[]): Triangle[] {
  return rim.flatMap(([, start, end], index): Triangle[] => {
    const [, from, to] = hole[index]!;
    return [
      [start, end, to],
      [start, to, from],
    ];
  });
}

/** The normals of the triangles between the centre of a cell and its sides. */
export function sideNormals(cell: Cell): Point3[] {
  return polygonSides(cell.outline).map(([start, end]) =>
    normalise3(cross3(subtract3(start, cell.centre), subtract3(end, cell.centre))),
  );
}

const meanNormal = (cell: Cell): Point3 => sumOf(sideNormals(cell));

export const sumOf = (normals: readonly Point3[]): Point3 => normalise3(normals.reduce(add3, [0, 0, 0]));

export const boardSize = (board: BoardView): number => board.size[0]!;
