import { describe, expect, it } from "vitest";
import { choosable, choose, kindOf, meant, NOTHING, wordMoves } from "./moveSelection";

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
    expect(choosable(LEGAL, CELLS, [])).toEqual(new Set(["b2", "d6"]));
  });
  it("are the next cells of the moves that begin with the chosen ones", () => {
    expect(choosable(LEGAL, CELLS, ["b2"])).toEqual(new Set(["c3", "a3"]));
  });
});

describe("choosing a cell", () => {
  it("completes a move that names one cell", () => {
    expect(choose(LEGAL, CELLS, NOTHING, "d6")).toEqual({ picked: ["d6"], offers: [], move: "d6-off" });
  });
  it("asks for the second cell of a move that names two", () => {
    expect(choose(LEGAL, CELLS, NOTHING, "b2")).toEqual({ picked: ["b2"], offers: [], move: null });
  });
  it("offers the moves between which the cells do not decide", () => {
    const first = choose(LEGAL, CELLS, NOTHING, "b2")!;
    expect(choose(LEGAL, CELLS, first, "c3")).toEqual({ picked: ["b2", "c3"], offers: ["b2-c3", "b2=c3"], move: null });
  });
  it("begins anew with a cell that begins another move", () => {
    const first = choose(LEGAL, CELLS, NOTHING, "b2")!;
    expect(choose(LEGAL, CELLS, first, "d6")?.move).toBe("d6-off");
  });
  it("takes a choice back when its last cell is chosen again", () => {
    const first = choose(LEGAL, CELLS, NOTHING, "b2")!;
    expect(choose(LEGAL, CELLS, first, "b2")).toBe(NOTHING);
  });
  it("returns null when no legal move has the cell", () => {
    expect(choose(LEGAL, CELLS, NOTHING, "e1")).toBeNull();
  });
});

it("moves that name no cell are listed apart", () => {
  expect(wordMoves(LEGAL, CELLS)).toEqual(["swap"]);
});

it("the kind of a move is its text with a star for each cell", () => {
  expect([kindOf("b2=c3", CELLS), kindOf("d6-off", CELLS), kindOf("swap", CELLS)]).toEqual(["*=*", "*-off", "swap"]);
});

it("a cell without a legal move stands for a move of a kind that is legal elsewhere", () => {
  expect(meant(LEGAL, CELLS, [], "e1")).toBe("e1-f2");
  expect(meant(["d6-off"], CELLS, [], "b2")).toBe("b2-c3");
  expect(meant(LEGAL, CELLS, [], "h8")).toBeNull();
});
