/** The levels of the built-in bots in words. */
import { t } from "../../i18n/index.svelte";

/** What was measured of a level. */
export interface LevelStrength {
  /** Elo above level 1. */
  elo: number;
  /** Expected points against the next level, 0 to 1; null for the highest level. */
  scoreAgainstNext: number | null;
  /** Shares of the puzzles that it solves: with a win in one turn, in two or three, in more. */
  winsFound: readonly [number, number, number];
}

/** Return what to expect of a level: what was measured, or words for games without measurements. */
export function describeLevel(level: number, strengths: readonly LevelStrength[] | undefined): string {
  const strength = strengths?.[level - 1];
  if (!strength) return t.newGame.levelText(level, t.newGame.levelWords[level - 1] ?? "");
  const parts = [t.newGame.levelTactics(...strength.winsFound)];
  if (strength.scoreAgainstNext !== null) parts.push(t.newGame.levelScore(strength.scoreAgainstNext, level + 1));
  if (level > 1) parts.push(t.newGame.levelRating(strength.elo));
  return t.newGame.levelText(level, parts.join("; "));
}
