/** Refusals and endings in German, by their stable codes. */
import type { OutcomeView, Refused } from "../lib/api/types";

const REFUSALS: Record<string, string> = {
  over: "Das Spiel ist zu Ende",
  taken: "Dort liegt schon ein Stein",
  corner: "Eckfelder werden in diesem Spiel nicht besetzt",
  swapped: "Die Farben sind schon getauscht",
  "nothing-to-swap": "Es liegt noch kein Stein: getauscht wird nach dem ersten Stein von Schwarz",
  "too-late-to-swap": "Zu spät: getauscht wird nur als Antwort auf den ersten Stein",
  surrounded: "Dieses Feld ist umzingelt: dort darf niemand setzen",
  "wrong-step": "Jetzt ist ein anderer Schritt an der Reihe",
  "same-space": "Zum Tauschen braucht es zwei verschiedene Felder",
  "no-ring": "Dort liegt keiner deiner Ringe",
  "off-board": "Das führt vom Brett",
  occupied: "Dort liegt schon ein Ring",
  "no-disc": "Dort liegt keine Scheibe mehr",
  "not-free": "Diese Farbe ist nicht frei: der Gegner hält sie",
  "two-discs": "Dort liegen schon zwei Scheiben",
  "same-colour": "Die Scheibe muss auf eine andere Farbe",
  empty: "Das Feld ist leer",
  "not-yours": "Der oberste Stein gehört dem Gegner",
  "not-farthest-row": "Nur von der hintersten Reihe gehen Steine vom Brett",
  "no-two-stack": "Zwei zusammen ziehen nur, wenn unter deinem Stein einer des Gegners liegt",
  "two-stack-backward": "Zurück zieht nur ein einzelner Stein",
  "not-fewer": "Zurück zieht nur, wer weniger Steine zeigt als der Gegner",
  "not-alone": "Zurück zieht nur ein Stein, der allein auf seinem Feld liegt",
  "no-checker-to-cover": "Zurück geht es nur auf einen Stein des Gegners",
};

export function germanRefusal(refused: Refused): string {
  return REFUSALS[refused.reason] ?? refused.words;
}

const ENDINGS: Record<string, string> = {
  "holds-centre": "die Gruppe verbindet die Mitte mit dem Rand",
  "ropes-off-centre": "die Gruppe trennt die Mitte vom Rand ab",
  "isolates-nuclear-cells": "die Gruppe trennt die drei Kernfelder voneinander",
  majority: "mehr als die Hälfte des Bretts ist eigenes Gebiet",
  "cannot-move": "der Gegner kann keinen Ring mehr bewegen",
  "borne-off": "alle eigenen Steine sind vom Brett",
  "no-checker-left": "der Gegner hat keinen sichtbaren Stein übrig gelassen",
  repetition: "die Stellung kam zum dritten Mal",
};

export function germanOutcome(outcome: OutcomeView, winner: string | null): string {
  const why = ENDINGS[outcome.reason];
  if (winner === null) return `Remis: ${why ?? outcome.words}`;
  return `${winner.charAt(0).toUpperCase()}${winner.slice(1)} gewinnt${why ? `: ${why}` : ""}`;
}
