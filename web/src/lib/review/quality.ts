/** Qualities of moves as the server names them, with their signs; the worst comes last. */
import type { MoveReviewView } from "../api/types";

export type Quality = MoveReviewView["quality"];

/** From these losses on a move is called so; the server decides, this is what the page explains. */
export const THRESHOLDS = { inaccuracy: 0.05, mistake: 0.1, blunder: 0.2 } as const;
export const QUALITIES = [
  "best",
  "good",
  "inaccuracy",
  "mistake",
  "blunder",
  "proven-loss",
] as const satisfies readonly Quality[];
export const SIGNS: Readonly<Record<Quality, string>> = {
  best: "",
  good: "",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  "proven-loss": "✕",
};

export const isFault = (quality: Quality | undefined): boolean => quality !== undefined && SIGNS[quality] !== "";

/** Count the moves of each quality by seat. */
export function countQualities(
  seats: readonly number[],
  reviewed: Iterable<MoveReviewView>,
): Record<Quality, [first: number, second: number]> {
  const counts = Object.fromEntries(QUALITIES.map((quality) => [quality, [0, 0]])) as Record<Quality, [number, number]>;
  for (const { ply, quality } of reviewed) {
    const seat = seats[ply - 1];
    if (seat === 0 || seat === 1) counts[quality][seat] += 1;
  }
  return counts;
}
