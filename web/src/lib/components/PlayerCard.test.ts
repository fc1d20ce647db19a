// @vitest-environment happy-dom
import { render } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import boards from "../../../fixtures/boards.json";
import type { GameView, MatchView, UserView } from "../api/types";
import { preferences } from "../state/preferences.svelte";
import PlayerCard from "./PlayerCard.svelte";

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView;
const game = { player_piece: "stone", board: boards["tether-5"].board } as unknown as GameView;

function textOf(kind: UserView["kind"], isPresent: boolean): string {
  const user = { id: "u", name: "Ann", kind, level: null } as UserView;
  const match = {
    ...START,
    seats: START.seats.map((view) => ({ ...view, user })),
    presence: { seats: [isPresent, isPresent], watchers: 0 },
  };
  return render(PlayerCard, { match, game, seat: 1, since: Date.now() }).container.textContent ?? "";
}

beforeEach(() => {
  preferences.language = "en";
});

it.each(["guest", "account"] as const)("says that a player without a connection is away: %s", (kind) => {
  expect(textOf(kind, false)).toContain("away");
  expect(textOf(kind, true)).not.toContain("away");
});
it.each(["builtin-bot", "external-bot"] as const)(
  "does not say it of a bot, which has no connection to the match: %s",
  (kind) => {
    expect(textOf(kind, false)).not.toContain("away");
  },
);
