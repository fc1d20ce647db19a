import { describe, expect, it } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import type { EventView, MatchMessage, MatchView } from "../api/types";
import { applyMessage, startsMatch } from "./applyMessage";

/** The recorded messages of the server, and last the match as it then answers over HTTP. */
function readTranscript(): { messages: MatchMessage[]; final: MatchView } {
  const lines = transcript.trim().split("\n");
  const received = lines.filter((line) => line.startsWith("< ")).map((line) => JSON.parse(line.slice(2)));
  return { messages: received.slice(0, -1), final: received.at(-1) };
}

const { messages, final } = readTranscript();
const start = (messages[0] as Extract<MatchMessage, { type: "snapshot" }>).match;

describe("a recorded match", () => {
  it("ends in the state that the server gives over HTTP", () => {
    const match = messages.reduce(applyMessage, null as MatchView | null)!;
    expect(match.moves).toEqual(final.moves);
    expect(match.chat).toEqual(final.chat);
    expect(match.state).toEqual(final.state);
    expect(match.seats).toEqual(final.seats);
  });
  it("is not changed in place", () => {
    const before = JSON.stringify(start);
    messages.reduce(applyMessage, start as MatchView | null);
    expect(JSON.stringify(start)).toBe(before);
  });
  it("does not take an event twice", () => {
    const twice = messages.flatMap((message) => [message, message]).reduce(applyMessage, null as MatchView | null)!;
    expect(twice.moves).toEqual(final.moves);
    expect(twice.chat).toEqual(final.chat);
  });
});

const event = (seq: number, type: EventView["type"], data: Record<string, unknown> = {}): EventView => ({
  seq,
  timestamp_ms: 0,
  type,
  seat: 0,
  user_id: null,
  data,
});
const events = (...list: EventView[]): MatchMessage => ({
  type: "events",
  events: list,
  state: { ...start.state, seq: list.at(-1)!.seq },
});

describe("one message", () => {
  it("has no effect before the match is known", () => {
    expect(applyMessage(null, { type: "presence", presence: { seats: [true, true], watchers: 0 } })).toBeNull();
  });
  it("about presence leaves the rest as it is", () => {
    const presence = { seats: [true, false], watchers: 3 };
    const match = applyMessage(start, { type: "presence", presence })!;
    expect(match.presence).toEqual(presence);
    expect(match.state).toBe(start.state);
  });
  it("about the engine changes its status only", () => {
    const match = applyMessage(start, { type: "engine-status", engine_status: "thinking" })!;
    expect(match.state).toEqual({ ...start.state, engine_status: "thinking" });
  });
  it("that takes moves back removes them from the named event on", () => {
    const played = applyMessage(
      start,
      events(event(2, "move-played", { move: "a1" }), event(3, "move-played", { move: "b1" })),
    );
    const after = applyMessage(played, events(event(4, "takeback-accepted", { event_seq: 3 })))!;
    expect(after.moves.map(({ move }) => move)).toEqual(["a1"]);
  });
  it("with swapped colours changes the colours of the seats", () => {
    const message = events(event(2, "move-played", { move: "swap" })) as Extract<MatchMessage, { type: "events" }>;
    const match = applyMessage(start, { ...message, state: { ...message.state, colours: ["blue", "red"] } })!;
    expect(match.seats.map(({ colour }) => colour)).toEqual(["blue", "red"]);
  });
  it("that begins the match asks for the whole match", () => {
    expect(startsMatch(events(event(1, "match-started")))).toBe(true);
    expect(startsMatch(events(event(2, "move-played")))).toBe(false);
    expect(startsMatch({ type: "engine-status", engine_status: null })).toBe(false);
  });
});
