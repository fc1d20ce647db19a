import type { Rule } from "../../rules";

export const lariat: Rule[] = [
  {
    heading: "The board",
    text: "A cylinder closed at the top and open at the bottom, covered with six-sided cells. The map shows the cap in the middle and the wall in rings round it.",
  },
  {
    heading: "A turn",
    text: "Black begins. On your turn you place one stone of your colour on an empty cell. Stones never move and are never taken.",
  },
  {
    heading: "Winning",
    text: "You win at once when one of your groups contains a cell of the bottom edge, and either contains the centre cell too, or ropes it off: every path from the centre to the edge crosses that group.",
  },
  { heading: "No draws", text: "A full board always has exactly one winner." },
  {
    heading: "The shape",
    text: "The rings of the cap grow by six cells; below the rim all rings have the same size and are staggered. The figure of the rule sheet is missing.",
    ruling: true,
  },
  {
    heading: "Pie rule",
    text: "The rule sheet has none. As an option, the second player may swap colours instead of making a first move.",
    ruling: true,
  },
];
