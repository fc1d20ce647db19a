/** Dates and times in the language of the page. */

import { preferences } from "../state/preferences.svelte";

/** A day with its time. */
export const formatTime = (timestamp: number): string =>
  new Intl.DateTimeFormat(preferences.language, { dateStyle: "medium", timeStyle: "short" }).format(timestamp);

/** A duration as minutes and seconds. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
