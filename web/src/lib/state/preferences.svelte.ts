/** What a visitor prefers, kept in this browser. */
import type { SubscribeRequest } from "../api/types";
import { drawsInSoftware } from "../board/softwareRendering";

export type Language = NonNullable<SubscribeRequest["language"]>;

export interface Preferences {
  theme: "system" | "light" | "dark";
  language: Language;
  /** When a chosen move waits for a second yes: on touch screens, always or never. */
  confirm: "touch" | "always" | "never";
  views: "both" | "flat" | "solid";
  names: boolean;
  text: boolean;
  /** Whether moves of the opponent and the end of a match have a sound. */
  sound: boolean;
}

const KEY = "ropewalk";

function preferred({ views = drawsInSoftware() ? "flat" : "both" }: Partial<Preferences>): Preferences {
  const language: Language = navigator.language.startsWith("de") ? "de" : "en";
  return { theme: "system", language, confirm: "touch", views, names: true, text: false, sound: true };
}

function kept(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}

const stored = kept();
export const preferences: Preferences = $state({ ...preferred(stored), ...stored }); // a choice of views spares the test for WebGL

/** Call once: keeps settings, and sets theme and language on the page. */
export function applyPreferences(): void {
  $effect(() => {
    localStorage.setItem(KEY, JSON.stringify(preferences));
    document.documentElement.lang = preferences.language;
    if (preferences.theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = preferences.theme;
  });
}

export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
