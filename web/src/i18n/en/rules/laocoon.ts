import type { Rule } from "../../rules";

export const laocoon: Rule[] = [
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
  { heading: "Losing", text: "A player who can move neither ring at the start of a turn loses." },
  {
    heading: "The setup",
    text: "The weave and the blocks are ours, because the figure of the rule sheet is missing; the random setup is a variant of the sheet.",
    ruling: true,
  },
  { heading: "No place for the disc", text: "When no space is possible, the disc leaves the game.", ruling: true },
  { heading: "Repetition", text: "The third occurrence of a position is a draw.", ruling: true },
];
