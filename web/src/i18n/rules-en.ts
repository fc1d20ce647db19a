/** The rules in short, in our own words; what the designers' sheets leave open is marked as our ruling. */
export interface Rule {
  heading: string;
  text: string;
  /** Ours, where the sheet leaves a gap. */
  ruling?: boolean;
}

export const rulesEn: Record<string, Rule[]> = {
  lariat: [
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
  ],
  "cube-lariat": [
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
  ],
  tether: [
    { heading: "The board", text: "A rhombus of hexagons. Top and bottom belong to red, left and right to blue." },
    { heading: "A turn", text: "Red begins. Place one stone of your colour on an empty cell that is surrounded by nobody." },
    {
      heading: "Surrounded",
      text: "A cell is surrounded by red when nobody could walk from it to a blue side without stepping on a red stone: a loop of red stones, or of red stones and red sides, encloses it. The same with colours exchanged.",
    },
    { heading: "Capture", text: "After you place, every opposing stone that your stones surround is taken off." },
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
  ],
  laocoon: [
    {
      heading: "The board",
      text: "Eight by eight spaces, each with one disc in one of four colours; later a space may hold two discs, or none. White and black have two rings each. The colour of a space is that of its top disc.",
    },
    {
      heading: "Free colours",
      text: "You control the colours under your rings. A colour is free for you when your opponent does not control it.",
    },
    {
      heading: "Placing rings",
      text: "White, black, white, black: each places a ring on a space with a disc, without a ring, of a free colour.",
    },
    {
      heading: "A turn",
      text: "Move one of your rings one step in any direction to a space with a disc, without a ring, of a free colour. The top disc of the space you left goes to your opponent. Then place the disc that you were given on a space without a ring that has exactly one disc, of another colour.",
    },
    { heading: "Losing", text: "Who can move neither ring at the start of a turn loses." },
    {
      heading: "The setup",
      text: "The weave and the blocks are ours, for the sheet came without its figure; the random setup is a variant of the sheet.",
      ruling: true,
    },
    { heading: "No place for the disc", text: "When no space fits, the disc leaves the game.", ruling: true },
    { heading: "Repetition", text: "The third occurrence of a position is a draw.", ruling: true },
  ],
  liger: [
    {
      heading: "The board",
      text: "The dark squares of a checkerboard. Red moves up, blue moves down. Checkers are stacked; only the top one of a stack shows.",
    },
    {
      heading: "Forward",
      text: "Move your top checker, or your top checker together with the opponent’s right beneath it, one square diagonally forward, onto whatever is there.",
    },
    {
      heading: "Backward",
      text: "Only when you show fewer checkers than your opponent: a checker that is alone on its square may step diagonally back onto a square whose top checker is the opponent’s.",
    },
    { heading: "Bearing off", text: "From your farthest row your top checker may leave the board." },
    {
      heading: "Winning",
      text: "Bear off all your checkers. But if after your turn the opponent shows no checker, you lose.",
    },
    { heading: "Setup and first move", text: "The usual setup of a checkerboard; red begins.", ruling: true },
    { heading: "Repetition", text: "The third occurrence of a position is a draw.", ruling: true },
  ],
};
