import type { Rule } from "../../rules";

export const lariat: Rule[] = [
  {
    heading: "Das Brett",
    text: "Ein Zylinder, oben geschlossen und unten offen, bedeckt mit sechseckigen Feldern. Die Karte zeigt den Deckel in der Mitte und die Wand ringsherum ausgebreitet.",
  },
  {
    heading: "Ein Zug",
    text: "Schwarz beginnt. Wer am Zug ist, besetzt ein leeres Feld mit einem eigenen Stein. Steine ziehen nie und werden nie geschlagen.",
  },
  {
    heading: "Gewinnen",
    text: "Du gewinnst sofort, wenn eine deiner Gruppen ein Feld am unteren Rand enthält und dazu entweder das Mittelfeld enthält oder es abtrennt: jeder Weg von der Mitte zum Rand führt über diese Gruppe.",
  },
  { heading: "Kein Remis", text: "Ein volles Brett hat immer genau einen Gewinner." },
  {
    heading: "Die Form",
    text: "Die Ringe des Deckels wachsen um sechs Felder; unterhalb der Kante sind alle Ringe gleich groß und versetzt. Dem Regelblatt fehlt seine Abbildung.",
    ruling: true,
  },
  {
    heading: "Tauschregel",
    text: "Das Regelblatt kennt keine. Auf Wunsch darf der zweite Spieler statt der ersten Antwort die Farben tauschen.",
    ruling: true,
  },
];
