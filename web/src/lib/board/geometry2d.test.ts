import { describe, expect, it } from "vitest";
import type { Point } from "../api/types";
import { polygonSides, svgPath, svgSector } from "./geometry2d";

const SQUARE: Point[] = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
];

it("sides pair each corner with the next, and the last with the first", () => {
  expect(polygonSides(["a", "b", "c"])).toEqual([
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
  ]);
});

it("a path lists its corners and closes unless it is open", () => {
  expect(svgPath(SQUARE)).toBe("M0 0L2 0L2 2L0 2Z");
  expect(svgPath([[0.12345, -1]], false)).toBe("M0.123 -1");
});

describe("a sector", () => {
  const [east, north, west]: [Point, Point, Point] = [
    [1, 0],
    [0, -1],
    [-1, 0],
  ];
  it("takes the small arc for a quarter and for a half, and the large one for more", () => {
    expect(svgSector([0, 0], 1, { start: east, end: north })).toBe("M0 0L1 0A1 1 0 0 0 0 -1Z");
    expect(svgSector([0, 0], 1, { start: east, end: west })).toContain("A1 1 0 0 0");
    expect(svgSector([0, 0], 1, { start: north, end: east })).toContain("A1 1 0 1 0");
  });
});
