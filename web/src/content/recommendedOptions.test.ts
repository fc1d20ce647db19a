import { expect, it } from "vitest";
import entries from "../../fixtures/entries.json";
import type { GameEntry } from "../lib/api/types";
import { recommendSpec } from "./recommendedOptions";

const GAMES = entries as GameEntry[];

it("Lariat is offered with the pie rule, every other game by its standard spec", () => {
  const changed = GAMES.filter((entry) => recommendSpec(entry) !== entry.default_spec);
  expect(changed.map((entry) => [entry.key, recommendSpec(entry)])).toEqual([["lariat", "lariat-2x10-pie"]]);
});
