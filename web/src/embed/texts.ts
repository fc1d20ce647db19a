/** Texts of pages for frames, and of the text to copy for them. */
const en = {
  loading: "Loading…",
  missing: "There is no public game at this address.",
  open: "Open at Ropewalk",
  rules: "Rules at Ropewalk",
  move: (number: number, move: string): string => `Move ${number}: ${move}`,
  embed: "Embed in a website",
  hint: "This HTML shows the game with its moves in a frame:",
  copy: "Copy the HTML",
  code: "HTML",
  private: "Only public matches can be embedded.",
};

const de: typeof en = {
  loading: "Lädt …",
  missing: "Unter dieser Adresse gibt es keine öffentliche Partie.",
  open: "Bei Ropewalk öffnen",
  rules: "Regeln bei Ropewalk",
  move: (number: number, move: string): string => `Zug ${number}: ${move}`,
  embed: "In eine Website einbetten",
  hint: "Dieses HTML zeigt die Partie mit ihren Zügen in einem Rahmen:",
  copy: "HTML kopieren",
  code: "HTML",
  private: "Nur öffentliche Partien lassen sich einbetten.",
};

export const EMBED_TEXTS = { en, de };
