/** A tree of moves with comments and marks, as plain data. A node is named by its index; every change returns a new tree. */
import type { AnalysisNode, AnalysisTree, MarkShape, PlayedMoveView } from "../api/types";

export type MoveTree = Readonly<Omit<AnalysisTree, "nodes">> & { readonly nodes: readonly AnalysisNode[] };

/** A tree, and the node that is shown. */
export interface TreePoint {
  tree: MoveTree;
  at: number;
}

/** A variation: the node before it, its own nodes by the first child of each, and how deep it is nested. */
export interface TreeBranch {
  /** Moves of the main line before the one where it is listed. */
  under: number;
  /** Moves before it. */
  ply: number;
  depth: number;
  nodes: readonly number[];
}

export const ROOT = 0;

export function emptyTree(spec: string, position: string | null = null): MoveTree {
  return { spec, position, nodes: [{ parent: null, seat: null, move: "", comment: "", marks: {} }] };
}

export const isEmptyTree = ({ nodes }: MoveTree): boolean =>
  nodes.length === 1 && !nodes[0]!.comment && !Object.keys(nodes[0]!.marks).length;

/** The children of a node; the first one continues its line. */
export function childrenOf({ nodes }: MoveTree, at: number): number[] {
  return nodes.flatMap(({ parent }, index) => (parent === at ? [index] : []));
}

/** The nodes from the root to a node, without the root. */
export function pathTo({ nodes }: MoveTree, at: number): number[] {
  const path: number[] = [];
  for (let node = at; node !== ROOT; node = nodes[node]!.parent ?? ROOT) path.unshift(node);
  return path;
}

/** The moves from the root to a node. */
export const movesTo = (tree: MoveTree, at: number): string[] => pathTo(tree, at).map((node) => tree.nodes[node]!.move);

/** A node and the first child of each, to the end. */
export function lineFrom(tree: MoveTree, at: number): number[] {
  const line = [at];
  for (let next = childrenOf(tree, at)[0]; next !== undefined; next = childrenOf(tree, next)[0]) line.push(next);
  return line;
}

/** The line that is shown: to a node, and on by the first children. */
export const lineThrough = (tree: MoveTree, at: number): number[] => [...pathTo(tree, at), ...lineFrom(tree, at).slice(1)];

export const mainLine = (tree: MoveTree): number[] => lineFrom(tree, ROOT).slice(1);

/** The node after some moves from the root, null where the tree does not have them. */
export function findLine(tree: MoveTree, moves: readonly string[]): number | null {
  let at: number | undefined = ROOT;
  for (const move of moves) {
    at = childrenOf(tree, at).find((child) => tree.nodes[child]!.move === move);
    if (at === undefined) return null;
  }
  return at;
}

/** Play a move after a node: the child that has it, or a new one. */
export function addMove(tree: MoveTree, at: number, seat: number, move: string): TreePoint {
  const known = childrenOf(tree, at).find((child) => tree.nodes[child]!.move === move);
  if (known !== undefined) return { tree, at: known };
  const node: AnalysisNode = { parent: at, seat, move, comment: "", marks: {} };
  return { tree: { ...tree, nodes: [...tree.nodes, node] }, at: tree.nodes.length };
}

/** Remove a node with everything after it; the node before it is shown. */
export function removeNode(tree: MoveTree, at: number): TreePoint {
  const parent = tree.nodes[at]!.parent ?? ROOT;
  const { nodes, indices } = rebuild(tree, (node) => childrenOf(tree, node).filter((child) => child !== at));
  return { tree: { ...tree, nodes }, at: indices.get(parent) ?? ROOT };
}

/** Make the line to a node the main line: every node of it becomes the first among its siblings. */
export function promoteLine(tree: MoveTree, at: number): TreePoint {
  const path = new Set(pathTo(tree, at));
  const first = (node: number): number[] =>
    childrenOf(tree, node).toSorted((a, b) => Number(path.has(b)) - Number(path.has(a)));
  const { nodes, indices } = rebuild(tree, first);
  return { tree: { ...tree, nodes }, at: indices.get(at)! };
}

/** Number the nodes anew, by the children that a function gives to each of the old ones. */
function rebuild(
  tree: MoveTree,
  children: (node: number) => number[],
): { nodes: AnalysisNode[]; indices: Map<number, number> } {
  const nodes: AnalysisNode[] = [];
  const indices = new Map<number, number>();
  const pending = [ROOT];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { parent } = tree.nodes[node]!;
    indices.set(node, nodes.length);
    nodes.push({ ...tree.nodes[node]!, parent: node === ROOT ? null : indices.get(parent ?? ROOT)! });
    pending.push(...children(node).reverse());
  }
  return { nodes, indices };
}

function changeNode(tree: MoveTree, at: number, change: Partial<AnalysisNode>): MoveTree {
  return { ...tree, nodes: tree.nodes.map((node, index) => (index === at ? { ...node, ...change } : node)) };
}

export const setComment = (tree: MoveTree, at: number, comment: string): MoveTree => changeNode(tree, at, { comment });

/** Mark a cell with a shape, or take the mark away where it has this shape. */
export function toggleMark(tree: MoveTree, at: number, cell: string, shape: MarkShape): MoveTree {
  const { [cell]: old, ...others } = tree.nodes[at]!.marks;
  return changeNode(tree, at, { marks: old === shape ? others : { ...others, [cell]: shape } });
}

export const clearMarks = (tree: MoveTree, at: number): MoveTree => changeNode(tree, at, { marks: {} });

/** The moves of nodes as the list of a match has them. */
export const asPlayedMoves = (tree: MoveTree, line: readonly number[]): PlayedMoveView[] =>
  line.map((node) => ({ seq: node, seat: tree.nodes[node]!.seat ?? 0, move: tree.nodes[node]!.move }) as PlayedMoveView);

/** All variations in the order of the list: each below the move of the main line where it begins, nested ones after it. */
export function listBranches(tree: MoveTree): TreeBranch[] {
  const branches: TreeBranch[] = [];
  const visit = (line: readonly number[], ply: number, depth: number, under: number | null): void => {
    line.forEach((node, index) => {
      const place = under ?? index;
      for (const child of childrenOf(tree, node).slice(1)) {
        const nodes = lineFrom(tree, child);
        branches.push({ under: place, ply: ply + index, depth, nodes });
        visit(nodes, ply + index + 1, depth + 1, place);
      }
    });
  };
  visit(lineFrom(tree, ROOT), 0, 0, null);
  return branches;
}
