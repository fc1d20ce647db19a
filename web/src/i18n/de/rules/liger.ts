import type { Rule } from "../../rules";

export const liger: Rule[] = [
  {
    heading: "Das Brett",
    text: "Die dunklen Felder eines Damebretts. Rot zieht nach oben, Blau nach unten. Steine werden gestapelt; nur der oberste eines Stapels ist zu sehen.",
  },
  {
    heading: "Vorwärts",
    text: "Ziehe deinen obersten Stein, oder deinen obersten zusammen mit dem gegnerischen direkt darunter, ein Feld schräg vorwärts; das Zielfeld darf besetzt sein.",
  },
  {
    heading: "Rückwärts",
    text: "Nur wenn du weniger Steine zeigst als dein Gegner: ein Stein, der allein auf seinem Feld liegt, darf schräg zurück auf ein Feld, dessen oberster Stein dem Gegner gehört.",
  },
  { heading: "Vom Brett", text: "Aus deiner hintersten Reihe darf dein oberster Stein das Brett verlassen." },
  {
    heading: "Gewinnen",
    text: "Bringe alle deine Steine vom Brett. Zeigt der Gegner aber nach deinem Zug keinen Stein mehr, hast du verloren.",
  },
  { heading: "Aufstellung und erster Zug", text: "Die übliche Aufstellung eines Damebretts; Rot beginnt.", ruling: true },
  { heading: "Wiederholung", text: "Kommt eine Stellung zum dritten Mal vor, ist das Spiel remis.", ruling: true },
];
