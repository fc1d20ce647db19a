/** Dates and times in the language of the page. */

import { preferences } from "../state/preferences.svelte";

const formats = new Map<string, Intl.DateTimeFormat>();

/** A day with its time. A format costs more than a list of times, so it is created once for a language. */
export function formatTime(timestamp: number): string {
  const { language } = preferences;
  const format = formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  formats.set(language, format);
  return format.format(timestamp);
}

/** A duration as minutes and seconds. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
