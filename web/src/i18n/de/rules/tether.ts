import type { Rule } from "../../rules";

export const tether: Rule[] = [
  { heading: "Das Brett", text: "Eine Raute aus Sechsecken. Oben und unten gehört Rot, links und rechts Blau." },
  { heading: "Ein Zug", text: "Rot beginnt. Setze einen eigenen Stein auf ein leeres Feld, das niemand umzingelt." },
  {
    heading: "Umzingelt",
    text: "Ein Feld ist von Rot umzingelt, wenn jeder Weg von dort zu einer blauen Seite über einen roten Stein führt: eine Schlinge aus roten Steinen, oder aus roten Steinen und roten Seiten, schließt es ein. Ebenso mit vertauschten Farben.",
  },
  { heading: "Schlagen", text: "Nach dem Setzen wird jeder gegnerische Stein entfernt, den deine Steine umzingeln." },
  {
    heading: "Gewinnen",
    text: "Eine Gruppe ist angebunden, wenn sie eine Seite ihrer Farbe berührt. Dein Gebiet sind alle angebundenen Steine und alles, was sie umzingeln. Mehr als die Hälfte des Bretts gewinnt sofort.",
  },
  { heading: "Ecken", text: "Ein Eckfeld liegt an beiden Seiten.", ruling: true },
  {
    heading: "Alle zusammen",
    text: "Gebiet ist, was alle angebundenen Steine einer Farbe gemeinsam umzingeln, nicht Gruppe für Gruppe.",
    ruling: true,
  },
];
