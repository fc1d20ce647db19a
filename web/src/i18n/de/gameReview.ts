/** Texte des Rückblicks auf eine Partie. */
import type { Messages } from "../en";
import { format } from "./format";

export const gameReview = {
  start: "Partie analysieren",
  startHint: "Der Server bewertet jede Stellung einmal, für alle, die diese Partie ansehen.",
  queued: "Andere Rückblicke kommen zuerst …",
  running: (done: number, all: number): string => `Analyse: ${done} von ${all} Stellungen`,
  failed: "Die Analyse ist fehlgeschlagen.",
  toMatch: "Zur Partie",
  graph: "Aussichten der ersten Seite, Zug für Zug; ausgefüllte Punkte sind bewiesen",
  summary: "Züge nach Güte",
  quality: {
    best: "Bester Zug",
    good: "Guter Zug",
    inaccuracy: "Ungenauigkeit",
    mistake: "Fehler",
    blunder: "Grober Fehler",
    "proven-loss": "Bewiesen verloren",
  },
  qualities: {
    best: "beste",
    good: "gute",
    inaccuracy: "Ungenauigkeiten",
    mistake: "Fehler",
    blunder: "grobe Fehler",
    "proven-loss": "bewiesen verloren",
  },
  rule: (inaccuracy: number, mistake: number, blunder: number): string =>
    `Der beste Zug ist der, den die Engine wählt. Jeder andere wird daran gemessen, was er an Aussichten verliert: ab ${format.percent(inaccuracy)} eine Ungenauigkeit, ab ${format.percent(mistake)} ein Fehler, ab ${format.percent(blunder)} ein grober Fehler. Bewiesen verloren heißt: Die Stellung danach ist bewiesen verloren, und der Zug hat mindestens ${format.percent(inaccuracy)} verloren.`,
  ruleHeading: "Wie Züge beurteilt werden",
  settings: (level: number, seconds: number): string => `Stufe ${level}, ${format.number(seconds)} s je Stellung`,
  loss: (share: number): string => `verliert ${format.percent(share)}`,
  turningPoint: (move: string, number: number): string =>
    `Wendepunkt: ${move} (Zug ${number}). Von da an lag die Siegerseite vorn.`,
  better: "Besser war",
  showBetter: "Auf dem Brett zeigen",
  branches: "Varianten",
  branch: (number: number): string => `ab Zug ${number}`,
  leave: "Zurück zur Partie",
  removeBranch: (moves: string): string => `Variante ${moves} entfernen`,
  mistakes: "Nächster Fehler",
  value: (colour: string, share: number, isProven: boolean): string =>
    isProven ? `${colour} ${format.percent(share)}, bewiesen` : `${colour} ${format.percent(share)}`,
} satisfies Messages["gameReview"];
