/** What a visitor prefers, kept in this browser. */
import { drawsInSoftware } from "../board/softwareRendering";

export type Language = "en" | "de";

export interface Settings {
  theme: "system" | "light" | "dark";
  language: Language;
  /** When a chosen move waits for a second yes: on touch screens, always or never. */
  confirm: "touch" | "always" | "never";
  views: "both" | "flat" | "solid";
  names: boolean;
  text: boolean;
}

const KEY = "ropewalk";

function preferred(): Settings {
  const language: Language = navigator.language.startsWith("de") ? "de" : "en";
  const views = drawsInSoftware() ? "flat" : "both";
  return { theme: "system", language, confirm: "touch", views, names: true, text: false };
}

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings: Settings = $state({ ...preferred(), ...kept() });

/** Call once: keeps settings, and sets theme and language on the page. */
export function followSettings(): void {
  $effect(() => {
    localStorage.setItem(KEY, JSON.stringify(settings));
    document.documentElement.lang = settings.language;
    if (settings.theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
  });
}

export const isCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
