/** The levels of the built-in bots in words. */
import { t } from "../../i18n/index.svelte";

/** Return what to expect of a level, with its Elo relative to level 1 where it has been measured. */
export function describeLevel(level: number, ratings: readonly number[] | undefined): string {
  const words = t.newGame.levelWords[level - 1];
  const rating = ratings?.[level - 1];
  const parts = [...(words ? [words] : []), ...(rating === undefined || level === 1 ? [] : [t.newGame.levelRating(rating)])];
  return t.newGame.levelText(level, parts.join("; "));
}
