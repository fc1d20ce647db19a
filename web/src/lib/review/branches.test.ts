import { expect, it } from "vitest";
import { addLine, type Branch, findBranch } from "./branches";

const line = (ply: number, ...moves: string[]): Branch => ({ ply, moves });

it("keeps a branch that contains a line, and lengthens one that a line continues", () => {
  const one = addLine([], line(3, "a1"));
  expect(one).toEqual([line(3, "a1")]);
  const longer = addLine(one, line(3, "a1", "b2"));
  expect(longer).toEqual([line(3, "a1", "b2")]);
  expect(addLine(longer, line(3, "a1"))).toBe(longer);
  expect(addLine(longer, line(3))).toBe(longer);
});

it("adds another line from the same move, and the same line from another move", () => {
  const branches = addLine(addLine([line(3, "a1", "b2")], line(3, "a1", "c3")), line(4, "a1"));
  expect(branches).toEqual([line(3, "a1", "b2"), line(3, "a1", "c3"), line(4, "a1")]);
});

it("finds the branch of a part of its line", () => {
  const branches = [line(3, "a1", "b2"), line(3, "a1", "c3")];
  expect(findBranch(branches, line(3, "a1", "c3"))).toBe(branches[1]);
  expect(findBranch(branches, line(3, "a1"))).toBe(branches[0]);
  expect(findBranch(branches, line(2, "a1"))).toBeUndefined();
  expect(findBranch(branches, line(3))).toBeUndefined();
});
