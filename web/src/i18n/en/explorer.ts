/** Texts of the opening explorer. */
export const explorer = {
  heading: "Openings",
  none: "No public match has come here yet.",
  move: "Move",
  games: "Games",
  score: "Score of the first player",
  value: "Value",
  more: (count: number): string => (count === 1 ? "1 more move" : `${count} more moves`),
  last: "Last matches",
  note: "All public matches; symmetric positions count together. Values come from reviews.",
  report: "Report",
};
