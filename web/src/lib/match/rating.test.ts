import { expect, it } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import type { MatchView, SeatRatingView } from "../api/types";
import { awaitsRatingChange, formatRating } from "./rating";

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView;
const END = { winner: 0, colour: "red", reason: "resign", is_void: false, is_declined: false };
const match = (change: number | null, result: typeof END | null = END, rated = true): MatchView => ({
  ...START,
  rated,
  seats: START.seats.map((seat) => ({ ...seat, rating: { rating: 1500, deviation: 60, change } })),
  state: { ...START.state, result },
});

it("a rating is a whole number, with a question mark while it is provisional", () => {
  const rating = (deviation: number): SeatRatingView => ({ rating: 1612.7, deviation, change: null });
  expect([formatRating(rating(60)), formatRating(rating(200))]).toEqual(["1613", "1613?"]);
});

it("the change of ratings is awaited after a rated match that counts", () => {
  expect(awaitsRatingChange(match(null))).toBe(true);
  expect(awaitsRatingChange(match(12.3))).toBe(false);
  expect(awaitsRatingChange(match(null, null))).toBe(false);
  expect(awaitsRatingChange(match(null, { ...END, is_void: true }))).toBe(false);
  expect(awaitsRatingChange(match(null, END, false))).toBe(false);
});
