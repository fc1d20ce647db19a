import { describe, expect, it } from "vitest";
import {
  EMPTY_SELECTION,
  guessIntendedMove,
  moveKind,
  movesWithoutCells,
  selectableCells,
  selectCell,
} from "./moveSelection";

const CELLS = {
  "b2-c3": ["b2", "c3"],
  "b2=c3": ["b2", "c3"],
  "b2-a3": ["b2", "a3"],
  "d6-off": ["d6"],
  "e1-f2": ["e1", "f2"],
  swap: [],
};
const LEGAL = ["b2-c3", "b2=c3", "b2-a3", "d6-off", "swap"];

describe("the cells that may be chosen", () => {
  it("are the first cells of legal moves at first", () => {
    expect(selectableCells(LEGAL, CELLS, [])).toEqual(new Set(["b2", "d6"]));
  });
  it("are the next cells of the moves that begin with the chosen ones", () => {
    expect(selectableCells(LEGAL, CELLS, ["b2"])).toEqual(new Set(["c3", "a3"]));
  });
});

describe("choosing a cell", () => {
  it("completes a move that names one cell", () => {
    expect(selectCell(LEGAL, CELLS, EMPTY_SELECTION, "d6")).toEqual({ selected: ["d6"], options: [], move: "d6-off" });
  });
  it("asks for the second cell of a move that names two", () => {
    expect(selectCell(LEGAL, CELLS, EMPTY_SELECTION, "b2")).toEqual({ selected: ["b2"], options: [], move: null });
  });
  it("options the moves between which the cells do not decide", () => {
    const first = selectCell(LEGAL, CELLS, EMPTY_SELECTION, "b2")!;
    expect(selectCell(LEGAL, CELLS, first, "c3")).toEqual({
      selected: ["b2", "c3"],
      options: ["b2-c3", "b2=c3"],
      move: null,
    });
  });
  it("begins anew with a cell that begins another move", () => {
    const first = selectCell(LEGAL, CELLS, EMPTY_SELECTION, "b2")!;
    expect(selectCell(LEGAL, CELLS, first, "d6")?.move).toBe("d6-off");
  });
  it("takes a choice back when its last cell is chosen again", () => {
    const first = selectCell(LEGAL, CELLS, EMPTY_SELECTION, "b2")!;
    expect(selectCell(LEGAL, CELLS, first, "b2")).toBe(EMPTY_SELECTION);
  });
  it("returns null when no legal move has the cell", () => {
    expect(selectCell(LEGAL, CELLS, EMPTY_SELECTION, "e1")).toBeNull();
  });
});

it("moves that name no cell are listed apart", () => {
  expect(movesWithoutCells(LEGAL, CELLS)).toEqual(["swap"]);
});

it("the kind of a move is its text with a star for each cell", () => {
  expect([moveKind("b2=c3", CELLS), moveKind("d6-off", CELLS), moveKind("swap", CELLS)]).toEqual(["*=*", "*-off", "swap"]);
});

it("a cell without a legal move stands for a move of a kind that is legal elsewhere", () => {
  expect(guessIntendedMove(LEGAL, CELLS, [], "e1")).toBe("e1-f2");
  expect(guessIntendedMove(["d6-off"], CELLS, [], "b2")).toBe("b2-c3");
  expect(guessIntendedMove(LEGAL, CELLS, [], "h8")).toBeNull();
});
