import { describe, expect, it } from "vitest";
import type { ClockSettings, ClockView } from "../api/types";
import { formatClock, isLow, remainingMs } from "./clock";

const FISCHER: ClockSettings = { kind: "fischer", initial_seconds: 600, increment_seconds: 5 };
const BYO_YOMI: ClockSettings = { kind: "byo-yomi", main_seconds: 600, periods: 5, period_seconds: 30 };
const DAYS: ClockSettings = { kind: "days", days: 3 };
const running = (main_ms: number): ClockView => ({ main_ms, period_ms: 30_000, periods: 5, running: true });

it.each([
  [0, "0:00"],
  [1, "0:01"],
  [9_001, "0:10"],
  [61_000, "1:01"],
  [3_600_000, "1:00:00"],
  [3_725_000, "1:02:05"],
  [86_400_000, "1 d 0 h"],
  [2.5 * 86_400_000, "2 d 12 h"],
])("%s ms are shown as %s", (milliseconds, shown) => {
  expect(formatClock(milliseconds)).toBe(shown);
});

describe("the time that is left", () => {
  it("runs down from when the server gave it", () => {
    expect(remainingMs(running(60_000), FISCHER, 1500)).toBe(58_500);
    expect(remainingMs(running(60_000), FISCHER, 90_000)).toBe(0);
  });
  it("stands still when the clock does not run, or the browser's clock is behind", () => {
    expect(remainingMs({ ...running(60_000), running: false }, FISCHER, 1500)).toBe(60_000);
    expect(remainingMs(running(60_000), FISCHER, -1500)).toBe(60_000);
  });
  it("goes on with the period after the main time", () => {
    expect(remainingMs(running(1000), BYO_YOMI, 500)).toBe(500);
    expect(remainingMs(running(1000), BYO_YOMI, 11_000)).toBe(20_000);
    expect(remainingMs(running(0), BYO_YOMI, 31_000)).toBe(0);
  });
});

it("a clock is low for its last seconds, unless it counts days", () => {
  expect(isLow(running(0), FISCHER, 19_999)).toBe(true);
  expect(isLow(running(0), FISCHER, 20_000)).toBe(false);
  expect(isLow(running(0), DAYS, 100)).toBe(false);
  expect(isLow({ ...running(0), running: false }, FISCHER, 100)).toBe(false);
});
