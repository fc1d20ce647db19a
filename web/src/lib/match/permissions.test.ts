import { describe, expect, it } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import type { MatchView } from "../api/types";
import { mayAnalyse, mayRematch, mayReview } from "./permissions";

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView; // seat 0 is ours
const MOVE = { seq: 2, seat: 0, move: "a1", timestamp_ms: 0 };
const withStatus = (status: MatchView["state"]["status"], more: Partial<MatchView> = {}): MatchView => ({
  ...START,
  moves: [MOVE],
  ...more,
  state: { ...START.state, status },
});
const own = START.seats[0]!.user!;
const free = { moves: [], seats: [START.seats[0]!, { ...START.seats[1]!, user: null }] };

describe("the engine", () => {
  it("is not offered during a match between two users, neither to players nor to spectators", () => {
    expect(mayAnalyse(withStatus("playing"))).toBe(false);
    expect(mayAnalyse(withStatus("playing", { your_seats: [] }))).toBe(false);
    expect(mayAnalyse(withStatus("waiting", free))).toBe(false);
  });
  it("is offered after it, and in a match against oneself", () => {
    expect(mayAnalyse(withStatus("over"))).toBe(true);
    const seats = START.seats.map((seat) => ({ ...seat, user: own }));
    expect(mayAnalyse(withStatus("playing", { seats, your_seats: [0, 1] }))).toBe(true);
  });
});

describe("after the end", () => {
  it("a match can be reviewed, and its players can play again", () => {
    expect([mayReview(withStatus("over")), mayRematch(withStatus("over"))]).toEqual([true, true]);
    expect(mayRematch(withStatus("over", { your_seats: [] }))).toBe(false);
    expect([mayReview(withStatus("playing")), mayRematch(withStatus("playing"))]).toEqual([false, false]);
  });
  it("a withdrawn invitation offers neither", () => {
    expect([mayReview(withStatus("over", free)), mayRematch(withStatus("over", free))]).toEqual([false, false]);
  });
});
