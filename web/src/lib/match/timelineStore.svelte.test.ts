// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import transcript from "../../../../tests/golden/interfaces/match.jsonl?raw";
import { fetchPosition } from "../api/client";
import type { MatchView, PositionRequest, PositionView } from "../api/types";
import { route } from "../state/router.svelte";
import { TimelineStore } from "./timelineStore.svelte";

vi.mock("../api/client", () => ({ fetchPosition: vi.fn() }));

const START = JSON.parse(transcript.split("\n")[0]!.slice(2)).match as MatchView;
const position = (text: string): PositionView => ({ ...START.state.position!, text });
const moves = ["b2", "a1"].map((move, seat) => ({ seq: seat + 2, seat, move, timestamp_ms: 0 }));
const match: MatchView = { ...START, id: "abc", moves, state: { ...START.state, position: position("b2 a1") } };

let timeline: TimelineStore;
let leave: () => void;
/** Let the position arrive that was asked for last. */
let arrive: () => Promise<void>;
const shown = (): string | undefined => timeline.position?.text;
/** Press a key on an element; returns the ply that is shown then. */
function press(key: string, on = "main"): number {
  const element = document.body.appendChild(document.createElement(on));
  element.onkeydown = (event) => timeline.handleKey(event);
  element.dispatchEvent(new KeyboardEvent("keydown", { key }));
  flushSync();
  return timeline.ply;
}

beforeEach(() => {
  vi.mocked(fetchPosition).mockImplementation(
    (line: PositionRequest) =>
      new Promise((resolve) => {
        arrive = async () => {
          resolve(position(line.moves.join(" ")));
          await Promise.resolve();
          await Promise.resolve();
        };
      }),
  );
  Object.assign(route, { path: "/review/abc", query: "" });
  leave = $effect.root(() => {
    timeline = new TimelineStore("review", "abc", () => match);
  });
  flushSync();
});
afterEach(() => leave());

function go(action: () => void): void {
  action();
  flushSync();
}

it("the last position is that of the match", () => {
  expect(shown()).toBe("b2 a1");
  expect(fetchPosition).not.toHaveBeenCalled();
});

it("the position before is shown until the new one is fetched", async () => {
  go(() => timeline.explore("c3"));
  expect(shown()).toBe("b2 a1");
  await arrive();
  expect(shown()).toBe("b2 a1 c3");
  go(() => timeline.show(1));
  expect(shown()).toBe("b2 a1 c3");
  await arrive();
  expect(shown()).toBe("b2");
  go(() => timeline.show(2));
  expect(shown()).toBe("b2 a1");
  go(() => timeline.explore("c3"));
  expect(shown()).toBe("b2 a1"); // not the first move's, which was fetched before
});

it("a position that arrives after the page was left is ignored, without a warning", async () => {
  const warn = vi.spyOn(console, "warn");
  go(() => timeline.explore("c3"));
  leave();
  Object.assign(route, { path: "/lobby", query: "" });
  await arrive();
  expect(warn).not.toHaveBeenCalled();
});

it("a position that does not list its moves yet is shown, and counts as loading", async () => {
  timeline.positions = ["", "b2", "b2 a1"].map((text) => ({ ...position(text), moves: [] }));
  go(() => timeline.show(1));
  expect(shown()).toBe("b2");
  expect(timeline.isLoading).toBe(true);
  await arrive();
  expect(timeline.isLoading).toBe(false);
  expect(timeline.position!.moves).not.toEqual([]);
});

it("positions that come after one with its moves do not replace it", async () => {
  go(() => timeline.show(1));
  await arrive();
  go(() => (timeline.positions = ["", "b2", "b2 a1"].map((text) => ({ ...position(text), moves: [] }))));
  expect(timeline.isLoading).toBe(false);
  expect(timeline.position!.moves).not.toEqual([]);
});

it("arrow keys go through the moves, except in a field", () => {
  expect(press("ArrowRight")).toBe(2);
  expect(press("ArrowLeft", "input")).toBe(2);
  expect(press("ArrowLeft")).toBe(1);
  expect(press("ArrowLeft")).toBe(0);
  expect(press("ArrowLeft")).toBe(0);
  expect(press("ArrowRight")).toBe(1);
});
