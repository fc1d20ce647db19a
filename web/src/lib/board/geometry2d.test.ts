import { describe, expect, it } from "vitest";
import type { Point } from "../api/types";
import { clipPolygon, convexHull, distanceToSegments, offsetPolygon, polygonSides, svgPath, svgSector } from "./geometry2d";

const SQUARE: Point[] = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
];

const area = (polygon: readonly Point[]): number =>
  polygonSides(polygon).reduce((sum, [a, b]) => sum + (a[0] * b[1] - b[0] * a[1]) / 2, 0);

it("sides pair each corner with the next, and the last with the first", () => {
  expect(polygonSides(["a", "b", "c"])).toEqual([
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
  ]);
});

it("the distance is to the nearest point of a side, not to its line", () => {
  expect(distanceToSegments([1, 1], polygonSides(SQUARE))).toBeCloseTo(1);
  expect(distanceToSegments([5, 6], polygonSides(SQUARE))).toBeCloseTo(5);
});

it("a path lists its corners and closes unless it is open", () => {
  expect(svgPath(SQUARE)).toBe("M0 0L2 0L2 2L0 2Z");
  expect(svgPath([[0.12345, -1]], false)).toBe("M0.123 -1");
});

describe("a sector", () => {
  it("takes the small arc for a quarter", () => {
    const [east, north]: [Point, Point] = [
      [1, 0],
      [0, -1],
    ];
    expect(svgSector([0, 0], 1, [east, north])).toBe("M0 0L1 0A1 1 0 0 0 0 -1Z");
    expect(svgSector([0, 0], 1, [north, east])).toContain("A1 1 0 1 0");
  });
});

describe("a convex hull", () => {
  const points: Point[] = [...SQUARE, [1, 1], [1, 0], [0.5, 1.5]];
  it("leaves out points inside and on its sides", () => {
    expect(convexHull(points)).toHaveLength(4);
    expect(area(convexHull(points))).toBeCloseTo(4);
  });
  it("grows by the margin on every side", () => {
    expect(area(offsetPolygon(convexHull(points), 0.5))).toBeCloseTo(9);
  });
  it("cuts a polygon to the part inside", () => {
    const large: Point[] = [
      [1, 1],
      [9, 1],
      [9, 9],
      [1, 9],
    ];
    expect(area(clipPolygon(large, convexHull(points)))).toBeCloseTo(1);
  });
});
