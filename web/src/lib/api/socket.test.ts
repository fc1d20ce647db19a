import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReconnectingSocket } from "./socket";

class FakeWebSocket {
  static readonly OPEN = 1;
  static opened: FakeWebSocket[] = [];
  readyState = 0;
  sent: string[] = [];
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
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
}

const listeners = new Map<string, () => void>();
const sockets = (): FakeWebSocket[] => FakeWebSocket.opened;
const last = (): FakeWebSocket => sockets().at(-1)!;
const options = () => ({ path: vi.fn(() => "/lobby/stream"), onMessage: vi.fn(), onOpen: vi.fn(), onLost: vi.fn() });

beforeEach(() => {
  vi.useFakeTimers();
  FakeWebSocket.opened = [];
  listeners.clear();
  vi.stubGlobal("WebSocket", FakeWebSocket);
  vi.stubGlobal("location", { protocol: "https:", host: "example.org" });
  vi.stubGlobal("addEventListener", (name: string, listener: () => void) => listeners.set(name, listener));
  vi.stubGlobal("removeEventListener", (name: string) => listeners.delete(name));
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("connects to the page's own host and passes messages on", () => {
  const given = options();
  const socket = new ReconnectingSocket(given);
  expect(last().url).toBe("wss://example.org/api/lobby/stream");
  expect(socket.isOpen).toBe(false);
  last().open();
  last().onmessage!({ data: '{"type":"snapshot"}' });
  expect(socket.isOpen).toBe(true);
  expect(given.onOpen).toHaveBeenCalledOnce();
  expect(given.onMessage).toHaveBeenCalledWith({ type: "snapshot" });
  socket.send({ type: "resign" });
  expect(last().sent).toEqual(['{"type":"resign"}']);
});

describe("after a failure", () => {
  it("tries again with twice the delay each time, up to a limit", () => {
    const given = { ...options(), maxDelayMs: 4000 };
    new ReconnectingSocket(given);
    const delays = [1000, 2000, 4000, 4000];
    for (const delay of delays) {
      const before = sockets().length;
      last().fail();
      vi.advanceTimersByTime(delay - 1);
      expect(sockets().length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(sockets().length).toBe(before + 1);
    }
    expect(given.onLost).toHaveBeenCalledTimes(delays.length);
    expect(given.path).toHaveBeenCalledTimes(1 + delays.length);
  });
  it("waits at least half of the delay", () => {
    vi.mocked(Math.random).mockReturnValue(0);
    new ReconnectingSocket(options());
    last().fail();
    vi.advanceTimersByTime(499);
    expect(sockets().length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(sockets().length).toBe(2);
  });
  it("begins with the first delay again when the connection has lasted", () => {
    new ReconnectingSocket(options());
    for (let failure = 0; failure < 5; failure++) {
      last().fail();
      vi.advanceTimersByTime(30_000);
    }
    last().open();
    vi.advanceTimersByTime(5000);
    const before = sockets().length;
    last().fail();
    vi.advanceTimersByTime(500);
    expect(sockets().length).toBe(before + 1);
  });
  it("keeps the delay when the connection ended at once", () => {
    new ReconnectingSocket(options());
    last().fail();
    vi.advanceTimersByTime(1000);
    last().open();
    last().fail();
    vi.advanceTimersByTime(1999);
    expect(sockets().length).toBe(2);
  });
});

describe("when the browser goes online", () => {
  it("connects at once", () => {
    new ReconnectingSocket(options());
    last().fail();
    listeners.get("online")!();
    expect(sockets().length).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(sockets().length).toBe(2);
  });
  it("replaces a connection from before, which may be dead", () => {
    const given = options();
    new ReconnectingSocket(given);
    const first = last();
    first.open();
    listeners.get("online")!();
    expect(first.readyState).toBe(3);
    expect(first.onmessage).toBeNull();
    expect(given.onLost).toHaveBeenCalledOnce();
    expect(sockets().length).toBe(2);
  });
});

it("a closed socket does not come back", () => {
  const given = options();
  const socket = new ReconnectingSocket(given);
  last().open();
  socket.close();
  expect(last().readyState).toBe(3);
  expect(listeners.size).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(sockets().length).toBe(1);
  expect(given.onLost).not.toHaveBeenCalled();
});
