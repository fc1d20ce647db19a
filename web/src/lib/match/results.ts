/** The result of a match in a list, from the point of view of a player. */

import { t } from "../../i18n/index.svelte";
import type { MatchSummary } from "../api/types";

export function describeResult(match: MatchSummary, userId: string | undefined): string {
  if (match.status !== "over") return match.status === "waiting" ? t.myGames.waiting : t.lobby.playing;
  if (match.reason === "abandoned") return t.myGames.void;
  if (match.winner === null) return t.myGames.drawn;
  return match.seats[match.winner]?.id === userId ? t.myGames.won : t.myGames.lost;
}
