// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import entries from "../../../fixtures/entries.json";
import { LEVEL_STRENGTHS } from "../../content/levelStrengths";
import { preferences } from "../state/preferences.svelte";
import { describeLevel, type LevelStrength } from "./levels";

beforeEach(() => {
  preferences.language = "en";
});

it("a level is described by what was measured", () => {
  const strengths: LevelStrength[] = [
    { elo: 0, scoreAgainstNext: 0.25, winsFound: [0.5, 0.125, 0] },
    { elo: 1480, scoreAgainstNext: null, winsFound: [1, 0.99, 0.4] },
  ];
  expect(describeLevel(1, strengths)).toBe(
    "Level 1: finds 50% of wins in one turn, 13% in two or three, 0% in more; scores 25% against level 2",
  );
  expect(describeLevel(2, strengths)).toBe(
    "Level 2: finds 100% of wins in one turn, 99% in two or three, 40% in more; about 1,480 Elo above level 1",
  );
});

it("a level that was not measured has words", () => {
  expect(describeLevel(3, undefined)).toBe("Level 3: sees simple threats");
  expect(describeLevel(9, undefined)).toBe("Level 9: ");
});

it("every level of every game was measured, and their ratings rise", () => {
  for (const { key, level_count } of entries) {
    const strengths = LEVEL_STRENGTHS[key]!;
    expect(strengths.length).toBe(level_count);
    const ratings = strengths.map(({ elo }) => elo);
    expect(ratings[0]).toBe(0);
    expect(ratings.toSorted((a, b) => a - b)).toEqual(ratings);
    expect(strengths.map(({ scoreAgainstNext }) => scoreAgainstNext === null).indexOf(true)).toBe(level_count - 1);
  }
});
