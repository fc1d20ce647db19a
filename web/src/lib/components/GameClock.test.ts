// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClockSettings, ClockView } from "../api/types";
import GameClock from "./GameClock.svelte";

const FISCHER: ClockSettings = { kind: "fischer", initial_seconds: 600, increment_seconds: 5 };
const BYO_YOMI: ClockSettings = { kind: "byo-yomi", main_seconds: 600, periods: 5, period_seconds: 30 };
const DAYS: ClockSettings = { kind: "days", days: 3 };
const clock = (main_ms: number, running = true): ClockView => ({ main_ms, period_ms: 30_000, periods: 3, running });

function show(shown: ClockView, settings: ClockSettings = FISCHER) {
  return render(GameClock, { clock: shown, settings, since: Date.now() });
}
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  await tick();
}
const timer = (): HTMLElement => screen.getByRole("timer");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("shows minutes and seconds, hours or days", () => {
  show(clock(605_000));
  expect(timer().textContent?.trim()).toBe("10:05");
});
it.each([
  [3_725_000, "1:02:05"],
  [2.5 * 86_400_000, "2 d 12 h"],
])("%s ms are shown as %s", (milliseconds, shown) => {
  show(clock(milliseconds, false));
  expect(timer().textContent?.trim()).toBe(shown);
});

describe("a running clock", () => {
  it("counts down to zero, and not below", async () => {
    show(clock(61_000));
    await pass(1000);
    expect(timer().textContent?.trim()).toBe("1:00");
    await pass(59_600);
    expect(timer().textContent?.trim()).toBe("0:01");
    await pass(10_000);
    expect(timer().textContent?.trim()).toBe("0:00");
  });
  it("is marked as low in its last twenty seconds", async () => {
    show(clock(21_000));
    expect(timer().className).toContain("running");
    expect(timer().className).not.toContain("low");
    await pass(1200);
    expect(timer().className).toContain("low");
  });
  it("goes on with a period after the main time, and shows how many are left", async () => {
    show(clock(1000), BYO_YOMI);
    expect(timer().textContent).toMatch(/0:01\s*×3/);
    await pass(2000);
    expect(timer().textContent).toMatch(/0:29\s*×3/);
  });
  it("begins again with every message of the server", async () => {
    const { rerender } = show(clock(60_000));
    await pass(30_000);
    await rerender({ clock: clock(65_000), since: Date.now() });
    await pass(200);
    expect(timer().textContent?.trim()).toBe("1:05");
  });
  it("stops when its player has moved, and leaves no timer behind", async () => {
    const { rerender, unmount } = show(clock(60_000));
    await rerender({ clock: clock(50_000, false) });
    await pass(30_000);
    expect(timer().textContent?.trim()).toBe("0:50");
    expect(timer().className).not.toContain("running");
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("days for a turn are never low", () => {
  show(clock(5000), DAYS);
  expect(timer().className).not.toContain("low");
});
