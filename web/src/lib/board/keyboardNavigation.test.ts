import { describe, expect, it } from "vitest";
import boards from "../../../fixtures/boards.json";
import type { BoardView, Point } from "../api/types";
import { ARROW_DIRECTIONS, nextCellInDirection } from "./keyboardNavigation";
import { mapCells } from "./map/mapCells";

const GRID = new Map<string, Point>(
  [0, 1, 2].flatMap((x) => [0, 1, 2].map((y): [string, Point] => [`${"abc"[x]}${y + 1}`, [x, -y]])),
);
const go = (key: string, from: string): string | null => nextCellInDirection(ARROW_DIRECTIONS[key]!, GRID.get(from)!, GRID);

it("an arrow goes to the neighbour in its direction", () => {
  expect(go("ArrowRight", "a1")).toBe("b1");
  expect(go("ArrowUp", "a1")).toBe("a2");
  expect(go("ArrowDown", "b2")).toBe("b1");
  expect(go("ArrowLeft", "b2")).toBe("a2");
});

it("an arrow goes nowhere at the border", () => {
  expect(go("ArrowLeft", "a1")).toBeNull();
  expect(go("ArrowDown", "a1")).toBeNull();
});

it("a nearer cell that lies aside is preferred to one far ahead", () => {
  const places = new Map<string, Point>([
    ["aside", [1, 0.5]],
    ["far", [5, 0]],
    ["behind", [-1, 0]],
  ]);
  expect(nextCellInDirection([1, 0], [0, 0], places)).toBe("aside");
});

describe.each(Object.entries(boards))("on the map of %s", (_, { board }) => {
  it("arrows reach every cell from the first one", () => {
    const cells = mapCells(board as unknown as BoardView);
    const places = new Map([...cells].map(([name, { centre }]) => [name, centre]));
    const reached = new Set([board.cells[0]!.name]);
    for (const name of reached) {
      for (const direction of Object.values(ARROW_DIRECTIONS)) {
        const next = nextCellInDirection(direction, places.get(name)!, places);
        if (next) reached.add(next);
      }
    }
    expect(reached.size).toBe(cells.size);
  });
});
