/** Texts that are loaded with the part of the page that shows them, instead of with the first page. */
import { type Language, preferences } from "../lib/state/preferences.svelte";

/** Return the texts of the chosen language. */
export const localise = <T>(texts: Readonly<Record<Language, T>>): T => texts[preferences.language];
