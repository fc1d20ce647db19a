// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import boards from "../../../fixtures/boards.json";
import { type LiveAnalysis, NO_ANALYSIS } from "../analysis/liveAnalysis";
import { ApiError } from "../api/errors";
import type { AnalysisReport, PositionView } from "../api/types";
import { preferences } from "../state/preferences.svelte";
import AnalysisPanel from "./AnalysisPanel.svelte";

const position = boards["tether-5"].position as unknown as PositionView;
const report = (moves: string[], more: Partial<AnalysisReport> = {}): AnalysisReport => ({
  type: "analysis",
  waited_seconds: 0,
  request_id: "1",
  is_final: false,
  seat: 1,
  value: 0.64,
  certainty: "estimate",
  visits: 1234,
  lines: moves.map((move, index) => ({ moves: [move, "b2"], value: 0.64 - index / 10, certainty: "estimate", visits: 100 })),
  ...more,
});
const searching = (found: AnalysisReport): LiveAnalysis => ({ ...NO_ANALYSIS, status: "searching", report: found });
const WAITING: LiveAnalysis = { ...NO_ANALYSIS, status: "waiting" };

const [onplay, onretry] = [vi.fn<(move: string) => void>(), vi.fn<() => void>()];
const show = (analysis: LiveAnalysis, isOn = true) => render(AnalysisPanel, { analysis, isOn, position, onplay, onretry });
const list = (): HTMLElement => screen.getByRole("list", { name: "Best moves" });
const moves = (): string[] =>
  within(list())
    .queryAllByRole("button")
    .map(({ textContent }) => textContent!);
const announced = (): string => screen.getByTestId("announcement").textContent!;

beforeEach(() => {
  vi.useFakeTimers();
  preferences.language = "en";
  for (const mock of [onplay, onretry]) mock.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

it("is switched on and off", async () => {
  show(NO_ANALYSIS, false);
  const control = screen.getByRole("switch", { name: "Live analysis" });
  expect(control.getAttribute("aria-checked")).toBe("false");
  expect(screen.queryByRole("list")).toBeNull();
  await fireEvent.click(control);
  expect(control.getAttribute("aria-checked")).toBe("true");
  expect(list()).toBeTruthy();
});

it("shows the evaluation for the seat to move, the best moves and the visits", () => {
  show(searching(report(["c3", "d4", "a1"])));
  expect(screen.getByTestId("value").textContent).toBe("Blue 64%");
  expect(screen.getByTestId("visits").textContent).toBe("Searching: 1,234 visits");
  expect(moves()).toEqual(["c3", "d4", "a1"]);
  const [red] = document.querySelectorAll("svg rect");
  expect(Number(red!.getAttribute("width"))).toBeCloseTo(36);
});

it("says how many analyses come first", async () => {
  const { rerender } = show({ ...WAITING, jobsBefore: 2 });
  const status = (): string => screen.getByTestId("visits").textContent!;
  expect(status()).toBe("2 analyses before yours");
  await rerender({ analysis: { ...WAITING, jobsBefore: 1 } });
  expect(status()).toBe("1 analysis before yours");
  await rerender({ analysis: { ...WAITING, jobsBefore: 0 } });
  expect(status()).toBe("Yours is the next analysis");
  preferences.language = "de";
  await rerender({ analysis: { ...WAITING, jobsBefore: 3 } });
  expect(status()).toBe("3 Analysen vor deiner");
});

it("says when the engine takes long, and what is proven", async () => {
  const { rerender } = show(WAITING);
  expect(screen.getByTestId("visits").textContent).toBe("Waiting for the engine…");
  vi.advanceTimersByTime(4000);
  await tick();
  expect(screen.getByTestId("visits").textContent).toContain("being prepared");
  const proven = report(["c3"], { is_final: true, value: 1, certainty: "proven" });
  await rerender({ analysis: { ...NO_ANALYSIS, status: "finished", report: proven } });
  expect(screen.getByTestId("value").textContent).toBe("Blue 100%, proven");
  expect(screen.getByTestId("visits").textContent).toBe("Finished: 1,234 visits");
});

describe("the best moves", () => {
  it("are ordered by the engine, except while somebody points at them", async () => {
    const { rerender } = show(searching(report(["c3", "d4"])));
    await rerender({ analysis: searching(report(["d4", "c3"])) });
    expect(moves()).toEqual(["d4", "c3"]);
    await fireEvent.pointerEnter(list());
    await rerender({ analysis: searching(report(["a1", "c3"])) });
    expect(moves()).toEqual(["d4", "c3"]);
    await fireEvent.pointerLeave(list());
    expect(moves()).toEqual(["a1", "c3"]);
  });
  it("are never held back from an empty list", async () => {
    const { rerender } = show(WAITING);
    await fireEvent.pointerEnter(list());
    await rerender({ analysis: searching(report(["c3"])) });
    expect(moves()).toEqual(["c3"]);
    await rerender({ analysis: WAITING });
    expect(moves()).toEqual([]);
  });
  it("can be played; the focus stays in their place", async () => {
    show(searching(report(["c3", "d4"])));
    await fireEvent.click(within(list()).getByRole("button", { name: "d4" }));
    expect(onplay).toHaveBeenCalledExactlyOnceWith("d4");
    expect(document.activeElement).toBe(list());
  });
});

it("announces the first report and the result, not the small changes between them", async () => {
  const { rerender } = show(WAITING);
  expect(announced()).toBe("");
  await rerender({ analysis: searching(report(["c3"])) });
  expect(announced()).toBe("Best move c3. Blue 64%.");
  vi.advanceTimersByTime(10_000);
  await rerender({ analysis: searching(report(["c3"], { value: 0.66, visits: 5000 })) });
  expect(announced()).toBe("Best move c3. Blue 64%.");
  const final = report(["c3"], { value: 0.66, is_final: true });
  await rerender({ analysis: { ...NO_ANALYSIS, status: "finished", report: final } });
  expect(announced()).toBe("Analysis finished. Best move c3. Blue 66%.");
});

it("an error says what to do, keeps the last report, and can be retried", async () => {
  const error = new ApiError("busy", "");
  show({ ...NO_ANALYSIS, status: "failed", report: report(["c3"]), error });
  expect(screen.getByRole("alert").textContent).toBe("The server is busy; try again.");
  expect(moves()).toEqual(["c3"]);
  await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onretry).toHaveBeenCalledOnce();
});

it("says that the game is over where it is", () => {
  render(AnalysisPanel, { analysis: NO_ANALYSIS, isOn: true, position: { ...position, seat: null }, onplay, onretry });
  expect(screen.getByText("The game is over here.")).toBeTruthy();
});
