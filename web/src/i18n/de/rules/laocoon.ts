import type { Rule } from "../../rules";

export const laocoon: Rule[] = [
  {
    heading: "Das Brett",
    text: "Acht mal acht Felder, jedes mit einer Scheibe in einer von vier Farben; später liegen auf einem Feld auch zwei Scheiben oder keine. Weiß und Schwarz haben je zwei Ringe. Die Farbe eines Feldes ist die seiner obersten Scheibe.",
  },
  {
    heading: "Freie Farben",
    text: "Du kontrollierst die Farben unter deinen Ringen. Eine Farbe ist für dich frei, wenn dein Gegner sie nicht kontrolliert.",
  },
  {
    heading: "Ringe setzen",
    text: "Weiß, Schwarz, Weiß, Schwarz: jeder setzt einen Ring auf ein Feld mit Scheibe, ohne Ring, in einer freien Farbe.",
  },
  {
    heading: "Ein Zug",
    text: "Ziehe einen deiner Ringe einen Schritt in beliebiger Richtung auf ein Feld mit Scheibe, ohne Ring, in einer freien Farbe. Die oberste Scheibe des verlassenen Feldes bekommt der Gegner. Dann lege die Scheibe, die du bekommen hast, auf ein Feld ohne Ring mit genau einer Scheibe anderer Farbe.",
  },
  { heading: "Verlieren", text: "Wer am Anfang seines Zuges keinen seiner Ringe bewegen kann, verliert." },
  {
    heading: "Die Aufstellung",
    text: "Gewebe und Blöcke sind von uns, denn dem Regelblatt fehlt seine Abbildung; die zufällige Aufstellung ist eine Variante des Blatts.",
    ruling: true,
  },
  { heading: "Kein Platz für die Scheibe", text: "Passt kein Feld, verlässt die Scheibe das Spiel.", ruling: true },
  { heading: "Wiederholung", text: "Kommt eine Stellung zum dritten Mal vor, ist das Spiel remis.", ruling: true },
];
