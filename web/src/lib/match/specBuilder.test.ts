import { describe, expect, it } from "vitest";
import entries from "../../../fixtures/entries.json";
import type { GameEntry, VariantParameter } from "../api/types";
import { buildSpec, defaultChoices, maxValue, selectedVariant } from "./specBuilder";

const GAMES = entries as GameEntry[];
const find = (key: string): GameEntry => GAMES.find((entry) => entry.key === key)!;

describe.each(GAMES.map((entry) => [entry.key, entry] as const))("the default choices of %s", (_, entry) => {
  it("give its standard spec", () => {
    expect(buildSpec(entry, defaultChoices(entry))).toBe(entry.default_spec);
  });
  it("are within the limits of every parameter", () => {
    const choices = defaultChoices(entry);
    for (const { name, min, max, step } of entry.options.variant.choices.flatMap((choice) => choice.parameters)) {
      const value = choices.numbers[name]!;
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(max);
      expect((value - min) % step).toBe(0);
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
  const changed = { ...choices, flags: { ...choices.flags, [flag!.name]: !flag!.default } };
  expect(buildSpec(entry, changed)).toBe(`${entry.default_spec}-${flag!.spec_part}`);
});

it("an unknown variant stands for the first one", () => {
  const entry = find("tether");
  expect(selectedVariant(entry, { ...defaultChoices(entry), choice: "no such" })).toBe(entry.options.variant.choices[0]);
});

it("the largest value of a parameter may depend on another one", () => {
  const rows: VariantParameter = { name: "rows", min: 1, max: 4, step: 1, default: 3 };
  const bounded: VariantParameter = { ...rows, max_share: { of: "size", divisor: 2 } };
  const choices = (size: number) => ({ choice: "own", numbers: { size }, flags: {} });
  expect([4, 7, 20].map((size) => maxValue(bounded, choices(size)))).toEqual([2, 3, 4]);
  expect(maxValue(rows, choices(4))).toBe(4);
});
