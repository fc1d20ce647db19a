// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { preferences } from "../state/preferences.svelte";

const started = vi.fn();
class FakeContext {
  state = "running";
  currentTime = 0;
  destination = {};
  createOscillator() {
    const tone = { type: "", frequency: { value: 0 }, connect: (next: unknown) => next, start: started, stop: vi.fn() };
    return tone;
  }
  createGain() {
    const gain = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
    return { gain, connect: (next: unknown) => next };
  }
}

beforeEach(() => {
  vi.resetModules();
  started.mockClear();
  vi.stubGlobal("AudioContext", FakeContext);
});
afterEach(() => vi.unstubAllGlobals());

const play = async (kind: "move" | "end"): Promise<void> => {
  const { playSound } = await import("./moveSound");
  const { preferences: fresh } = await import("../state/preferences.svelte");
  fresh.sound = preferences.sound;
  playSound(kind);
};

it("a move has one tone, the end of a match two", async () => {
  preferences.sound = true;
  await play("move");
  expect(started).toHaveBeenCalledTimes(1);
  await play("end");
  expect(started).toHaveBeenCalledTimes(3);
});

it("there is no sound before the visitor has done something, which browsers would refuse", async () => {
  preferences.sound = true;
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false }, configurable: true });
  await play("move");
  expect(started).not.toHaveBeenCalled();
  Object.defineProperty(navigator, "userActivation", { value: undefined, configurable: true });
});

it("there is no sound where it is switched off, or where the browser has none", async () => {
  preferences.sound = false;
  await play("move");
  preferences.sound = true;
  vi.stubGlobal("AudioContext", undefined);
  await play("end");
  expect(started).not.toHaveBeenCalled();
});
