/** What a clock shows between two messages of the server. */
import type { ClockSettings, ClockView } from "../api/types";

const LOW_MS = 20_000;

/** Return the time that is left, so many milliseconds after the server gave the clock: of the main time, then of the period. */
export function remainingMs(clock: ClockView, settings: ClockSettings, elapsedMs: number): number {
  const elapsed = clock.running ? Math.max(0, elapsedMs) : 0;
  const main = Math.max(0, clock.main_ms - elapsed);
  if (main > 0 || settings.kind !== "byo-yomi") return main;
  return Math.max(0, clock.period_ms - Math.max(0, elapsed - clock.main_ms));
}

/** Return whether a running clock is close to its end; days per move leave time enough. */
export function isLow(clock: ClockView, settings: ClockSettings, leftMs: number): boolean {
  return clock.running && leftMs < LOW_MS && settings.kind !== "days";
}

/** Format a time as minutes and seconds, with hours or days where there are some. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
}
