/** The texts of the page in the chosen language. */
import type { Piece } from "../lib/api/types";
import { preferences } from "../lib/state/preferences.svelte";
import { de } from "./de";
import { en, type Messages } from "./en";

const LANGUAGES = { en, de } as const satisfies Record<string, Messages>;

/** The messages of the chosen language: read a field where it is shown, and it follows the language. */
export const t: Messages = new Proxy(en, {
  get: (_, key) => LANGUAGES[preferences.language][key as keyof Messages],
});

/** Return the entry of a table for a key that the server gives, which may be one that the page does not know. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

export const colourName = (colour: string): string => lookUp(t.colours, colour) ?? colour;
/** The letter of a piece in the chosen language, empty if it has none. */
export const pieceLetter = ({ letter, colour }: Piece): string => letter && (lookUp(t.letters, colour) ?? letter);
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
