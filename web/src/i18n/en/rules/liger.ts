import type { Rule } from "../../rules";

export const liger: Rule[] = [
  {
    heading: "The board",
    text: "The dark squares of a checkerboard. Red moves up, blue moves down. Checkers are stacked; only the top one of a stack is visible.",
  },
  {
    heading: "Forward",
    text: "Move your top checker, or your top checker together with the opponent’s right beneath it, one square diagonally forward; the target may be occupied.",
  },
  {
    heading: "Backward",
    text: "Only when you show fewer checkers than your opponent: a checker that is alone on its square may step diagonally back onto a square whose top checker is the opponent’s.",
  },
  { heading: "Bearing off", text: "From your farthest row your top checker may leave the board." },
  {
    heading: "Winning",
    text: "Bear off all your checkers. But if your opponent has no visible checker after your turn, you lose.",
  },
  { heading: "Setup and first move", text: "The usual setup of a checkerboard; red begins.", ruling: true },
  { heading: "Repetition", text: "The third occurrence of a position is a draw.", ruling: true },
];
