/** Die Regeln in Kürze. */
import type { Rule } from "./rules-en";

export const rulesDe: Record<string, Rule[]> = {
  lariat: [
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
      text: "Du gewinnst sofort, wenn eine deiner Gruppen ein Feld am unteren Rand hält und dazu entweder das Mittelfeld hält oder es abtrennt: niemand käme von der Mitte zum Rand, ohne auf diese Gruppe zu treten.",
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
  ],
  "cube-lariat": [
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
      text: "Du gewinnst sofort, wenn eine deiner Gruppen die drei Kernfelder voneinander trennt: nimm alles außerhalb der Gruppe als leer, und keine zwei Kernfelder hängen zusammen. Ein Kernfeld in der Gruppe gilt als getrennt.",
    },
    { heading: "Kein Remis", text: "Ein volles Brett hat immer genau einen Gewinner." },
    {
      heading: "Welche Felder Kernfelder sind",
      text: "Jede Wahl von drei Kanten ohne gemeinsame Fläche ist bis auf Spiegelung dieselbe.",
      ruling: true,
    },
  ],
  tether: [
    { heading: "Das Brett", text: "Eine Raute aus Sechsecken. Oben und unten gehört Rot, links und rechts Blau." },
    { heading: "Ein Zug", text: "Rot beginnt. Setze einen eigenen Stein auf ein leeres Feld, das niemand umzingelt." },
    {
      heading: "Umzingelt",
      text: "Ein Feld ist von Rot umzingelt, wenn niemand von dort zu einer blauen Seite käme, ohne auf einen roten Stein zu treten: eine Schlinge aus roten Steinen, oder aus roten Steinen und roten Seiten, schließt es ein. Ebenso mit vertauschten Farben.",
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
  ],
  laocoon: [
    {
      heading: "Das Brett",
      text: "Acht mal acht Felder, jedes mit einer Scheibe in einer von vier Farben; später liegen auf einem Feld auch zwei Scheiben oder keine. Weiß und Schwarz haben je zwei Ringe. Die Farbe eines Feldes ist die seiner obersten Scheibe.",
    },
    {
      heading: "Freie Farben",
      text: "Du hältst die Farben unter deinen Ringen. Eine Farbe ist für dich frei, wenn dein Gegner sie nicht hält.",
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
  ],
  liger: [
    {
      heading: "Das Brett",
      text: "Die dunklen Felder eines Damebretts. Rot zieht nach oben, Blau nach unten. Steine werden gestapelt; nur der oberste eines Stapels ist zu sehen.",
    },
    {
      heading: "Vorwärts",
      text: "Ziehe deinen obersten Stein, oder deinen obersten zusammen mit dem gegnerischen direkt darunter, ein Feld schräg vorwärts, auf was auch immer dort liegt.",
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
  ],
};
