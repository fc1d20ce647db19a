import type { Lesson } from "./lesson";

export const lariat: Lesson = {
  key: "lariat",
  spec: "lariat-1x3",
  steps: [
    {
      moves: [],
      say: {
        en: "A cylinder, closed at the top, open at the bottom. In the middle of the map is the centre cell of the cap; the outermost ring is the bottom edge. Turn the 3D view to find both.",
        de: "Ein Zylinder, oben geschlossen, unten offen. In der Mitte der Karte liegt das Mittelfeld des Deckels; der äußerste Ring ist der untere Rand. Dreh die 3D-Ansicht und finde beide.",
      },
    },
    {
      moves: [],
      say: {
        en: "Black begins. A turn is one stone on any empty cell. Place one.",
        de: "Schwarz beginnt. Ein Zug ist ein Stein auf irgendein leeres Feld. Setze einen.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["a1", "c3"],
      say: {
        en: "Stones are never moved or removed. Try to place one on an occupied cell: the page explains why that is illegal.",
        de: "Steine werden nie bewegt und nie entfernt. Versuch, auf ein besetztes Feld zu setzen: die Seite erklärt, warum das nicht erlaubt ist.",
      },
      task: { kind: "refused", reason: "taken" },
    },
    {
      moves: ["a1", "c3", "b1", "c4", "c1", "d4", "d1", "b3"],
      say: {
        en: "First way to win: one group that contains the centre and a cell of the bottom edge. Black’s group reaches down from the centre. Connect it with the edge.",
        de: "So gewinnt man zum einen: eine Gruppe, die die Mitte und ein Feld am unteren Rand enthält. Die schwarze Gruppe reicht von der Mitte herab. Verbinde sie mit dem Rand.",
      },
      task: { kind: "win" },
    },
    {
      moves: ["d1", "b1", "d2", "b2", "d3", "b3", "d4", "b4", "e1", "c1", "d5", "c2"],
      say: {
        en: "Second way: one group that contains an edge cell and closes a ring round the centre, so that every path from the centre to the edge crosses it. Close the ring.",
        de: "Zum anderen: eine Gruppe, die ein Randfeld enthält und einen Ring um die Mitte schließt, sodass jeder Weg von der Mitte zum Rand über sie führt. Schließ den Ring.",
      },
      task: { kind: "win" },
    },
  ],
};
