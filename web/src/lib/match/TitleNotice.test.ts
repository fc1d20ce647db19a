// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { preferences } from "../state/preferences.svelte";
import TitleNotice from "./TitleNotice.svelte";

const hide = async (isHidden: boolean): Promise<void> => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  await tick();
};

beforeEach(() => {
  preferences.language = "en";
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

it("the title calls for the visitor's move only while the tab is hidden", async () => {
  vi.useFakeTimers();
  await hide(false);
  const { rerender } = render(TitleNotice, { title: "Tether", isYourTurn: true });
  expect(document.title).toBe("Tether");
  await hide(true);
  expect(document.title).toBe("● Your turn · Tether");
  await vi.advanceTimersByTimeAsync(1300);
  expect(document.title).toBe("Tether");
  await vi.advanceTimersByTimeAsync(1300);
  expect(document.title).toBe("● Your turn · Tether");
  await rerender({ isYourTurn: false });
  expect(document.title).toBe("Tether");
  await rerender({ isYourTurn: true });
  await hide(false);
  expect(document.title).toBe("Tether");
  vi.useRealTimers();
});
