// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { preferences } from "../state/preferences.svelte";
import CopyLink from "./CopyLink.svelte";

const LINK = "http://example.org/join/abc";
const press = (): Promise<boolean> => fireEvent.click(screen.getByRole("button"));
const allow = (clipboard: unknown, command: () => boolean): void => {
  vi.stubGlobal("navigator", { ...navigator, clipboard, language: "en" });
  document.execCommand = command as typeof document.execCommand;
};

beforeEach(() => {
  preferences.language = "en";
});

it("a link is copied by the clipboard", async () => {
  const writeText = vi.fn(async () => undefined);
  allow({ writeText }, () => false);
  render(CopyLink, { link: LINK });
  await press();
  await vi.waitFor(() => expect(screen.getByRole("button").textContent).toBe("Copied"));
  expect(writeText).toHaveBeenCalledExactlyOnceWith(LINK);
});

it("without a clipboard, as on plain http, the selected text is copied", async () => {
  const command = vi.fn(() => true);
  allow(undefined, command);
  render(CopyLink, { link: LINK });
  await press();
  await vi.waitFor(() => expect(screen.getByRole("button").textContent).toBe("Copied"));
  expect(command).toHaveBeenCalledOnce();
  const field = screen.getByRole<HTMLInputElement>("textbox");
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, LINK.length]);
});

it("where nothing can be copied, the page says what to do", async () => {
  allow(undefined, () => false);
  render(CopyLink, { link: LINK });
  await press();
  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toContain("press Ctrl+C"));
  expect(screen.getByRole("button").textContent).toBe("Copy the link");
});
