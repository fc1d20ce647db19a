/** Variations of a review: lines of moves that leave the match after some of its moves. */

export interface Branch {
  /** Moves of the match before it. */
  ply: number;
  moves: readonly string[];
}

const beginsWith = (line: readonly string[], start: readonly string[]): boolean =>
  start.length <= line.length && start.every((move, index) => move === line[index]);

/** Return the branches with a line: one that contains it stays, one that it continues becomes longer. */
export function addLine(branches: readonly Branch[], line: Branch): readonly Branch[] {
  if (!line.moves.length || findBranch(branches, line)) return branches;
  const index = branches.findIndex(({ ply, moves }) => ply === line.ply && beginsWith(line.moves, moves));
  if (index < 0) return [...branches, line];
  return branches.map((branch, at) => (at === index ? line : branch));
}

/** Return the branch that a line is a part of, or all of. */
export function findBranch(branches: readonly Branch[], { ply, moves }: Branch): Branch | undefined {
  if (!moves.length) return undefined;
  return branches.find((branch) => branch.ply === ply && beginsWith(branch.moves, moves));
}
