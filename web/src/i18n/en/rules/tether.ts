import type { Rule } from "../../rules";

export const tether: Rule[] = [
  { heading: "The board", text: "A rhombus of hexagons. Top and bottom belong to red, left and right to blue." },
  { heading: "A turn", text: "Red begins. Place one stone of your colour on an empty cell that is not surrounded." },
  {
    heading: "Surrounded",
    text: "A cell is surrounded by red when every path from it to a blue side crosses a red stone: a loop of red stones, or of red stones and red sides, encloses it. The same with colours exchanged.",
  },
  { heading: "Capture", text: "After your placement, every opposing stone that your stones surround is removed." },
  {
    heading: "Winning",
    text: "A group is tethered when it touches a side of its own colour. Your territory is all your tethered stones and everything they surround. More than half of the board wins at once.",
  },
  { heading: "Corners", text: "A corner cell lies on both sides.", ruling: true },
  {
    heading: "All together",
    text: "Territory is what all tethered stones of a colour surround together, not group by group.",
    ruling: true,
  },
];
