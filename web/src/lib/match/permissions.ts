/** What may be done with a match besides playing. */
import type { MatchView } from "../api/types";

/** Whether the engine may be asked about a match: when it is over, or when one user plays both seats. */
export function mayAnalyse({ state, seats }: MatchView): boolean {
  const [first, second] = seats.map(({ user }) => user?.id);
  return state.status === "over" || (first !== undefined && first === second);
}

/** Whether a finished match can be reviewed: a withdrawn challenge has no moves. */
export const mayReview = ({ state, moves }: MatchView): boolean => state.status === "over" && moves.length > 0;

/** Whether a player can ask for a rematch: not after a challenge that nobody has accepted. */
export const mayRematch = ({ state, seats, your_seats }: MatchView): boolean =>
  state.status === "over" && your_seats.length > 0 && seats.every(({ user }) => user !== null && user.kind !== "deleted");
