import { describe, expect, it } from "vitest";
import boards from "../../../../fixtures/boards.json";
import type { BoardView } from "../../api/types";
import { norm3 } from "../geometry3d";
import { lookOf } from ".";
import { plainLook } from "./plain";

const BOARDS = Object.values(boards).map(({ board }) => board as unknown as BoardView);
/** All sources except this test, by path. */
const SOURCES = import.meta.glob<string>(["/src/**/*.ts", "/src/**/*.svelte", "!/src/**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

it("only the table of looks asks for the look or the kind of a board", () => {
  const asking = Object.entries(SOURCES).filter(([, text]) => /board\.(look|kind)\b|views\.includes/.test(text));
  expect(Object.keys(SOURCES).length).toBeGreaterThan(50);
  expect(asking.map(([path]) => path)).toEqual(["/src/lib/board/looks/index.ts"]);
});

it("boards that lie on a slab have the plain look, and solids have none", () => {
  const flat = BOARDS.filter(({ slab_outline }) => slab_outline.length).map(lookOf);
  expect(flat.map((look) => ({ ...look, hasOpposingSides: false }))).toEqual([plainLook, plainLook, plainLook]);
  expect(flat.map(({ hasOpposingSides }) => hasOpposingSides)).toEqual([false, false, true]);
  const solids = BOARDS.filter(({ slab_outline }) => !slab_outline.length);
  expect(solids.map((board) => lookOf(board).form)).toEqual(["solid", "solid"]);
});

describe.each(BOARDS.map((board) => [board.look, board] as const))("the look of a %s", (name, board) => {
  const look = lookOf(board);

  it("stands pieces upright on every cell, outwards on a solid", () => {
    for (const cell of board.cells) {
      const { normal } = look.placement(board, cell);
      expect(norm3(normal)).toBeCloseTo(1);
      const outwards = cell.centre[0] * normal[0] + cell.centre[1] * normal[1] + cell.centre[2] * normal[2];
      if (look.form === "flat") expect(normal[2]).toBeCloseTo(1);
      else if (name === "cube") expect(outwards).toBeGreaterThan(0);
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
