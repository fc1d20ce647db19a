/** Plane geometry of the flat map; y grows downward. */
import type { Point } from "../api/types";

export const add = (a: Point, b: Point, share = 1): Point => [a[0] + share * b[0], a[1] + share * b[1]];
export const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
export const norm = (a: Point): number => Math.hypot(a[0], a[1]);
export const scale = (a: Point, by: number): Point => [a[0] * by, a[1] * by];
export const normalise = (a: Point): Point => scale(a, 1 / Math.max(norm(a), 1e-9));
const cross = (a: Point, b: Point): number => a[0] * b[1] - a[1] * b[0];

/** Pairs of neighbouring corners, the last with the first. */
export function polygonSides<T>(points: readonly T[]): [T, T][] {
  return points.map((point, index) => [point, points[(index + 1) % points.length]!]);
}

/** How far the nearest of these stretches lies. */
export function distanceToSegments(point: Point, stretches: readonly [Point, Point][]): number {
  return Math.min(
    ...stretches.map(([start, end]) => {
      const along = subtract(end, start);
      const way = subtract(point, start);
      const share = (way[0] * along[0] + way[1] * along[1]) / Math.max(along[0] ** 2 + along[1] ** 2, 1e-12);
      return norm(subtract(add(start, along, Math.min(1, Math.max(0, share))), point));
    }),
  );
}

const digits = (value: number): string => String(Math.round(value * 1000) / 1000);

/** A polygon as the commands of a path. */
export function svgPath(points: readonly Point[], closed = true): string {
  return `M${points.map(([x, y]) => `${digits(x)} ${digits(y)}`).join("L")}${closed ? "Z" : ""}`;
}

/** The part of a disc from one direction to another, counter-clockwise for the eye. */
export function svgSector(centre: Point, radius: number, [from, to]: [Point, Point]): string {
  const [first, last] = [from, to].map((way) => add(centre, normalise(way), radius)) as [Point, Point];
  const whole = 2 * Math.PI;
  const turn = (Math.atan2(-to[1], to[0]) - Math.atan2(-from[1], from[0]) + 2 * whole) % whole;
  const large = turn > Math.PI + 1e-6 ? 1 : 0;
  const at = (point: Point): string => `${digits(point[0])} ${digits(point[1])}`;
  return `M${at(centre)}L${at(first)}A${digits(radius)} ${digits(radius)} 0 ${large} 0 ${at(last)}Z`;
}

/** The smallest convex polygon round some points. */
export function convexHull(points: readonly Point[]): Point[] {
  const ordered = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...chain(ordered), ...chain(ordered.reverse())];
}

function chain(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    while (kept.length > 1 && cross(subtract(kept.at(-1)!, kept.at(-2)!), subtract(point, kept.at(-2)!)) <= 1e-9) kept.pop();
    kept.push(point);
  }
  return kept.slice(0, -1);
}

/** A convex polygon, as `hull` makes it, with all its sides moved outward. */
export function offsetPolygon(polygon: readonly Point[], margin: number): Point[] {
  const outward = polygonSides(polygon).map(([start, end]) => normalise([end[1] - start[1], start[0] - end[0]]));
  return polygon.map((point, index) => {
    const [before, after] = [outward.at(index - 1)!, outward[index]!];
    const turned = 1 + before[0] * after[0] + before[1] * after[1];
    return add(point, add(before, after), margin / turned);
  });
}

/** The part of a polygon inside a convex one, as `hull` makes it. */
export function clipPolygon(polygon: readonly Point[], frame: readonly Point[]): Point[] {
  return polygonSides(frame).reduce<Point[]>(
    (left, [start, end]) => clipped(left, start, subtract(end, start)),
    [...polygon],
  );
}

function clipped(polygon: readonly Point[], place: Point, along: Point): Point[] {
  const depth = (point: Point): number => cross(along, subtract(point, place));
  return polygonSides(polygon).flatMap(([point, next]) => {
    const [here, there] = [depth(point), depth(next)];
    const kept: Point[] = here >= 0 ? [point] : [];
    if (here >= 0 !== there >= 0) kept.push(add(point, subtract(next, point), here / (here - there)));
    return kept;
  });
}
