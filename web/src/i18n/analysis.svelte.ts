/** Texts of the analysis board and of what is known, which are loaded with these pages. */
import { preferences } from "../lib/state/preferences.svelte";
import { analysisBoard as de, known as knownDe } from "./de/analysis";
import { analysisBoard as en, known as knownEn } from "./en/analysis";

const BOARD = { en, de } as const;
const KNOWN = { en: knownEn, de: knownDe } as const;

/** The texts of the chosen language: read a field where it is shown, and it follows the language. */
export const analysisTexts: typeof en = new Proxy(en, {
  get: (_, key) => BOARD[preferences.language][key as keyof typeof en],
});
export const knownTexts: typeof knownEn = new Proxy(knownEn, {
  get: (_, key) => KNOWN[preferences.language][key as keyof typeof knownEn],
});
