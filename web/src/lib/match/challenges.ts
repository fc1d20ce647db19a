/** What a challenge offers, in words: board, clock, colour, rating. */

import { colourName, t } from "../../i18n/index.svelte";
import type { MatchSummary } from "../api/types";
import { gameCatalog } from "../state/gameCatalog.svelte";
import { describeClock } from "./clockNames";

/** The seat that is free; null once both are taken. */
export function findFreeSeat(match: MatchSummary): 0 | 1 | null {
  const seat = match.seats.indexOf(null);
  return seat === 0 || seat === 1 ? seat : null;
}

/** The board, and what else a challenge offers. */
export const describeChallenge = (match: MatchSummary): string => `${match.spec} · ${describeOffer(match)}`;

/** Clock, colour and rating of a challenge. */
export function describeOffer(match: MatchSummary): string {
  const seat = findFreeSeat(match);
  const parts = [describeClock(match.clock)];
  const colour = seat === null ? undefined : gameCatalog.findBySpec(match.spec)?.colours[seat];
  if (colour)
    parts.push(`${t.challenge.youPlay(colourName(colour))} ${seat === 0 ? t.challenge.first : t.challenge.second}`);
  parts.push(match.rated ? t.challenge.rated : t.challenge.unrated);
  if (seat !== null) {
    const rating = match.ratings[1 - seat];
    parts.push(rating == null ? t.challenge.noRating : t.challenge.rating(rating));
  }
  return parts.join(" · ");
}
