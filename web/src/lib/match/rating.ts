/** Ratings of the players of a rated match. */
import type { MatchView, SeatRatingView } from "../api/types";

/** A rating is provisional while its deviation is larger than this. */
const MAX_CERTAIN_DEVIATION = 110;

/** Return a rating as a whole number, with a question mark while it is provisional. */
export function formatRating({ rating, deviation }: SeatRatingView): string {
  return `${Math.round(rating)}${deviation > MAX_CERTAIN_DEVIATION ? "?" : ""}`;
}

/** Return whether a rated match has ended, and its seats do not show yet how it changed the ratings. */
export function awaitsRatingChange({ rated, state, seats }: MatchView): boolean {
  return rated && state.result?.is_void === false && seats.some(({ rating }) => rating?.change == null);
}
