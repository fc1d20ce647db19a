import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import { fetchMatch } from "../api/client";
import { ApiError } from "../api/errors";
import type { SocketOptions } from "../api/socket";
import type { EventView, MatchMessage, MatchView } from "../api/types";
import { MatchStore } from "./matchStore.svelte";

const { FakeSocket, sockets } = vi.hoisted(() => {
  const sockets: FakeSocket[] = [];
  class FakeSocket {
    isOpen = false;
    sent: { request_id: string; type: string }[] = [];
    constructor(readonly options: SocketOptions<MatchMessage>) {
      sockets.push(this);
    }
    open(): void {
      this.isOpen = true;
      this.options.onOpen?.();
    }
    send(message: { request_id: string; type: string }): void {
      this.sent.push(message);
    }
    close(): void {
      this.isOpen = false;
    }
  }
  return { FakeSocket, sockets };
});

vi.mock("../../i18n/index.svelte", () => ({ t: { offline: { lost: "no connection" } } }));
vi.mock("../api/socket", () => ({ ReconnectingSocket: FakeSocket }));
vi.mock("../api/client", () => ({ fetchMatch: vi.fn() }));

const start = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView;
const after = (seq: number): MatchView => ({ ...start, state: { ...start.state, seq } });
const event = (seq: number, type: EventView["type"]): EventView => ({
  seq,
  timestamp_ms: 0,
  type,
  seat: 0,
  user_id: null,
  data: { move: "a1" },
});
const events = (seq: number, type: EventView["type"]): MatchMessage => ({
  type: "events",
  events: [event(seq, type)],
  state: after(seq).state,
});

async function openStore(
  key: string | null = null,
): Promise<{ store: MatchStore; socket: InstanceType<typeof FakeSocket> }> {
  vi.mocked(fetchMatch).mockResolvedValueOnce(start);
  const store = new MatchStore("abc", key);
  await vi.waitFor(() => expect(sockets.length).toBe(1));
  sockets[0]!.open();
  return { store, socket: sockets[0]! };
}

beforeEach(() => {
  sockets.length = 0;
});
afterEach(() => vi.clearAllMocks());

it("the socket goes on after the last event that the match contains", async () => {
  const { store, socket } = await openStore();
  expect(store.isConnected).toBe(true);
  expect(socket.options.path()).toBe(`/matches/abc/stream?after=${start.state.seq}&epoch=${start.epoch}`);
  socket.options.onMessage(events(2, "move-played"));
  expect(socket.options.path()).toBe(`/matches/abc/stream?after=2&epoch=${start.epoch}`);
  expect(store.match?.moves.length).toBe(1);
});

it("events are reported once, with the match before and after them", async () => {
  const { store, socket } = await openStore();
  const report = vi.fn();
  store.onEvents = report;
  socket.options.onMessage(events(2, "draw-declined"));
  socket.options.onMessage(events(2, "draw-declined"));
  expect(report).toHaveBeenCalledExactlyOnceWith([event(2, "draw-declined")], start, store.match);
});

describe("an action", () => {
  it("resolves when the server has stored it", async () => {
    const { store, socket } = await openStore();
    const done = store.perform({ type: "resign" });
    socket.options.onMessage({
      type: "ack",
      request_id: socket.sent[0]!.request_id,
      event: event(2, "resigned"),
      events: null,
      state: null,
    });
    await expect(done).resolves.toBeUndefined();
  });
  it("fails with the server's code, and takes over the state that comes with it", async () => {
    const { store, socket } = await openStore();
    const done = store.perform({ type: "move", move: "a1", position_version: 1 });
    const { request_id } = socket.sent[0]!;
    socket.options.onMessage({ type: "error", request_id, code: "stale", message: "", details: { match: after(7) } });
    await expect(done).rejects.toMatchObject({ code: "stale" });
    expect(store.match?.state.seq).toBe(7);
  });
  it("fails when the connection is lost, or is not there", async () => {
    const { store, socket } = await openStore();
    const done = store.perform({ type: "resign" });
    socket.options.onLost?.();
    await expect(done).rejects.toMatchObject({ code: "offline" });
    expect(store.isConnected).toBe(false);
    socket.isOpen = false;
    await expect(store.perform({ type: "resign" })).rejects.toMatchObject({ code: "offline" });
  });
});

it("the whole match is fetched when it begins, unless later events have come in the meantime", async () => {
  const { store, socket } = await openStore();
  const joined = { ...after(2), spec: "joined" };
  vi.mocked(fetchMatch).mockResolvedValueOnce(joined);
  socket.options.onMessage(events(2, "match-started"));
  await vi.waitFor(() => expect(store.match).toEqual(joined));
  vi.mocked(fetchMatch).mockResolvedValueOnce({ ...after(3), spec: "outdated" });
  socket.options.onMessage(events(3, "match-started"));
  socket.options.onMessage(events(4, "move-played"));
  await Promise.resolve();
  await Promise.resolve();
  expect(store.match?.spec).toBe("joined");
});

it("the ratings are fetched after the end of a rated match, until they have changed", async () => {
  const { store, socket } = await openStore();
  const rated = (change: number | null, result: MatchView["state"]["result"]): MatchView => ({
    ...start,
    rated: true,
    seats: start.seats.map((seat) => ({ ...seat, rating: { rating: 1500, deviation: 60, change } })),
    state: { ...start.state, seq: 5, result, status: result ? "over" : "playing" },
  });
  socket.options.onMessage({ type: "snapshot", match: rated(null, null) });
  vi.useFakeTimers();
  const over = rated(null, { winner: 0, colour: "red", reason: "resign", is_void: false, is_declined: false });
  vi.mocked(fetchMatch).mockClear().mockResolvedValueOnce(over).mockResolvedValueOnce(rated(9, over.state.result));
  socket.options.onMessage({ type: "events", events: [event(6, "resigned")], state: { ...over.state, seq: 5 } });
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(fetchMatch).toHaveBeenCalledTimes(2);
  expect(store.match?.seats[0]?.rating?.change).toBe(9);
});

it("the ratings are fetched also when a match has just ended before the page was opened", async () => {
  vi.useFakeTimers();
  const seats = (change: number | null): MatchView["seats"] =>
    start.seats.map((seat) => ({ ...seat, rating: { rating: 1500, deviation: 60, change } }));
  const result = { winner: 0, colour: "red", reason: "resign", is_void: false, is_declined: false };
  const over: MatchView = { ...start, rated: true, seats: seats(null), state: { ...start.state, result, status: "over" } };
  vi.mocked(fetchMatch)
    .mockResolvedValueOnce(over)
    .mockResolvedValueOnce({ ...over, seats: seats(9) });
  const store = new MatchStore("abc");
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(store.match?.seats[0]?.rating?.change).toBe(9);
});

it("a match that does not exist is an error, without a socket", async () => {
  vi.mocked(fetchMatch).mockRejectedValueOnce(new ApiError("not-found", "no such match"));
  const store = new MatchStore("abc");
  await vi.waitFor(() => expect(store.error).toMatchObject({ code: "not-found" }));
  expect(sockets.length).toBe(0);
});

it("a spectator of a private match sends its key with every request", async () => {
  const { socket } = await openStore("k/y");
  expect(fetchMatch).toHaveBeenCalledWith("abc", "k/y");
  expect(socket.options.path()).toBe(`/matches/abc/stream?after=${start.state.seq}&epoch=${start.epoch}&key=k%2Fy`);
});

it("a published match is public, and one that may not be read any more is gone", async () => {
  const { store, socket } = await openStore();
  socket.options.onMessage(events(2, "match-published"));
  expect(store.match?.public).toBe(true);
  socket.options.onMessage({ type: "error", request_id: null, code: "not-found", message: "", details: {} });
  expect([store.match, store.error]).toMatchObject([null, { code: "not-found" }]);
});
