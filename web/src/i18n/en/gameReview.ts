/** Texts of the review of a match. */
import { format } from "./format";

export const gameReview = {
  start: "Analyse the match",
  startHint: "The server evaluates every position once, for all who look at this match.",
  queued: "Other reviews come first…",
  running: (done: number, all: number): string => `Analysing: ${done} of ${all} positions`,
  failed: "The analysis has failed.",
  toMatch: "To the match",
  graph: "Chances of the first player, move by move; filled points are proven",
  summary: "Moves by quality",
  quality: {
    best: "Best move",
    good: "Good move",
    inaccuracy: "Inaccuracy",
    mistake: "Mistake",
    blunder: "Blunder",
    "proven-loss": "Proven loss",
  },
  qualities: {
    best: "best",
    good: "good",
    inaccuracy: "inaccuracies",
    mistake: "mistakes",
    blunder: "blunders",
    "proven-loss": "proven losses",
  },
  rule: (inaccuracy: number, mistake: number, blunder: number): string =>
    `The best move is the engine’s own. Any other move is measured by what it loses of its player’s chances: an inaccuracy from ${format.percent(inaccuracy)}, a mistake from ${format.percent(mistake)}, a blunder from ${format.percent(blunder)}. It is a proven loss if the position after it is proven lost and it loses at least ${format.percent(inaccuracy)}.`,
  ruleHeading: "How moves are judged",
  settings: (level: number, seconds: number): string => `Level ${level}, ${format.number(seconds)} s for each position`,
  loss: (share: number): string => `loses ${format.percent(share)}`,
  turningPoint: (move: string, number: number): string =>
    `Turning point: ${move} (move ${number}). From here on the winner was ahead.`,
  better: "Better was",
  showBetter: "Show on the board",
  branches: "Variations",
  branch: (number: number): string => `from move ${number}`,
  leave: "Back to the match",
  removeBranch: (moves: string): string => `Remove the variation ${moves}`,
  mistakes: "Next mistake",
  value: (colour: string, share: number, isProven: boolean): string =>
    isProven ? `${colour} ${format.percent(share)}, proven` : `${colour} ${format.percent(share)}`,
};
