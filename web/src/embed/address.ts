/** The addresses of pages for frames: /embed/match/ID, or /embed/position?spec=SPEC&moves=MOVE+MOVE&position=TEXT. */
import type { PositionRequest } from "../lib/api/types";
import type { Language } from "../lib/state/preferences.svelte";

export interface EmbedAddress {
  /** The id of a match; null: a line. */
  match: string | null;
  line: PositionRequest | null;
  /** After how many moves the board is shown first; null: after all. */
  ply: number | null;
  language: Language | null;
  theme: "light" | "dark" | null;
}

const oneOf = <T extends string>(value: string | null, allowed: readonly T[]): T | null =>
  allowed.find((each) => each === value) ?? null;

const readPly = (text: string | null | undefined): number | null => (text && /^\d{1,6}$/.test(text) ? Number(text) : null);

export function parseEmbedAddress(path: string, search: string): EmbedAddress {
  const [, , kind, id = null, ply] = path.split("/");
  const query = new URLSearchParams(search);
  const spec = kind === "position" ? query.get("spec") : null;
  return {
    match: kind === "match" ? id : null,
    line: spec
      ? { spec, position: query.get("position"), moves: (query.get("moves") ?? "").split(" ").filter(Boolean) }
      : null,
    ply: readPly(kind === "match" ? ply : query.get("ply")),
    language: oneOf(query.get("language"), ["en", "de"]),
    theme: oneOf(query.get("theme"), ["light", "dark"]),
  };
}

/** The HTML that shows a match in a frame of another site. */
export const formatEmbedCode = (origin: string, id: string, title: string): string =>
  `<iframe src="${origin}/embed/match/${id}" width="480" height="620" title="${escapeAttribute(title)}" loading="lazy" style="border:0"></iframe>`;

const escapeAttribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
