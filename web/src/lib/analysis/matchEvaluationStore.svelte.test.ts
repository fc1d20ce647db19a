// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import { ApiError } from "../api/errors";
import type { AnalysisReport, AnalysisStreamRequest, MatchView } from "../api/types";
import { MatchEvaluationStore } from "./matchEvaluationStore.svelte";

const { FakeStream, stream } = vi.hoisted(() => {
  const stream = {
    asked: [] as AnalysisStreamRequest[],
    reject: (_: unknown): void => undefined,
    answer: null as ((request: AnalysisStreamRequest) => Partial<AnalysisReport>) | null,
  };
  class FakeStream {
    analyse(request: AnalysisStreamRequest, onReport: (report: AnalysisReport) => void): Promise<AnalysisReport> {
      stream.asked.push(request);
      const report = stream.answer?.(request) as AnalysisReport | undefined;
      if (report) onReport(report);
      return report ? Promise.resolve(report) : new Promise((_, reject) => Object.assign(stream, { reject }));
    }
    close(): void {
      stream.reject(Object.assign(new Error(), { name: "ApiError", code: "cancelled" }));
    }
  }
  return { FakeStream, stream };
});
vi.mock("./analysisStream", () => ({ AnalysisStream: FakeStream, CANCELLED: "cancelled" }));

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView;
const moves: MatchView["moves"] = ["b2", "a1", "c3"].map((move, seat) => ({
  seq: seat,
  seat: seat % 2,
  move,
  timestamp_ms: 0,
}));
const WON = { winner: 1, colour: "blue", reason: "resign", is_void: false };
const playing: MatchView = { ...START, moves };
const over: MatchView = { ...playing, state: { ...START.state, status: "over", result: WON } };

let match = playing;
let store: MatchEvaluationStore;
let leave: () => void;

beforeEach(() => {
  Object.assign(stream, { asked: [], reject: () => undefined });
  stream.answer = ({ moves: played }) => ({ seat: played.length % 2, value: 0.75 });
  leave = $effect.root(() => {
    store = new MatchEvaluationStore(() => match);
  });
  flushSync();
});
afterEach(() => leave());

it("evaluates all positions of a match in progress for the first seat", async () => {
  match = playing;
  await store.run();
  expect({ ...store.values }).toEqual({ 0: 0.75, 1: 0.25, 2: 0.75, 3: 0.25 });
  expect([store.isComplete, store.progress, store.error]).toEqual([true, null, null]);
});

it("takes the last value from the result where there is one", async () => {
  match = over;
  await store.run();
  expect({ ...store.values }).toEqual({ 0: 0.75, 1: 0.25, 2: 0.75, 3: 0 });
  match = { ...over, state: { ...over.state, result: { ...WON, winner: null } } };
  await store.run();
  expect(store.values[3]).toBe(0.5);
});

it("searches for twice as long every further time", async () => {
  match = over;
  await store.run();
  await store.run();
  expect(new Set(stream.asked.map(({ seconds }) => seconds))).toEqual(new Set([0.5, 1]));
});

it("stops, and can be run again", async () => {
  match = playing;
  stream.answer = null;
  const run = store.run();
  expect(store.progress).toEqual([0, 4]);
  store.stop();
  await run;
  expect([store.progress, store.error, store.isComplete]).toEqual([null, null, false]);
});

it("stops with the page", async () => {
  match = playing;
  stream.answer = null;
  const run = store.run();
  leave();
  await run;
  expect(stream.asked.length).toBe(1);
});

it("shows why it failed", async () => {
  stream.answer = null;
  const run = store.run();
  stream.reject(new ApiError("busy", ""));
  await run;
  expect(store.error).toMatchObject({ code: "busy" });
  expect(store.progress).toBeNull();
});
