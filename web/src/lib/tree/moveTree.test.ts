import { expect, it } from "vitest";
import {
  addMove,
  childrenOf,
  emptyTree,
  findLine,
  isEmptyTree,
  lineThrough,
  listBranches,
  type MoveTree,
  mainLine,
  movesTo,
  promoteLine,
  removeNode,
  setComment,
  toggleMark,
} from "./moveTree";

/** A tree of lines, each from the root. */
function treeOf(...lines: string[]): MoveTree {
  let tree = emptyTree("tether-5");
  for (const line of lines) {
    let at = 0;
    line.split(" ").forEach((move, index) => {
      ({ tree, at } = addMove(tree, at, index % 2, move));
    });
  }
  return tree;
}

const moves = (tree: MoveTree, nodes: readonly number[]): string => nodes.map((node) => tree.nodes[node]!.move).join(" ");

it("adds a move once, and finds lines again", () => {
  const tree = treeOf("a b c", "a b d", "a b c e");
  expect(tree.nodes).toHaveLength(6);
  expect(movesTo(tree, findLine(tree, ["a", "b", "d"])!)).toEqual(["a", "b", "d"]);
  expect(findLine(tree, ["b"])).toBeNull();
  expect(moves(tree, mainLine(tree))).toBe("a b c e");
  expect(moves(tree, lineThrough(tree, findLine(tree, ["a", "b"])!))).toBe("a b c e");
});

it("lists variations below the move of the main line where they begin, nested ones after their own", () => {
  const tree = treeOf("a b c", "a x y z", "a x q", "a b d", "k");
  const listed = listBranches(tree).map(({ under, ply, depth, nodes }) => [under, ply, depth, moves(tree, nodes)]);
  expect(listed).toEqual([
    [0, 0, 0, "k"],
    [1, 1, 0, "x y z"],
    [1, 2, 1, "q"],
    [2, 2, 0, "d"],
  ]);
});

it("removes a node with everything after it, and keeps the order of the others", () => {
  const tree = treeOf("a b c", "a x y", "k");
  const { tree: left, at } = removeNode(tree, findLine(tree, ["a", "b"])!);
  expect(movesTo(left, at)).toEqual(["a"]);
  expect(moves(left, mainLine(left))).toBe("a x y");
  expect(childrenOf(left, 0).map((node) => left.nodes[node]!.move)).toEqual(["a", "k"]);
  expect(left.nodes.every(({ parent }, index) => index === 0 || parent! < index)).toBe(true);
});

it("makes a variation the main line", () => {
  const tree = treeOf("a b c", "a x y", "a x q r");
  const { tree: changed, at } = promoteLine(tree, findLine(tree, ["a", "x", "q"])!);
  expect(movesTo(changed, at)).toEqual(["a", "x", "q"]);
  expect(moves(changed, mainLine(changed))).toBe("a x q r");
  expect(findLine(changed, ["a", "b", "c"])).not.toBeNull();
});

it("keeps comments and marks with their node", () => {
  let tree = treeOf("a b");
  expect(isEmptyTree(emptyTree("tether-5"))).toBe(true);
  tree = toggleMark(setComment(tree, 2, "good"), 2, "c3", "circle");
  tree = toggleMark(tree, 2, "d4", "cross");
  tree = toggleMark(tree, 2, "d4", "square");
  expect(tree.nodes[2]).toMatchObject({ comment: "good", marks: { c3: "circle", d4: "square" } });
  expect(toggleMark(tree, 2, "c3", "circle").nodes[2]!.marks).toEqual({ d4: "square" });
});
