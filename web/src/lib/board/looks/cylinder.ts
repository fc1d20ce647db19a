/** A cylinder with a cap: its wall is round. */
import type { BoardView, Cell, Point3 } from "../../api/types";
import { polygonSides } from "../geometry2d";
import { lerp3, norm3, normalise3, type Triangle } from "../geometry3d";
import type { BoardLook } from "./BoardLook";
import { boardSize, insetOutline, insetShare, joinRims, plainLook, SOLID_LIMITS } from "./plain";

const PARTS = 4; // into which a side on the round wall is cut

export const cylinderLook: BoardLook = {
  ...plainLook,
  form: "solid",
  cameraLimits: SOLID_LIMITS,
  placement: (_, cell) => ({ normal: outwardNormal(cell.centre), folded: false }),
  tileTriangles,
  bandTriangles,
  vertexNormals: roundNormals,
};

const isOnCap = (point: Point3): boolean => point[2] > -1e-6;

const outwardNormal = (point: Point3): Point3 => (isOnCap(point) ? [0, 0, 1] : normalise3([point[0], point[1], 0]));

function tileTriangles(board: BoardView, cell: Cell, inset: number): Triangle[] {
  const outline = insetOutline(cell, inset);
  const radius = boardSize(board) + 0.5;
  return isOnCap(cell.centre)
    ? capTriangles(cell.centre, outline, radius * insetShare(cell, inset))
    : wallTriangles(cell.centre, outline, radius);
}

/** Flat, with arcs where a side follows the rim. */
function capTriangles(centre: Point3, outline: Point3[], radius: number): Triangle[] {
  return polygonSides(outline).flatMap(([start, end]) => {
    const onRim = [start, end].every((point) => Math.hypot(point[0], point[1]) > radius - 0.02);
    const rim = onRim && norm3(centre) > 0.1 ? rimArc(start, end) : [start, end];
    return rim.slice(1).map((point, index): Triangle => [centre, rim[index]!, point]);
  });
}

/** From one point of the rim to another; both ends stay exactly where they are. */
function rimArc(start: Point3, end: Point3): Point3[] {
  const [first, last] = [Math.hypot(start[0], start[1]), Math.hypot(end[0], end[1])];
  return [...Array(PARTS + 1).keys()].map((part) => {
    const share = part / PARTS;
    return toRadius(lerp3(start, end, share), first + share * (last - first));
  });
}

function toRadius(point: Point3, radius: number): Point3 {
  const factor = radius / Math.hypot(point[0], point[1]);
  return [point[0] * factor, point[1] * factor, point[2]];
}

/** Each triangle of the fan cut into small ones that follow the wall. */
function wallTriangles(centre: Point3, outline: Point3[], radius: number): Triangle[] {
  return polygonSides(outline).flatMap(([start, end]) => {
    const at = (row: number, column: number): Point3 => {
      if (row === 0) return toRadius(centre, radius);
      return toRadius(lerp3(centre, lerp3(start, end, column / row), row / PARTS), radius);
    };
    const found: Triangle[] = [];
    for (let row = 0; row < PARTS; row++) {
      for (let column = 0; column <= row; column++) {
        found.push([at(row, column), at(row + 1, column), at(row + 1, column + 1)]);
        if (column < row) found.push([at(row, column), at(row + 1, column + 1), at(row, column + 1)]);
      }
    }
    return found;
  });
}

function bandTriangles(board: BoardView, cell: Cell, outer: number, inner: number): Triangle[] {
  const bands = joinRims(tileTriangles(board, cell, outer), tileTriangles(board, cell, inner));
  return isOnCap(cell.centre) ? bands : bands.filter((_, index) => isAtOutline(index));
}

/** Of the small triangles of a wall cell only the outermost row borders the outline. */
function isAtOutline(index: number): boolean {
  const inSide = Math.floor(index / 2) % (PARTS * PARTS);
  const first = (PARTS - 1) * (PARTS - 1);
  return inSide >= first && (inSide - first) % 2 === 0;
}

function roundNormals(triangles: readonly Triangle[]): Point3[] {
  return triangles.flatMap((triangle) => {
    const flat = triangle.every(isOnCap);
    return triangle.map((point): Point3 => (flat ? [0, 0, 1] : normalise3([point[0], point[1], 0])));
  });
}
