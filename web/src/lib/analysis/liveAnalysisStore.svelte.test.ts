// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import type { AnalysisReport, PositionRequest } from "../api/types";
import { LiveAnalysisStore } from "./liveAnalysisStore.svelte";

const { FakeStream, streams } = vi.hoisted(() => {
  class FakeStream {
    asked: PositionRequest[] = [];
    closed = 0;
    report: (report: AnalysisReport) => void = () => undefined;
    resolve: (report: AnalysisReport) => void = () => undefined;
    reject: (error: unknown) => void = () => undefined;
    constructor() {
      streams.push(this);
    }
    analyse(request: PositionRequest, onReport: (report: AnalysisReport) => void): Promise<AnalysisReport> {
      this.asked.push(request);
      this.report = onReport;
      return new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    }
    close(): void {
      this.closed += 1;
    }
  }
  const streams: FakeStream[] = [];
  return { FakeStream, streams };
});
vi.mock("./analysisStream", () => ({ AnalysisStream: FakeStream, CANCELLED: "cancelled" }));

const line = (...moves: string[]): PositionRequest => ({ spec: "x", position: null, moves });
const report = (visits: number, is_final = false): AnalysisReport => ({
  type: "analysis",
  waited_seconds: 0,
  request_id: "1",
  is_final,
  seat: 0,
  value: 0.5,
  certainty: "estimate",
  visits,
  lines: [],
});

let current = $state.raw<PositionRequest | null>(null);
let store: LiveAnalysisStore;
let leave: () => void;
const stream = () => streams[0]!;
const asked = (): string[] => stream().asked.map(({ moves }) => moves.join(" "));

function go(to: PositionRequest | null): void {
  current = to;
  flushSync();
}
function turn(on: boolean): void {
  store.isOn = on;
  flushSync();
}
/** Let an analysis begin. */
const pass = (): void => void vi.advanceTimersByTime(250);

beforeEach(() => {
  vi.useFakeTimers();
  streams.length = 0;
  current = line("a1");
  leave = $effect.root(() => {
    store = new LiveAnalysisStore(() => current);
  });
  flushSync();
});
afterEach(() => {
  leave();
  vi.useRealTimers();
});

it("asks for nothing until it is switched on", () => {
  pass();
  expect(asked()).toEqual([]);
  turn(true);
  expect(store.analysis.status).toBe("waiting");
  pass();
  expect(asked()).toEqual(["a1"]);
  stream().report(report(10));
  stream().report(report(20));
  expect(store.analysis).toMatchObject({ status: "searching", report: { visits: 20 } });
});

describe("the search is cancelled", () => {
  beforeEach(() => {
    turn(true);
    pass();
    stream().report(report(10));
    expect(stream().closed).toBe(0);
  });
  it("by another position, which is analysed next", () => {
    go(line("a1", "b2"));
    expect(stream().closed).toBe(1);
    expect(store.analysis).toMatchObject({ status: "waiting", report: null });
    pass();
    expect(asked()).toEqual(["a1", "a1 b2"]);
  });
  it("by a position without analysis", () => {
    go(null);
    expect([stream().closed, store.analysis.status]).toEqual([1, "off"]);
  });
  it("by switching off", () => {
    turn(false);
    expect([stream().closed, store.analysis.status]).toEqual([1, "off"]);
  });
  it("by leaving the page", () => {
    leave();
    expect(stream().closed).toBe(1);
  });
});

it("positions that are passed quickly are not asked for", () => {
  turn(true);
  for (const moves of ["b1", "c1", "d1"]) {
    go(line(moves));
    vi.advanceTimersByTime(100);
  }
  pass();
  expect(asked()).toEqual(["d1"]);
});

it("a final result is shown again without another search", async () => {
  turn(true);
  pass();
  stream().report(report(30, true));
  stream().resolve(report(30, true));
  await vi.advanceTimersByTimeAsync(0);
  go(line("b1"));
  go(line("a1"));
  pass();
  expect(store.analysis).toMatchObject({ status: "finished", report: { visits: 30 } });
  expect(asked()).toEqual(["a1"]);
});

it("a failure is shown until the next attempt; a cancelled analysis is none", async () => {
  turn(true);
  pass();
  stream().reject(new ApiError("busy", ""));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.analysis).toMatchObject({ status: "failed", error: { code: "busy" } });
  store.retry();
  flushSync();
  expect(store.analysis).toMatchObject({ status: "waiting", error: null });
  pass();
  expect(asked()).toEqual(["a1", "a1"]);
  stream().reject(new ApiError("cancelled", ""));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.analysis.status).toBe("waiting");
});
