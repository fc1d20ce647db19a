// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import type { MatchAction, MatchView } from "../api/types";
import { preferences } from "../state/preferences.svelte";
import MatchActions from "./MatchActions.svelte";

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView; // seat 0 is ours
const moves = (...seats: number[]): MatchView["moves"] =>
  seats.map((seat, index) => ({ seq: index + 2, seat, move: "a1", timestamp_ms: 0 }));
const playing = (state: Partial<MatchView["state"]> = {}, more: Partial<MatchView> = {}): MatchView => ({
  ...START,
  moves: moves(0, 1),
  ...more,
  state: { ...START.state, ...state },
});

const onact = vi.fn<(action: MatchAction) => void>();
const show = (match: MatchView, hasDraws = true) => render(MatchActions, { match, hasDraws, onact });
const button = (name: string): HTMLButtonElement => screen.getByRole("button", { name });
const buttons = (): string[] => screen.queryAllByRole("button").map(({ textContent }) => textContent!.trim());
const press = (name: string): Promise<boolean> => fireEvent.click(button(name));

beforeEach(() => {
  preferences.language = "en";
  onact.mockClear();
});

describe("resigning", () => {
  it("asks first, and no takes it back", async () => {
    show(playing());
    await press("Resign");
    expect(screen.getByText("Really resign?")).toBeTruthy();
    expect(buttons()).toEqual(["Yes", "No"]);
    await press("No");
    expect(buttons()).toContain("Resign");
    expect(onact).not.toHaveBeenCalled();
  });
  it("happens with yes, once", async () => {
    show(playing());
    await press("Resign");
    await press("Yes");
    expect(onact.mock.calls).toEqual([[{ type: "resign" }]]);
    expect(buttons()).toContain("Resign");
  });
  it("is aborting until both have moved", async () => {
    show(playing({}, { moves: moves(0) }));
    expect(buttons()).not.toContain("Resign");
    await press("Abort");
    expect(onact).toHaveBeenCalledExactlyOnceWith({ type: "abort" });
  });
});

describe("taking back", () => {
  it("asks for the last own move, not that of the opponent", async () => {
    show(playing({}, { moves: moves(0, 1, 0, 1) }));
    await press("Take back");
    expect(onact).toHaveBeenCalledExactlyOnceWith({ type: "request-takeback", event_seq: 4 });
  });
  it("is disabled without a move of one's own, and while a request is open", async () => {
    const { rerender } = show(playing({}, { moves: moves(1) }));
    expect(button("Take back").disabled).toBe(true);
    await rerender({ match: playing({ takeback: { seat: 0, event_seq: 2 } }) });
    expect(button("Take back").disabled).toBe(true);
    expect(screen.getByText("You asked to take a move back.")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
  it.each(["builtin-bot", "external-bot"] as const)("is not offered in a rated match with a bot (%s)", async (kind) => {
    const seats = START.seats.map((seat) => ({ ...seat, user: { ...START.seats[0]!.user!, kind } }));
    const { rerender } = show(playing({}, { seats, rated: true }));
    expect(buttons()).not.toContain("Take back");
    await rerender({ match: playing({}, { seats, rated: false }) });
    expect(buttons()).toContain("Take back");
    await rerender({ match: playing({}, { rated: true }) });
    expect(buttons()).toContain("Take back");
  });
  it.each([
    ["Accept", true],
    ["Decline", false],
  ])("of the opponent is announced, and answered by %s", async (name, accept) => {
    show(playing({ takeback: { seat: 1, event_seq: 3 } }));
    expect(screen.getByRole("alert").textContent).toContain("Your opponent asks to take a move back.");
    await press(name);
    expect(onact).toHaveBeenCalledExactlyOnceWith({ type: "answer-takeback", event_seq: 3, accept });
  });
});

describe("a draw", () => {
  it("is offered once", async () => {
    const { rerender } = show(playing());
    await press("Offer a draw");
    expect(onact).toHaveBeenCalledExactlyOnceWith({ type: "offer-draw" });
    await rerender({ match: playing({ draw_offered_by: 0 }) });
    expect(button("Offer a draw").disabled).toBe(true);
    expect(screen.getByText("You offered a draw.")).toBeTruthy();
  });
  it.each([
    ["Accept", true],
    ["Decline", false],
  ])("of the opponent is announced, and answered by %s", async (name, accept) => {
    show(playing({ draw_offered_by: 1 }));
    expect(screen.getByRole("alert").textContent).toContain("Your opponent offers a draw.");
    await press(name);
    expect(onact).toHaveBeenCalledExactlyOnceWith({ type: "answer-draw", accept });
  });
  it("is not offered in a game without draws, nor to oneself", async () => {
    const { rerender } = show(playing(), false);
    expect(buttons()).not.toContain("Offer a draw");
    await rerender({ match: playing({}, { your_seats: [0, 1] }), hasDraws: true });
    expect(buttons()).not.toContain("Offer a draw");
  });
});

it("both offers can be open at once", () => {
  show(playing({ draw_offered_by: 1, takeback: { seat: 1, event_seq: 3 } }));
  expect(screen.getAllByRole("alert").length).toBe(2);
});

it("a challenge that nobody has accepted can be withdrawn", async () => {
  show(playing({ status: "waiting" }));
  expect(buttons()).toEqual(["Withdraw"]);
  await press("Withdraw");
  expect(onact).toHaveBeenCalledExactlyOnceWith({ type: "abort" });
});

it.each([
  ["of others", playing({}, { your_seats: [] })],
  ["that waits for others", playing({ status: "waiting" }, { your_seats: [] })],
  ["that is over", playing({ status: "over" })],
])("a match %s has no actions", (_, match) => {
  show(match);
  expect(buttons()).toEqual([]);
});

it("speaks German", async () => {
  preferences.language = "de";
  show(playing());
  await press("Aufgeben");
  expect(screen.getByText("Wirklich aufgeben?")).toBeTruthy();
});
