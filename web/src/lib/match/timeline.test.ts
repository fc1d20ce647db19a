import { describe, expect, it } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import type { GameView, MatchView, PlayedMoveView } from "../api/types";
import {
  isLive,
  lastMoveCells,
  lastTurnCells,
  lineAt,
  moveNumber,
  parseTimelinePoint,
  timelineUrl,
  variationNumber,
} from "./timeline";

const recorded = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView;
const moves: PlayedMoveView[] = ["b2", "a1", "swap", "c3"].map((move, index) => ({
  seq: index + 2,
  seat: index % 2,
  move,
  timestamp_ms: 0,
}));
const match: MatchView = { ...recorded, moves };
const LIVE = { ply: null, variation: [] };

describe("the line to a position", () => {
  it("has all moves of a match by default", () => {
    expect(lineAt(match, LIVE)).toEqual({ spec: match.spec, position: null, moves: ["b2", "a1", "swap", "c3"] });
  });
  it("has the first moves, then those of a variation", () => {
    expect(lineAt(match, { ply: 1, variation: ["c1", "c2"] }).moves).toEqual(["b2", "c1", "c2"]);
  });
  it("begins where the match began", () => {
    expect(lineAt({ ...match, initial_position: "1r1/3/3 b" }, LIVE).position).toBe("1r1/3/3 b");
  });
});

it("a point is live when it is the end of the match", () => {
  expect(isLive(match, LIVE)).toBe(true);
  expect(isLive(match, { ply: 4, variation: [] })).toBe(true);
  expect(isLive(match, { ply: 3, variation: [] })).toBe(false);
  expect(isLive(match, { ply: null, variation: ["c1"] })).toBe(false);
});

describe("an address", () => {
  const segments = (url: string): string[] => new URL(url, "http://x").pathname.split("/").filter(Boolean);
  const variation = (url: string): string | null => new URL(url, "http://x").searchParams.get("variation");
  it("names the page, the match, the ply and the variation", () => {
    expect(timelineUrl("match", "abc", LIVE)).toBe("/match/abc");
    expect(timelineUrl("review", "abc", { ply: 0, variation: [] })).toBe("/review/abc/0");
    expect(timelineUrl("match", "abc", { ply: 2, variation: ["c1", "b4=c5"] })).toBe("/match/abc/2?variation=c1+b4%3Dc5");
    expect(timelineUrl("match", "abc", LIVE, "k")).toBe("/match/abc?key=k");
    expect(timelineUrl("match", "abc", { ply: 2, variation: ["c1"] }, "k")).toBe("/match/abc/2?variation=c1&key=k");
  });
  it.each([LIVE, { ply: 0, variation: [] }, { ply: 3, variation: ["b4=c5", "Ra1'", "/e4", "swap"] }])(
    "is read back: %o",
    (point) => {
      const url = timelineUrl("match", "abc", point);
      expect(parseTimelinePoint(segments(url), variation(url))).toEqual(point);
    },
  );
  it("without a number names the live position", () => {
    expect(parseTimelinePoint(["match", "abc", "x"], "")).toEqual(LIVE);
  });
});

it("the cells of the last move are those that it names", () => {
  const game = { move_cells: { c3: ["c3"], swap: [] } } as unknown as GameView;
  expect(lastMoveCells(game, lineAt(match, LIVE))).toEqual(["c3"]);
  expect(lastMoveCells(game, lineAt(match, { ply: 3, variation: [] }))).toEqual([]);
  expect(lastMoveCells(game, lineAt(match, { ply: 0, variation: [] }))).toEqual([]);
});

describe("a turn of two moves", () => {
  const seats = [0, 1, 0, 0, 1, 1];
  const texts = ["a1", "b1", "a1-a2", "/c3", "b1-b2", "/d4"];
  const game = { move_cells: { "b1-b2": ["b1", "b2"], "/d4": ["d4"], "/c3": ["c3"] } } as unknown as GameView;
  const played: MatchView = {
    ...match,
    moves: texts.map((move, index) => ({ seq: index + 2, seat: seats[index]!, move, timestamp_ms: 0 })),
  };
  it("is marked as a whole", () => {
    expect(lastTurnCells(game, played, LIVE)).toEqual([["b1", "b2"], ["d4"]]);
    expect(lastTurnCells(game, played, { ply: 5, variation: [] })).toEqual([["b1", "b2"]]);
    expect(lastTurnCells(game, played, { ply: 5, variation: ["/c3"] })).toEqual([["c3"]]);
    expect(lastTurnCells(game, played, { ply: 0, variation: [] })).toEqual([]);
  });
  it("has one number in the list", () => {
    expect(texts.map((_, index) => moveNumber(played.moves, index + 1))).toEqual([1, 1, 2, 2, 2, 2]);
  });
});

it("a variation has the number of the move that it replaces, or that follows the last one", () => {
  expect([0, 1, 2, 3, 4, 5].map((ply) => variationNumber(moves, ply))).toEqual([1, 1, 2, 2, 3, 3]);
});
