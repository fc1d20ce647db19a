/** Texte der Lektionen und Regeln. */
import type { Messages } from "../en";

export const learn = {
  heading: "Lernen",
  text: "Drei Lektionen je Spiel: Regeln, Taktik und Strategie. Jeder Schritt zeigt etwas und lässt es dich ausprobieren.",
  names: { basics: "Regeln", tactics: "Taktik", strategy: "Strategie" },
  done: "abgeschlossen",
  next: "Weiter",
  back: "Zurück",
  again: "Noch einmal",
  step: (step: number, all: number): string => `${step} von ${all}`,
  right: "Richtig.",
  wrong: "Dieser Zug ist erlaubt, aber nicht der gesuchte.",
  try: "Du bist dran",
  look: "Sieh dir das Brett an.",
  hint: "Hinweis",
  show: "Zeig es mir",
  solution: (move: string): string => `Die Lösung ist ${move}.`,
  wins: (turns: number): string => `Das gewinnt in ${turns} Zügen, gegen jede Verteidigung.`,
  toTheEnd: "Zu Ende spielen",
  finished: "Jetzt kennst du alle Regeln.",
  finishedLesson: "Du hast diese Lektion abgeschlossen.",
  following: (name: string): string => `Nächste Lektion: ${name}`,
  puzzles: "Aufgaben dazu",
  play: "Gegen einen Bot spielen",
  rules: "Alle Regeln",
  lessons: "Lektionen",
} satisfies Messages["learn"];

export const rules = {
  known: "Was man weiß",
  heading: "Regeln",
  rulings: "Unsere Festlegungen",
  source: "Die Regeln in unseren Worten; das Spiel gehört seinen Erfindern.",
} satisfies Messages["rules"];
