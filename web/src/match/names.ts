/** Names of players and games as lists show them. */
import type { GameEntry, UserView } from "../api/types";
import { t } from "../words/index.svelte";

export function nameOf(user: UserView): string {
  return user.kind === "level" && user.level !== null ? t.table.level(user.level) : user.name;
}

export function gameOf(spec: string, games: readonly GameEntry[]): GameEntry | undefined {
  const fitting = games.filter(({ key }) => spec === key || spec.startsWith(`${key}-`));
  return fitting.sort((a, b) => b.key.length - a.key.length)[0];
}
