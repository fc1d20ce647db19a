// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import entries from "../../../fixtures/entries.json";
import { LEVEL_RATINGS } from "../../content/levelRatings";
import { preferences } from "../state/preferences.svelte";
import { describeLevel } from "./levels";

beforeEach(() => {
  preferences.language = "en";
});

it("a level has a word and its Elo over level 1", () => {
  expect(describeLevel(3, [0, 250, 1480])).toBe("Level 3: sees simple threats; about 1,480 Elo above level 1");
  expect(describeLevel(1, [0, 250])).toBe("Level 1: for a first game");
  expect(describeLevel(2, undefined)).toBe("Level 2: for beginners");
});

it("every level of every game has ratings that rise", () => {
  for (const { key, level_count } of entries) {
    const ratings = LEVEL_RATINGS[key]!;
    expect(ratings.length).toBe(level_count);
    expect(ratings[0]).toBe(0);
    expect(ratings.toSorted((a, b) => a - b)).toEqual(ratings);
    expect(describeLevel(level_count, ratings)).not.toContain("undefined");
  }
});
