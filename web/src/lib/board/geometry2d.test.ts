import { describe, expect, it } from "vitest";
import type { Point } from "../api/types";
import { distanceTo, hull, inside, path, sector, sidesOf, widened } from "./geometry2d";

const SQUARE: Point[] = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
];

const area = (polygon: readonly Point[]): number =>
  sidesOf(polygon).reduce((sum, [a, b]) => sum + (a[0] * b[1] - b[0] * a[1]) / 2, 0);

it("sides pair each corner with the next, and the last with the first", () => {
  expect(sidesOf(["a", "b", "c"])).toEqual([
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
  ]);
});

it("the distance is to the nearest point of a side, not to its line", () => {
  expect(distanceTo([1, 1], sidesOf(SQUARE))).toBeCloseTo(1);
  expect(distanceTo([5, 6], sidesOf(SQUARE))).toBeCloseTo(5);
});

it("a path lists its corners and closes unless it is open", () => {
  expect(path(SQUARE)).toBe("M0 0L2 0L2 2L0 2Z");
  expect(path([[0.12345, -1]], false)).toBe("M0.123 -1");
});

describe("a sector", () => {
  it("takes the small arc for a quarter", () => {
    const [east, north]: [Point, Point] = [
      [1, 0],
      [0, -1],
    ];
    expect(sector([0, 0], 1, [east, north])).toBe("M0 0L1 0A1 1 0 0 0 0 -1Z");
    expect(sector([0, 0], 1, [north, east])).toContain("A1 1 0 1 0");
  });
});

describe("a convex hull", () => {
  const points: Point[] = [...SQUARE, [1, 1], [1, 0], [0.5, 1.5]];
  it("leaves out points inside and on its sides", () => {
    expect(hull(points)).toHaveLength(4);
    expect(area(hull(points))).toBeCloseTo(4);
  });
  it("grows by the margin on every side", () => {
    expect(area(widened(hull(points), 0.5))).toBeCloseTo(9);
  });
  it("cuts a polygon to the part inside", () => {
    const large: Point[] = [
      [1, 1],
      [9, 1],
      [9, 9],
      [1, 9],
    ];
    expect(area(inside(large, hull(points)))).toBeCloseTo(1);
  });
});
