import { describe, expect, it } from "vitest";
import type { AnalysisLine, AnalysisReport } from "../api/types";
import {
  applyAnalysisEvent,
  heatByCell,
  holdOrder,
  type LiveAnalysis,
  NO_ANALYSIS,
  nextAnnouncement,
  selectPlies,
  valueOfFirstSeat,
} from "./liveAnalysis";

const line = (move: string, visits = 1, value = 0.5): AnalysisLine => ({
  moves: [move, "z9"],
  value,
  visits,
  certainty: "estimate",
});
const report = (visits: number, more: Partial<AnalysisReport> = {}): AnalysisReport => ({
  type: "analysis",
  waited_seconds: 0,
  request_id: "1",
  is_final: false,
  seat: 0,
  value: 0.5,
  certainty: "estimate",
  visits,
  lines: [line("c3", visits)],
  ...more,
});
const searching = (found: AnalysisReport): LiveAnalysis =>
  applyAnalysisEvent(NO_ANALYSIS, { type: "reported", report: found });

describe("an analysis", () => {
  it("waits for its first report, improves, and ends with the final one", () => {
    const reports = [report(10), report(20), report(30, { is_final: true })];
    const states = [applyAnalysisEvent(NO_ANALYSIS, { type: "started" })];
    for (const each of reports) states.push(applyAnalysisEvent(states.at(-1)!, { type: "reported", report: each }));
    expect(states.map(({ status }) => status)).toEqual(["waiting", "searching", "searching", "finished"]);
    expect(states.map(({ report: each }) => each?.visits ?? null)).toEqual([null, 10, 20, 30]);
  });
  it("keeps a report that a new search has not reached yet, but not against the final one", () => {
    const before = searching(report(500));
    expect(applyAnalysisEvent(before, { type: "reported", report: report(3) }).report?.visits).toBe(500);
    const final = report(3, { is_final: true });
    expect(applyAnalysisEvent(before, { type: "reported", report: final }).report).toBe(final);
  });
  it("knows how many come before it as long as it waits", () => {
    const started = applyAnalysisEvent(NO_ANALYSIS, { type: "started" });
    const queued = applyAnalysisEvent(started, { type: "queued", jobsBefore: 2 });
    expect(queued).toEqual({ ...started, jobsBefore: 2 });
    expect(applyAnalysisEvent(queued, { type: "reported", report: report(10) }).jobsBefore).toBeNull();
    expect(applyAnalysisEvent(queued, { type: "failed", error: "gone" }).jobsBefore).toBeNull();
  });
  it("keeps its report when it fails, and loses the error with the next attempt", () => {
    const failed = applyAnalysisEvent(searching(report(10)), { type: "failed", error: "gone" });
    expect(failed).toMatchObject({ status: "failed", error: "gone", report: { visits: 10 } });
    expect(applyAnalysisEvent(failed, { type: "started" })).toEqual({ ...NO_ANALYSIS, status: "waiting" });
    expect(applyAnalysisEvent(failed, { type: "stopped" })).toEqual(NO_ANALYSIS);
  });
});

it("a value is turned to that of the first seat", () => {
  expect(valueOfFirstSeat({ seat: 0, value: 0.7 })).toBe(0.7);
  expect(valueOfFirstSeat({ seat: 1, value: 0.75 })).toBe(0.25);
});

it("heat is the share of visits, on the last cell of a move", () => {
  const lines = [line("a1-b2", 80), line("c3", 20), line("swap", 5)];
  const cells = { "a1-b2": ["a1", "b2"], c3: ["c3"], swap: [] };
  expect(heatByCell(report(100, { lines }), cells)).toEqual({ b2: 1, c3: 0.25 });
  expect(heatByCell(null, cells)).toEqual({});
});

it("held moves keep their order and get new values; those that are no longer among the best stay as they were", () => {
  const held = [line("c3", 10), line("d4", 9), line("e5", 8)];
  const newest = [line("d4", 30, 0.8), line("f6", 20), line("c3", 15, 0.4)];
  expect(holdOrder(held, newest).map(({ moves, visits }) => [moves[0], visits])).toEqual([
    ["c3", 15],
    ["d4", 30],
    ["e5", 8],
  ]);
});

describe("announcements", () => {
  const first = nextAnnouncement(null, searching(report(10)), 1000)!;

  it("begin with the first report", () => {
    expect(nextAnnouncement(null, NO_ANALYSIS, 0)).toBeNull();
    expect(first).toEqual({ move: "c3", value: 0.5, isFinal: false, atMs: 1000 });
  });
  it("are silent about small changes, and about great ones that come soon", () => {
    expect(nextAnnouncement(first, searching(report(20, { value: 0.55 })), 60_000)).toBe(first);
    expect(nextAnnouncement(first, searching(report(20, { value: 0.9 })), 5999)).toBe(first);
    expect(nextAnnouncement(first, searching(report(20, { value: 0.9 })), 6000)).toMatchObject({ value: 0.9, atMs: 6000 });
    const other = searching(report(20, { lines: [line("d4")] }));
    expect(nextAnnouncement(first, other, 6000)).toMatchObject({ move: "d4" });
  });
  it("end with the result, once", () => {
    const finished = searching(report(20, { is_final: true }));
    const last = nextAnnouncement(first, finished, 1100)!;
    expect(last.isFinal).toBe(true);
    expect(nextAnnouncement(last, finished, 60_000)).toBe(last);
  });
});

it.each([
  [0, [0]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 3, 4]],
  [99, [0, 33, 66, 99]],
])("of the plies up to %s at most four are selected: %s", (last, plies) => {
  expect(selectPlies(last, 4)).toEqual(plies);
});
