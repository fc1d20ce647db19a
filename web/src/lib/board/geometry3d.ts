/** Vectors of three dimensions as plain tuples; z grows upward. */
import type { Point3 } from "../api/types";

export type Triangle = readonly [Point3, Point3, Point3];

export const add3 = (a: Point3, b: Point3): Point3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract3 = (a: Point3, b: Point3): Point3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const norm3 = (a: Point3): number => Math.hypot(a[0], a[1], a[2]);
export const lerp3 = (a: Point3, b: Point3, share: number): Point3 => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];
const dot3 = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export function normalise3(a: Point3): Point3 {
  const length = norm3(a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

export const cross3 = (a: Point3, b: Point3): Point3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Return the distance of a point from a line segment. */
export function distanceToSegment3(point: Point3, start: Point3, end: Point3): number {
  const along = subtract3(end, start);
  const share = dot3(subtract3(point, start), along) / dot3(along, along);
  return norm3(subtract3(lerp3(start, end, Math.min(1, Math.max(0, share))), point));
}
