import { describe, expect, it } from "vitest";
import entries from "../../fixtures/entries.json";
import { de } from "./de";
import { en } from "./en";
import { createFormat } from "./format";
import type { Rule } from "./rules";

const PARAMS = {
  cell: "c3",
  from: "b2",
  colour: "red",
  winner: "Red",
  loser: "blue",
  cells: ["a1", "b1"],
  retrySeconds: 3,
};

/** Every text below a message, by its path; functions are called with sample values. */
function listTexts(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, String(value.length > 1 ? value(2, 3, 4) : value(PARAMS))]];
  return Object.entries(value as object).flatMap(([key, each]) => listTexts(each, path ? `${path}.${key}` : key));
}

describe.each([
  ["English", en],
  ["German", de],
])("%s", (_, messages) => {
  it("has a text for every message", () => {
    const texts = listTexts(messages);
    expect(texts.length).toBeGreaterThan(250);
    expect(texts.filter(([, text]) => !text.trim() || text.includes("undefined"))).toEqual([]);
  });
  it("explains the rules of every game that has none of its own", () => {
    const without = entries.filter(({ rules }) => rules.length === 0).map(({ key }) => key);
    expect(Object.keys(messages.rulesByGame).toSorted()).toEqual(without.toSorted());
    expect(Object.keys(messages.objectives).toSorted()).toEqual(without.toSorted());
  });
});

it("both languages have the same rules and rulings", () => {
  const shape = (rules: Record<string, Rule[]>) =>
    Object.entries(rules).map(([key, list]) => [key, list.map(({ ruling = false }) => ruling)]);
  expect(shape(de.rulesByGame)).toEqual(shape(en.rulesByGame));
});

it("the title of the home page counts the games", () => {
  expect(en.home.lead(6)).toBe("6 abstract board games");
  expect(de.home.lead(6)).toBe("6 abstrakte Brettspiele");
  expect(en.home.lead(0)).toBe("Abstract board games");
});

describe("numbers", () => {
  it("follow the plural rules of a language", () => {
    expect([0, 1, 2].map(en.text.count)).toEqual(["0 moves", "1 move", "2 moves"]);
    expect([0, 1, 2].map(de.text.count)).toEqual(["0 Züge", "1 Zug", "2 Züge"]);
  });
  it("follow the conventions of a language", () => {
    expect(createFormat("en").number(12345)).toBe("12,345");
    expect(createFormat("de").number(12345)).toBe("12.345");
    expect(en.review.value("Red", 0.567)).toBe("Red 57%");
    expect(de.review.value("Rot", 0.567)).toMatch(/^Rot 57\s%$/);
  });
});

it("several designers are joined by a word of the language", () => {
  expect(en.by("A and B", "1997")).toBe("by A and B, 1997");
  expect(de.by("A and B", "1997")).toBe("von A und B, 1997");
});
