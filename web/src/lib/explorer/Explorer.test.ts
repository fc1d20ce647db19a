// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchExplorer } from "../api/client";
import { ApiError } from "../api/errors";
import type { ExplorerView } from "../api/types";
import { preferences } from "../state/preferences.svelte";
import Explorer from "./Explorer.svelte";

vi.mock("../api/client", () => ({ fetchExplorer: vi.fn() }));
const fetching = vi.mocked(fetchExplorer);

const move = (name: string, first_wins: number, second_wins: number) => ({
  move: name,
  equivalent_moves: [],
  games: first_wins + second_wins,
  first_wins,
  draws: 0,
  second_wins,
  value: name === "a1" ? 0.6 : null,
  certainty: name === "a1" ? ("proven" as const) : null,
});
const ada = { id: "u1", name: "Ada", kind: "account" as const, level: null };
const bot = { id: "u2", name: "Level 3", kind: "builtin-bot" as const, level: 3 };
const view = (...moves: ReturnType<typeof move>[]): ExplorerView => ({
  spec: "tether-5",
  games: moves.reduce((sum, { games }) => sum + games, 0),
  first_wins: 0,
  draws: 0,
  second_wins: 0,
  value: null,
  certainty: null,
  moves,
  last_matches: [{ match_id: "m1", players: [ada, bot], winner: 1, ended_at: 5 }],
});

const onplay = vi.fn<(move: string) => void>();
async function show(moves: string[] = []) {
  const shown = render(Explorer, { spec: "tether-5", moves, onplay });
  const details = screen.getByTestId("explorer") as HTMLDetailsElement;
  details.open = true;
  await fireEvent(details, new Event("toggle"));
  await settle();
  return shown;
}
async function settle() {
  await tick();
  await vi.advanceTimersByTimeAsync(200);
  await tick();
}

beforeEach(() => {
  vi.useFakeTimers();
  preferences.language = "en";
  onplay.mockClear();
  fetching.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

it("asks for nothing before it is opened", async () => {
  render(Explorer, { spec: "tether-5", moves: [], onplay });
  await settle();
  expect(fetching).not.toHaveBeenCalled();
});

it("shows moves with their scores and values, and plays them", async () => {
  fetching.mockResolvedValue(view(move("a1", 3, 1), move("b2", 0, 2)));
  await show(["c3"]);
  expect(fetching).toHaveBeenCalledWith("tether-5", ["c3"]);
  const rows = screen.getAllByRole("row").map(({ textContent }) => textContent!.replace(/\s+/g, " ").trim());
  expect(rows.slice(1)).toEqual(["a1475% 60%proven", "b220% –"]);
  await fireEvent.click(screen.getByRole("button", { name: "a1" }));
  expect(onplay).toHaveBeenCalledWith("a1");
  expect(screen.getByRole("link", { name: "Ada – Bot, level 3" }).getAttribute("href")).toBe("/review/m1");
});

it("asks again for another position, and ignores a late answer", async () => {
  let answer: (found: ExplorerView) => void = () => {};
  fetching.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const shown = await show();
  fetching.mockResolvedValue(view(move("d4", 1, 0)));
  await shown.rerender({ spec: "tether-5", moves: ["a1"], onplay });
  await settle();
  answer(view(move("e5", 1, 0)));
  await settle();
  expect(screen.getByRole("button", { name: "d4" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "e5" })).toBeNull();
});

it("does not play a move of the position before", async () => {
  fetching.mockResolvedValue(view(move("d4", 1, 0)));
  const shown = await show();
  await shown.rerender({ spec: "tether-5", moves: ["d4"], onplay });
  await fireEvent.click(screen.getByRole("button", { name: "d4" }));
  expect(onplay).not.toHaveBeenCalled();
});

it("shows twelve moves, and the others on demand", async () => {
  const names = [..."abcdefghijklm"].map((letter) => `${letter}2`);
  fetching.mockResolvedValue(view(...names.map((name) => move(name, 1, 0))));
  await show();
  expect(screen.getAllByRole("row")).toHaveLength(1 + 12);
  await fireEvent.click(screen.getByRole("button", { name: "1 more move" }));
  expect(screen.getAllByRole("row")).toHaveLength(1 + 13);
});

it("says that nothing was played, or what went wrong", async () => {
  fetching.mockResolvedValue(view());
  const shown = await show();
  expect(screen.getByText("No public match has come here yet.")).toBeTruthy();
  fetching.mockRejectedValue(new ApiError("busy", "later"));
  await shown.rerender({ spec: "tether-5", moves: ["a1"], onplay });
  await settle();
  expect(screen.getByRole("alert")).toBeTruthy();
});
