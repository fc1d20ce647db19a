import type { Rule } from "../../rules";

export const cubeLariat: Rule[] = [
  {
    heading: "The board",
    text: "The surface of a cube: octagons with small squares between them. Squares on an edge fold over it, a small triangle sits on each corner. Three marked cells, the nuclear cells, lie on edges that share no face.",
  },
  {
    heading: "A turn",
    text: "Black begins. On your turn you claim one empty cell. Stones never move and are never taken.",
  },
  {
    heading: "Pie rule",
    text: "As their first answer the second player may say swap: the players exchange colours, the stone stays where it is.",
  },
  {
    heading: "Winning",
    text: "You win at once when one of your groups parts the three nuclear cells from each other: take everything outside the group as empty, and no two nuclear cells hang together. A nuclear cell inside the group counts as parted.",
  },
  { heading: "No draws", text: "A full board always has exactly one winner." },
  {
    heading: "Which cells are nuclear",
    text: "Any choice of three edges without a common face is the same up to a mirror image.",
    ruling: true,
  },
];
