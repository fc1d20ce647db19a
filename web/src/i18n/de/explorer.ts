/** Texte der Eröffnungsübersicht. */
import type { Messages } from "../en";

export const explorer = {
  heading: "Eröffnungen",
  none: "Bisher kam keine öffentliche Partie hierher.",
  move: "Zug",
  games: "Partien",
  score: "Punkte der ersten Seite",
  value: "Wert",
  more: (count: number): string => (count === 1 ? "1 weiterer Zug" : `${count} weitere Züge`),
  last: "Letzte Partien",
  note: "Alle öffentlichen Partien; symmetrische Stellungen zählen zusammen. Werte stammen aus Rückblicken.",
  report: "Bericht (auf Englisch)",
} satisfies Messages["explorer"];
