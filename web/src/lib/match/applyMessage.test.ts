import { describe, expect, it } from "vitest";
import transcript from "../../../../tests/pins/interfaces/match.jsonl?raw";
import type { EventView, MatchView } from "../api/types";
import { applyMessage, type MatchMessage, startsMatch } from "./applyMessage";

/** The recorded messages of the server, and last the match as it then answers over HTTP. */
function readTranscript(): { messages: MatchMessage[]; final: MatchView } {
  const lines = transcript.trim().split("\n");
  const received = lines.filter((line) => line.startsWith("< ")).map((line) => JSON.parse(line.slice(2)));
  return { messages: received.slice(0, -1), final: received.at(-1) };
}

const { messages, final } = readTranscript();
const start = (messages[0] as Extract<MatchMessage, { type: "state" }>).match;

describe("a recorded match", () => {
  it("ends in the state that the server gives over HTTP", () => {
    const match = messages.reduce(applyMessage, null as MatchView | null)!;
    expect(match.steps).toEqual(final.steps);
    expect(match.chat).toEqual(final.chat);
    expect(match.now).toEqual(final.now);
    expect(match.seats).toEqual(final.seats);
  });
  it("is not changed in place", () => {
    const before = JSON.stringify(start);
    messages.reduce(applyMessage, start as MatchView | null);
    expect(JSON.stringify(start)).toBe(before);
  });
  it("does not take an event twice", () => {
    const twice = messages.flatMap((message) => [message, message]).reduce(applyMessage, null as MatchView | null)!;
    expect(twice.steps).toEqual(final.steps);
    expect(twice.chat).toEqual(final.chat);
  });
});

const event = (number: number, kind: string, data: Record<string, unknown> = {}): EventView => ({
  number,
  at: 0,
  kind,
  seat: 0,
  user: null,
  data,
});
const events = (...list: EventView[]): MatchMessage => ({
  type: "events",
  events: list,
  now: { ...start.now, number: list.at(-1)!.number },
});

describe("one message", () => {
  it("has no effect before the match is known", () => {
    expect(applyMessage(null, { type: "presence", present: { seats: [true, true], watchers: 0 } })).toBeNull();
  });
  it("about presence leaves the rest as it is", () => {
    const present = { seats: [true, false], watchers: 3 };
    const match = applyMessage(start, { type: "presence", present })!;
    expect(match.present).toEqual(present);
    expect(match.now).toBe(start.now);
  });
  it("about the engine changes its status only", () => {
    const match = applyMessage(start, { type: "bot", bot: "thinking" })!;
    expect(match.now).toEqual({ ...start.now, bot: "thinking" });
  });
  it("that takes moves back removes them from the named event on", () => {
    const played = applyMessage(start, events(event(2, "step", { move: "a1" }), event(3, "step", { move: "b1" })));
    const after = applyMessage(played, events(event(4, "takeback-accepted", { of: 3 })))!;
    expect(after.steps.map(({ move }) => move)).toEqual(["a1"]);
  });
  it("with swapped colours changes the colours of the seats", () => {
    const message = events(event(2, "step", { move: "swap" })) as Extract<MatchMessage, { type: "events" }>;
    const match = applyMessage(start, { ...message, now: { ...message.now, colours: ["blue", "red"] } })!;
    expect(match.seats.map(({ colour }) => colour)).toEqual(["blue", "red"]);
  });
  it("that begins the match asks for the whole match", () => {
    expect(startsMatch(events(event(1, "begin")))).toBe(true);
    expect(startsMatch(events(event(2, "step")))).toBe(false);
    expect(startsMatch({ type: "bot", bot: null })).toBe(false);
  });
});
