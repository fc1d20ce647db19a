/** Plane geometry of the flat map; y grows downward. */
import type { Point } from "../api/types";

export const add = (a: Point, b: Point, share = 1): Point => [a[0] + share * b[0], a[1] + share * b[1]];

/** Pairs of neighbouring corners, the last with the first. */
export function polygonSides<T>(points: readonly T[]): [T, T][] {
  return points.map((point, index) => [point, points[(index + 1) % points.length]!]);
}

const digits = (value: number): string => String(Math.round(value * 1000) / 1000);

/** A polygon as the commands of a path. */
export function svgPath(points: readonly Point[], closed = true): string {
  return `M${points.map(([x, y]) => `${digits(x)} ${digits(y)}`).join("L")}${closed ? "Z" : ""}`;
}

/** The part of a disc from one direction to another, counter-clockwise for the eye; directions have length 1. */
export function svgSector(centre: Point, radius: number, { start, end }: { start: Point; end: Point }): string {
  const whole = 2 * Math.PI;
  const turn = (Math.atan2(-end[1], end[0]) - Math.atan2(-start[1], start[0]) + 2 * whole) % whole;
  const large = turn > Math.PI + 1e-2 ? 1 : 0; // directions are rounded
  const at = (point: Point): string => `${digits(point[0])} ${digits(point[1])}`;
  const [first, last] = [add(centre, start, radius), add(centre, end, radius)];
  return `M${at(centre)}L${at(first)}A${digits(radius)} ${digits(radius)} 0 ${large} 0 ${at(last)}Z`;
}
