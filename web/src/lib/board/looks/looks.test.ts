import { describe, expect, it } from "vitest";
import boards from "../../../../fixtures/boards.json";
import type { BoardView, Point } from "../../api/types";
import { distanceToSegments, polygonSides } from "../geometry2d";
import { norm3 } from "../geometry3d";
import { mapLayout, spotCentre } from "../map/mapLayout";
import { STONE_FILL } from "../pieceStyle";
import { lookOf } from ".";
import { plainLook } from "./plain";

const BOARDS = Object.values(boards).map(({ board }) => board as unknown as BoardView);
const UNKNOWN = { ...BOARDS[0]!, kind: "torus" } as unknown as BoardView;
/** All sources except this test, by path. */
const SOURCES = import.meta.glob<string>(["/src/**/*.ts", "/src/**/*.svelte", "!/src/**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

function contains(polygon: readonly Point[], [x, y]: Point): boolean {
  const crossings = polygonSides(polygon).filter(
    ([a, b]) => a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0],
  );
  return crossings.length % 2 === 1;
}

it("only the table of looks asks for the kind of a board", () => {
  const asking = Object.entries(SOURCES).filter(([, text]) => /board\.kind|views\.includes/.test(text));
  expect(Object.keys(SOURCES).length).toBeGreaterThan(50);
  expect(asking.map(([path]) => path)).toEqual(["/src/lib/board/looks/index.ts"]);
});

it("a board of an unknown kind gets the plain look", () => {
  expect(lookOf(UNKNOWN)).toBe(plainLook);
  expect(BOARDS.map(lookOf)).not.toContain(plainLook);
});

describe.each([...BOARDS, UNKNOWN].map((board) => [board.kind, board] as const))("the look of a %s", (_, board) => {
  const look = lookOf(board);
  const layout = mapLayout(board);

  it("places every cell on the map once", () => {
    expect(layout.cells.map(({ name }) => name)).toEqual(board.cells.map(({ name }) => name));
  });

  it("keeps everything inside the box of the map", () => {
    const { x, y, width, height } = layout.box;
    const points = [
      ...layout.cells.flatMap(({ polygons }) => polygons.flat()),
      ...layout.decorations.flatMap(({ points }) => points),
      ...layout.labels.map(({ at }) => at),
      ...layout.lines.flatMap(({ points }) => points),
    ];
    const outside = points.filter(([px, py]) => px < x || px > x + width || py < y || py > y + height);
    expect(outside).toEqual([]);
  });

  it("keeps stones inside their cells", () => {
    for (const { polygons, spots } of layout.cells) {
      spots.forEach((spot, index) => {
        const polygon = polygons[index]!;
        expect(contains(polygon, spotCentre(spot))).toBe(true);
        if (!spot.sector) {
          const distance = distanceToSegments(spot.centre, polygonSides(polygon));
          expect(STONE_FILL * spot.room).toBeLessThan(distance);
        }
      });
    }
  });

  it("lets no two cells of the map have the same centre", () => {
    const centres = layout.cells.map(({ centre }) => centre.map((part) => part.toFixed(3)).join());
    expect(new Set(centres).size).toBe(centres.length);
  });

  it("stands pieces upright on every cell, outwards on a solid", () => {
    for (const cell of board.cells) {
      const { normal } = look.placement(board, cell);
      expect(norm3(normal)).toBeCloseTo(1);
      const outwards = cell.centre[0] * normal[0] + cell.centre[1] * normal[1] + cell.centre[2] * normal[2];
      if (look.form === "flat" && board.kind !== UNKNOWN.kind) expect(normal[2]).toBeCloseTo(1);
      else if (board.kind === "cube") expect(outwards).toBeGreaterThan(0);
      else expect(outwards).toBeGreaterThanOrEqual(-1e-9);
    }
  });

  it("covers cells with tiles and bands that leave nothing out", () => {
    for (const cell of board.cells) {
      const tiles = look.tileTriangles(board, cell, 0.02);
      expect(tiles.length).toBeGreaterThanOrEqual(cell.outline.length);
      expect(tiles.flat(2).every(Number.isFinite)).toBe(true);
      expect(look.bandTriangles(board, cell, 0.01, 0.1).length).toBeGreaterThanOrEqual(2 * cell.outline.length);
      const normals = look.vertexNormals(tiles);
      if (normals) expect(normals.length).toBe(3 * tiles.length);
    }
  });
});
