/** What the page shows of a running analysis: pure functions of the server's reports. */
import type { AnalysisLine, AnalysisReport, GameView } from "../api/types";

export interface LiveAnalysis {
  status: "off" | "waiting" | "searching" | "finished" | "failed";
  /** The last report; it stays when the analysis fails. */
  report: AnalysisReport | null;
  error: unknown;
  /** How many searches come before this one, as long as it waits; null where that is not known. */
  jobsBefore: number | null;
}

export type AnalysisEvent =
  | { type: "started" }
  | { type: "queued"; jobsBefore: number }
  | { type: "reported"; report: AnalysisReport }
  | { type: "failed"; error: unknown }
  | { type: "stopped" };

export const NO_ANALYSIS: LiveAnalysis = { status: "off", report: null, error: null, jobsBefore: null };

/** Return the analysis after an event. */
export function applyAnalysisEvent(before: LiveAnalysis, event: AnalysisEvent): LiveAnalysis {
  if (event.type === "started") return { ...NO_ANALYSIS, status: "waiting" };
  if (event.type === "queued") return { ...before, status: "waiting", jobsBefore: event.jobsBefore };
  if (event.type === "stopped") return NO_ANALYSIS;
  if (event.type === "failed") return { ...before, status: "failed", error: event.error, jobsBefore: null };
  const { report } = event;
  if (report.is_final) return { ...NO_ANALYSIS, status: "finished", report };
  // A search that had to begin again says less than it said before.
  const isBetter = report.visits >= (before.report?.visits ?? 0);
  return { ...NO_ANALYSIS, status: "searching", report: isBetter ? report : before.report };
}

/** Return the value of a position for seat 0. */
export const valueOfFirstSeat = ({ seat, value }: Pick<AnalysisReport, "seat" | "value">): number =>
  seat === 0 ? value : 1 - value;

/** Return the share of the visits by the last cell of each line's first move, the most visited one as 1. */
export function heatByCell(report: AnalysisReport | null, moveCells: GameView["move_cells"]): Record<string, number> {
  const lines = report?.lines ?? [];
  const most = Math.max(1, ...lines.map(({ visits }) => visits));
  return Object.fromEntries(
    lines.flatMap(({ moves, visits }) => (moveCells[moves[0] ?? ""] ?? []).slice(-1).map((cell) => [cell, visits / most])),
  );
}

/** Return the moves of `held` in their order, with the newest values: what somebody is about to press must not move away. */
export function holdOrder(held: readonly AnalysisLine[], newest: readonly AnalysisLine[]): readonly AnalysisLine[] {
  return held.map((line) => newest.find(({ moves }) => moves[0] === line.moves[0]) ?? line);
}

/** What a screen reader was told last. */
export interface Announcement {
  move: string;
  value: number;
  isFinal: boolean;
  atMs: number;
}

const MIN_INTERVAL_MS = 5000;
const MIN_DIFFERENCE = 0.1;

/** Return what to announce now: the first report, then great changes, seldom, then the result; else what was announced. */
export function nextAnnouncement(last: Announcement | null, { report }: LiveAnalysis, nowMs: number): Announcement | null {
  if (!report) return null;
  const next = { move: report.lines[0]?.moves[0] ?? "", value: report.value, isFinal: report.is_final, atMs: nowMs };
  if (!last || (next.isFinal && !last.isFinal)) return next;
  const hasChanged = next.move !== last.move || Math.abs(next.value - last.value) >= MIN_DIFFERENCE;
  return hasChanged && nowMs - last.atMs >= MIN_INTERVAL_MS ? next : last;
}

/** Return at most `max` of the plies from 0 to `last` at equal distances, always the first and the last one. */
export function selectPlies(last: number, max: number): number[] {
  const intervals = Math.min(last, max - 1);
  return Array.from({ length: intervals + 1 }, (_, index) => Math.round((index * last) / Math.max(1, intervals)));
}
