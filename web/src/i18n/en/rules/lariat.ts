import type { Rule } from "../../rules";

export const lariat: Rule[] = [
  {
    heading: "The board",
    text: "A cylinder closed at the top and open at the bottom, covered with six-sided cells. The map shows the cap in the middle and the wall spread out round it.",
  },
  {
    heading: "A turn",
    text: "Black begins. On your turn you claim one empty cell with a stone of your colour. Stones never move and are never taken.",
  },
  {
    heading: "Winning",
    text: "You win at once when one of your groups holds a cell of the bottom edge, and either holds the centre cell too, or ropes it off: nobody could walk from the centre to the edge without stepping on that group.",
  },
  { heading: "No draws", text: "A full board always has exactly one winner." },
  {
    heading: "The shape",
    text: "The rings of the cap grow by six cells; below the rim all rings have the same size and are staggered. The sheet came without its figure.",
    ruling: true,
  },
  {
    heading: "Pie rule",
    text: "The sheet has none. As an option, the second player may swap colours instead of the first answer.",
    ruling: true,
  },
];
