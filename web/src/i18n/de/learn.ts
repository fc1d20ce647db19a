/** Texte der Lektionen und Regeln. */
import type { Messages } from "../en";

export const learn = {
  heading: "Lernen",
  text: "Eine Lektion je Spiel: jeder Schritt zeigt eine Regel und lässt sie dich ausprobieren.",
  start: "Anfangen",
  next: "Weiter",
  back: "Zurück",
  again: "Noch einmal",
  step: (step: number, all: number): string => `${step} von ${all}`,
  right: "Richtig.",
  wrong: "Dieser Zug ist erlaubt, aber nicht der gesuchte.",
  try: "Du bist dran",
  finished: "Jetzt kennst du alle Regeln.",
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
