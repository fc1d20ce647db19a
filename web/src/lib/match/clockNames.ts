/** The clocks that forms offer, and their names. */

import { t } from "../../i18n/index.svelte";
import type { ClockSettings } from "../api/types";

export const CLOCKS: readonly ClockSettings[] = [
  { kind: "none" },
  { kind: "fischer", initial_seconds: 180, increment_seconds: 5 },
  { kind: "fischer", initial_seconds: 600, increment_seconds: 10 },
  { kind: "fischer", initial_seconds: 1800, increment_seconds: 20 },
  { kind: "byo-yomi", main_seconds: 600, periods: 5, period_seconds: 30 },
  { kind: "days", days: 1 },
  { kind: "days", days: 3 },
];

export function describeClock(settings: ClockSettings): string {
  if (settings.kind === "none") return t.newGame.noClock;
  if (settings.kind === "fischer") return t.newGame.fischer(settings.initial_seconds / 60, settings.increment_seconds);
  if (settings.kind === "byo-yomi")
    return t.newGame.byoyomi(settings.main_seconds / 60, settings.periods, settings.period_seconds);
  return t.newGame.days(settings.days);
}
