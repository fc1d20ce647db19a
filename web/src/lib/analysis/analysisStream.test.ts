import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnalysisReport } from "../api/types";
import { AnalysisStream, parseAnalysisMessage, retryDelayMs } from "./analysisStream";

vi.mock("../../i18n/index.svelte", () => ({ t: { offline: { lost: "no connection" } } }));

class FakeWebSocket {
  static readonly OPEN = 1;
  static opened: FakeWebSocket[] = [];
  readyState = 0;
  sent: AnalysisReport[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeWebSocket.opened.push(this);
  }
  open(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.onopen?.();
  }
  fail(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
}

const last = (): FakeWebSocket => FakeWebSocket.opened.at(-1)!;
const REQUEST = { spec: "x", position: null, moves: ["c3"], level: 6, seconds: 60, lines: 3 };
const report = (request_id: string, visits: number, is_final = false): AnalysisReport => ({
  type: "analysis",
  waited_seconds: 0,
  request_id,
  is_final,
  seat: 0,
  value: 0.5,
  certainty: "estimate",
  visits,
  lines: [],
});
const error = (code: string, details = {}) => ({ type: "error", request_id: null, code, message: "no", details });

beforeEach(() => {
  vi.useFakeTimers();
  FakeWebSocket.opened = [];
  vi.stubGlobal("WebSocket", FakeWebSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "example.org" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a message", () => {
  it("is a report or an error", () => {
    expect(parseAnalysisMessage(JSON.stringify(report("1", 5)))).toEqual(report("1", 5));
    expect(parseAnalysisMessage(JSON.stringify(error("busy")))).toEqual(error("busy"));
  });
  it.each(["", "{", "null", "[]", '"analysis"', '{"type": "other"}'])("%s is an internal error", (text) => {
    expect(parseAnalysisMessage(text)).toMatchObject({ type: "error", code: "internal" });
  });
  it("may say when the request is permitted again", () => {
    expect(retryDelayMs(parseAnalysisMessage(JSON.stringify(error("too-many", { retry_after: 1.5 }))))).toBe(1500);
    expect(retryDelayMs(parseAnalysisMessage(JSON.stringify(error("too-many"))))).toBeNull();
    expect(retryDelayMs(parseAnalysisMessage(JSON.stringify(error("busy", { retry_after: 1.5 }))))).toBeNull();
    expect(retryDelayMs(report("1", 5))).toBeNull();
  });
});

describe("an analysis", () => {
  it("is requested when the socket is open, passes its reports on, and resolves with the final one", async () => {
    const stream = new AnalysisStream();
    const seen: number[] = [];
    const done = stream.analyse(REQUEST, ({ visits }) => seen.push(visits));
    expect(last().url).toBe("ws://example.org/api/positions/analyse/stream");
    expect(last().sent).toEqual([]);
    last().open();
    expect(last().sent).toEqual([{ ...REQUEST, request_id: "1" }]);
    last().say(report("1", 10));
    last().say(report("1", 20));
    last().say(report("1", 30, true));
    expect((await done).visits).toBe(30);
    expect(seen).toEqual([10, 20, 30]);
  });
  it("is told how many come before it", async () => {
    const stream = new AnalysisStream();
    const seen: number[] = [];
    const done = stream.analyse(REQUEST, undefined, ({ jobs_before }) => seen.push(jobs_before));
    last().open();
    last().say({ type: "queued", request_id: "1", jobs_before: 2, expected_seconds: 9 });
    last().say({ type: "queued", request_id: "0", jobs_before: 7, expected_seconds: 9 });
    last().say(report("1", 5, true));
    await done;
    expect(seen).toEqual([2]);
  });
  it("cancels the one before on the same socket, whose late reports are ignored", async () => {
    const stream = new AnalysisStream();
    const [first, second] = [vi.fn(), vi.fn()];
    const cancelled = stream.analyse(REQUEST, first);
    last().open();
    const done = stream.analyse(REQUEST, second);
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    last().say(report("1", 10));
    last().say(report("2", 20, true));
    expect((await done).visits).toBe(20);
    expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
    expect(FakeWebSocket.opened.length).toBe(1);
    expect(last().sent.map(({ request_id }) => request_id)).toEqual(["1", "2"]);
  });
  it("is cancelled by closing, which closes the socket; the next one opens another", async () => {
    const stream = new AnalysisStream();
    const onReport = vi.fn();
    const cancelled = stream.analyse(REQUEST, onReport);
    const socket = last();
    socket.open();
    stream.close();
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    expect(socket.readyState).toBe(3);
    socket.say(report("1", 10));
    expect(onReport).not.toHaveBeenCalled();
    const cancelledToo = stream.analyse(REQUEST);
    expect(FakeWebSocket.opened.length).toBe(2);
    stream.close();
    await expect(cancelledToo).rejects.toMatchObject({ code: "cancelled" });
  });
  it("fails with the server's code, and the next one uses the same socket", async () => {
    const stream = new AnalysisStream();
    const failed = stream.analyse(REQUEST);
    last().open();
    last().say(error("game-over"));
    await expect(failed).rejects.toMatchObject({ code: "game-over", message: "no" });
    const done = stream.analyse(REQUEST);
    last().say(report("2", 5, true));
    expect((await done).visits).toBe(5);
    expect(FakeWebSocket.opened.length).toBe(1);
  });
  it("fails when the connection is lost, and the next one connects again", async () => {
    const stream = new AnalysisStream();
    const failed = stream.analyse(REQUEST);
    last().fail();
    await expect(failed).rejects.toMatchObject({ code: "offline", message: "no connection" });
    void stream.analyse(REQUEST).catch(() => undefined);
    expect(FakeWebSocket.opened.length).toBe(2);
    stream.close();
  });
  it("is requested again when the server permits it", async () => {
    const stream = new AnalysisStream();
    const done = stream.analyse(REQUEST);
    last().open();
    last().say(error("too-many", { retry_after: 2 }));
    vi.advanceTimersByTime(1999);
    expect(last().sent.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(last().sent.length).toBe(2);
    last().say(report("1", 5, true));
    expect((await done).visits).toBe(5);
  });
  it("is not requested again after it was cancelled", () => {
    const stream = new AnalysisStream();
    void stream.analyse(REQUEST).catch(() => undefined);
    const socket = last();
    socket.open();
    socket.say(error("too-many", { retry_after: 2 }));
    stream.close();
    vi.advanceTimersByTime(5000);
    expect(socket.sent.length).toBe(1);
  });
});
