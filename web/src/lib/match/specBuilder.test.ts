import { describe, expect, it } from "vitest";
import entries from "../../../fixtures/entries.json";
import type { Blank, GameEntry } from "../api/types";
import { buildSpec, defaultChoices, maxValue, selectedVariant } from "./specBuilder";

const GAMES = entries as unknown as GameEntry[];
const find = (key: string): GameEntry => GAMES.find((entry) => entry.key === key)!;

describe.each(GAMES.map((entry) => [entry.key, entry] as const))("the default choices of %s", (_, entry) => {
  it("give its standard spec", () => {
    expect(buildSpec(entry, defaultChoices(entry))).toBe(entry.standard);
  });
  it("are within the limits of every parameter", () => {
    const choices = defaultChoices(entry);
    for (const { name, least, most, step } of entry.options.pick.choices.flatMap(({ blanks }) => blanks)) {
      const value = choices.numbers[name]!;
      expect(value).toBeGreaterThanOrEqual(least);
      expect(value).toBeLessThanOrEqual(most);
      expect((value - least) % step).toBe(0);
    }
  });
});

it("numbers are filled into the spec of a variant", () => {
  const entry = find("lariat");
  const choices = { ...defaultChoices(entry), choice: "own", numbers: { cap: 2, wall: 7 } };
  expect(buildSpec(entry, choices)).toBe("lariat-2x7");
});

it("flags that differ from their default are appended", () => {
  const entry = find("liger");
  const choices = defaultChoices(entry);
  const [flag] = entry.options.flags;
  const changed = { ...choices, flags: { ...choices.flags, [flag!.name]: !flag!.usual } };
  expect(buildSpec(entry, changed)).toBe(`${entry.standard}-${flag!.word}`);
});

it("an unknown variant stands for the first one", () => {
  const entry = find("tether");
  expect(selectedVariant(entry, { ...defaultChoices(entry), choice: "no such" })).toBe(entry.options.pick.choices[0]);
});

it("the largest value of a parameter may depend on another one", () => {
  const rows: Blank = { name: "rows", least: 1, most: 4, step: 1, usual: 3, most_share: { of: "size", divisor: 2 } };
  const choices = (size: number) => ({ choice: "own", numbers: { size }, flags: {} });
  expect([4, 7, 20].map((size) => maxValue(rows, choices(size)))).toEqual([2, 3, 4]);
  expect(maxValue({ ...rows, most_share: undefined } as unknown as Blank, choices(4))).toBe(4);
});
