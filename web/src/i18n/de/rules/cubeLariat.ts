import type { Rule } from "../../rules";

export const cubeLariat: Rule[] = [
  {
    heading: "Das Brett",
    text: "Die Oberfläche eines Würfels: Achtecke, dazwischen kleine Quadrate. Quadrate an einer Kante sind darübergefaltet, an jeder Ecke sitzt ein kleines Dreieck. Drei markierte Felder, die Kernfelder, liegen auf Kanten ohne gemeinsame Fläche.",
  },
  {
    heading: "Ein Zug",
    text: "Schwarz beginnt. Wer am Zug ist, besetzt ein leeres Feld. Steine ziehen nie und werden nie geschlagen.",
  },
  {
    heading: "Tauschregel",
    text: "Als erste Antwort darf der zweite Spieler tauschen: die Spieler wechseln die Farben, der Stein bleibt liegen.",
  },
  {
    heading: "Gewinnen",
    text: "Du gewinnst sofort, wenn eine deiner Gruppen die drei Kernfelder voneinander trennt: außerhalb der Gruppe sind keine zwei Kernfelder verbunden, gleich was auf den anderen Feldern liegt. Ein Kernfeld in der Gruppe gilt als getrennt.",
  },
  { heading: "Kein Remis", text: "Ein volles Brett hat immer genau einen Gewinner." },
  {
    heading: "Welche Felder Kernfelder sind",
    text: "Jede Wahl von drei Kanten ohne gemeinsame Fläche ist bis auf Spiegelung dieselbe.",
    ruling: true,
  },
];
