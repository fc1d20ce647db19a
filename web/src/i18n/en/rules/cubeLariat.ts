import type { Rule } from "../../rules";

export const cubeLariat: Rule[] = [
  {
    heading: "The board",
    text: "The surface of a cube: octagons with small squares between them. Squares on an edge are folded over it, and each corner has a small triangle. Three marked cells, the nuclear cells, lie on edges that share no face.",
  },
  {
    heading: "A turn",
    text: "Black begins. On your turn you place one stone on an empty cell. Stones never move and are never taken.",
  },
  {
    heading: "Pie rule",
    text: "Instead of a first move, the second player may swap: the players exchange colours, and the stone stays where it is.",
  },
  {
    heading: "Winning",
    text: "You win at once when one of your groups separates the three nuclear cells: outside the group, no two nuclear cells are connected, whatever occupies the other cells. A nuclear cell in the group counts as separated.",
  },
  { heading: "No draws", text: "A full board always has exactly one winner." },
  {
    heading: "Which cells are nuclear",
    text: "Any choice of three edges without a common face is the same up to a mirror image.",
    ruling: true,
  },
];
