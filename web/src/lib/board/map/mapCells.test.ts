import { describe, expect, it } from "vitest";
import boards from "../../../../fixtures/boards.json";
import type { BoardView, MapPlacement } from "../../api/types";
import { fontSize, mapCells, mapGround, starPath, targetMarkup, textCentre } from "./mapCells";

describe.each(Object.entries(boards))("the map of %s", (_, fixture) => {
  const board = fixture.board as unknown as BoardView;
  const cells = mapCells(board);

  it("has every cell once, in the order of the board", () => {
    expect([...cells.keys()]).toEqual(board.cells.map(({ name }) => name));
    expect(mapCells(board)).toBe(cells);
  });

  it("draws every polygon, and leaves only the cuts out of the rim", () => {
    for (const [index, { outline, rim, placements }] of [...cells.values()].entries()) {
      expect(outline.match(/M/g)).toHaveLength(board.map.cells[index]!.polygons.length);
      if (placements.some(({ sector }) => sector)) expect(rim).not.toContain("Z");
      else expect(rim).toBe(outline);
    }
  });

  it("draws what is painted alike as one path", () => {
    const ground = mapGround(board);
    const kinds = ground.map(({ className }) => className);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.length).toBeLessThan(8);
    const drawn = ground
      .filter(({ className }) => className.startsWith("cell "))
      .map(({ d }) => d)
      .join("");
    const polygons = board.map.cells.reduce((sum, each) => sum + each.polygons.length, 0);
    expect(drawn.match(/M/g)).toHaveLength(polygons);
    expect(mapGround(board)).toBe(ground);
  });

  it("lets no two cells have the same centre", () => {
    expect(new Set([...cells.values()].map(({ centre }) => centre.join())).size).toBe(cells.size);
  });
});

it("the markup of targets names every cell, whatever its name is", () => {
  const board = boards["tether-5"].board as unknown as BoardView;
  expect(targetMarkup(board).match(/data-cell="/g)).toHaveLength(board.cells.length);
  const odd = { ...board, cells: board.cells.map((cell, index) => (index ? cell : { ...cell, name: 'a"&<1' })) };
  expect(targetMarkup(odd)).toContain('data-cell="a&quot;&amp;<1"');
});

it("text is written inside the visible part of a cut cell", () => {
  const whole: MapPlacement = { centre: [1, 2], max_radius: 0.5, sector: null };
  expect(textCentre(whole)).toEqual([1, 2]);
  expect(textCentre({ ...whole, sector: { start: [1, 0], end: [0, -1], middle: [1.2, 1.8] } })).toEqual([1.2, 1.8]);
});

it("a star has four points about the middle of a stone", () => {
  expect(starPath({ centre: [0, 0], max_radius: 1, sector: null })).toMatch(/^M0 -0\.48L.*L0\.48 0L.*Z$/);
});

it("a font is larger than its capitals", () => {
  expect(fontSize(0.36)).toBeCloseTo(0.5);
});
