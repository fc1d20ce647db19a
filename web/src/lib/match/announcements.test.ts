// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import type { EventView, MatchView } from "../api/types";
import { preferences } from "../state/preferences.svelte";
import { announceMoves, describeAnswer } from "./announcements";

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView; // seat 0 is ours
const NAME = START.seats[1]!.user!.name;
const CELLS = { c3: ["c3"], "/c3": ["c3"], "d4-e5": ["d4", "e5"], "c3-off": ["c3"], swap: [], odd: ["a1", "b1", "c1"] };
const event = (type: EventView["type"], seat: number, data: Record<string, unknown> = {}): EventView => ({
  seq: 9,
  timestamp_ms: 0,
  type,
  seat,
  user_id: null,
  data,
});
const played = (move: string, seat = 1): EventView => event("move-played", seat, { move });
const announce = (...events: EventView[]): string[] => announceMoves(START, START, events, CELLS);

beforeEach(() => {
  preferences.language = "en";
});

describe("a move of the opponent", () => {
  it("is announced in words, both steps of a turn", () => {
    expect(announce(played("d4-e5"), played("/c3"))).toEqual([
      `${NAME} moves from d4 to e5.`,
      `${NAME} places the disc on c3.`,
    ]);
    expect(announce(played("c3"))).toEqual([`${NAME} plays on c3.`]);
    expect(announce(played("c3-off"))).toEqual([`${NAME} bears off a checker from c3.`]);
    expect(announce(played("swap"))).toEqual([`${NAME} swaps the colours.`]);
    expect(announce(played("odd"))).toEqual([`${NAME} plays odd.`]);
  });
  it("names the cells that it empties", () => {
    const stone = [{ kind: "stone" as const, colour: "red", letter: "" }];
    const withPieces = (pieces: Record<string, typeof stone>): MatchView => ({
      ...START,
      state: { ...START.state, position: { ...START.state.position!, pieces } },
    });
    const [before, after] = [withPieces({ b2: stone, d4: stone }), withPieces({ e5: stone })];
    expect(announceMoves(before, after, [played("d4-e5")], CELLS)).toEqual([`${NAME} moves from d4 to e5.`, "Removed: b2."]);
  });
  it("is announced in German", () => {
    preferences.language = "de";
    expect(announce(played("d4-e5"))).toEqual([`${NAME} zieht von d4 nach e5.`]);
  });
});

it("one's own moves are not announced, but spectators hear both sides", () => {
  expect(announce(played("c3", 0))).toEqual([]);
  const watched = { ...START, your_seats: [] };
  expect(announceMoves(watched, watched, [played("c3", 0), played("c3")], CELLS).length).toBe(2);
});

it("the opponent's answer to an offer is told to the player, not to spectators", () => {
  expect(describeAnswer(START, [event("draw-declined", 1)])).toBe(`${NAME} declines the draw.`);
  expect(describeAnswer(START, [event("takeback-declined", 1)])).toBe(`${NAME} declines the takeback.`);
  expect(describeAnswer(START, [event("draw-declined", 0), played("c3")])).toBeNull();
  expect(describeAnswer({ ...START, your_seats: [] }, [event("draw-declined", 1)])).toBeNull();
});
