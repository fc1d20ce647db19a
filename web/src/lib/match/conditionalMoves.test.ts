import { expect, it } from "vitest";
import type { PlayedMoveView } from "../api/types";
import { addLine, remainingLines, trimToAnswer } from "./conditionalMoves";

const moves = (...played: [number, string][]): PlayedMoveView[] =>
  played.map(([seq, move], index) => ({ seq, move, seat: index % 2, timestamp_ms: 0 }));
const ALTERNATING = [1, 0, 1, 0, 1, 0]; // the opponent, seat 1, moves first

it("what was played is cut off, and lines that the match has left are dropped", () => {
  const stored = {
    position_version: 2,
    lines: [
      ["b1", "b2", "b3", "b4"],
      ["c1", "c2"],
      ["b1", "b2"],
    ],
  };
  expect(remainingLines(stored, moves([2, "a1"]))).toEqual(stored.lines);
  expect(remainingLines(stored, moves([2, "a1"], [3, "b1"], [4, "b2"]))).toEqual([["b3", "b4"]]);
  expect(remainingLines(stored, moves([2, "a1"], [3, "d1"]))).toEqual([]);
});

it("lines end when the position that they begin with is taken back", () => {
  const stored = { position_version: 2, lines: [["b1", "b2"]] };
  expect(remainingLines(stored, moves([4, "e1"]))).toEqual([]);
  expect(remainingLines({ ...stored, position_version: 1 }, [])).toEqual([["b1", "b2"]]);
});

it("a line ends with a move of the player", () => {
  expect(trimToAnswer(["b1", "b2", "b3"], ALTERNATING, 0)).toEqual(["b1", "b2"]);
  expect(trimToAnswer(["b1"], ALTERNATING, 0)).toEqual([]);
  expect(trimToAnswer(["b1", "b2", "x1", "x2"], [1, 1, 0, 0, 1], 0)).toEqual(["b1", "b2", "x1", "x2"]);
});

it("a new line replaces what it extends and other answers to the same moves", () => {
  const lines = [
    ["b1", "b2"],
    ["c1", "c2"],
  ];
  expect(addLine(lines, ["b1", "b2", "b3", "b4"], ALTERNATING, 0)).toEqual([
    ["c1", "c2"],
    ["b1", "b2", "b3", "b4"],
  ]);
  expect(addLine(lines, ["b1", "d2"], ALTERNATING, 0)).toEqual([
    ["c1", "c2"],
    ["b1", "d2"],
  ]);
  expect(addLine(lines, ["d1", "d2"], ALTERNATING, 0)).toEqual([...lines, ["d1", "d2"]]);
  expect(addLine(lines, ["b1", "b2"], ALTERNATING, 0)).toEqual([
    ["c1", "c2"],
    ["b1", "b2"],
  ]);
  expect(addLine([["b1", "b2", "b3", "b4"]], ["b1", "b2"], ALTERNATING, 0)).toEqual([["b1", "b2", "b3", "b4"]]);
});
