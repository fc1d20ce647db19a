/** The words of the page in the visitor's language. */
import { preferences } from "../lib/state/preferences.svelte";
import { de } from "./de";
import { en, type Messages } from "./en";

const LANGUAGES = { en, de } as const;

/** The messages of the chosen language: read a field where it is shown, and it follows the language. */
export const t: Messages = new Proxy(en, {
  get: (_, key) => LANGUAGES[preferences.language][key as keyof Messages],
});

export const colourName = (colour: string): string => t.colours[colour] ?? colour;
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
