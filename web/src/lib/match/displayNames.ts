/** Names of players and games as lists show them. */

import { lookUp, t } from "../../i18n/index.svelte";
import type { GameEntry, UserView } from "../api/types";

export function displayName(user: UserView): string {
  return user.kind === "builtin-bot" && user.level != null ? t.match.level(user.level) : user.name;
}

/** The players of a match in the order of their seats; one person at both seats is not named twice. */
export function describePlayers([first, second]: readonly (UserView | null)[]): string {
  if (first && first.id === second?.id) return t.match.oneScreen;
  return [first, second].map((user) => (user ? displayName(user) : "?")).join(" – ");
}

/** What a game is about, in a sentence: the page's own, or that of the game's declaration. */
export function describeObjective(entry: GameEntry | null | undefined): string {
  if (!entry) return "";
  return lookUp(t.objectives, entry.key) ?? `${entry.objective.charAt(0).toUpperCase()}${entry.objective.slice(1)}.`;
}
