import type { Lesson } from "./lesson";

export const lariat: Lesson = {
  key: "lariat",
  spec: "lariat-1x3",
  steps: [
    {
      moves: [],
      say: {
        en: "A cylinder, closed at the top, open at the bottom. In the middle of the map is the centre cell of the cap; the outermost ring is the bottom edge. Turn the solid and find both.",
        de: "Ein Zylinder, oben geschlossen, unten offen. In der Mitte der Karte liegt das Mittelfeld des Deckels; der äußerste Ring ist der untere Rand. Dreh den Körper und finde beide.",
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
        en: "Stones stay where they are, for ever. Try to place on a cell that is taken: the board says why not.",
        de: "Steine bleiben liegen, für immer. Versuch, auf ein besetztes Feld zu setzen: das Brett sagt, warum nicht.",
      },
      task: { kind: "refused", reason: "taken" },
    },
    {
      moves: ["a1", "c3", "b1", "c4", "c1", "d4", "d1", "b3"],
      say: {
        en: "First way to win: one group that holds the centre and a cell of the bottom edge. Black’s rope hangs down from the centre. Tie it to the edge.",
        de: "So gewinnt man zum einen: eine Gruppe, die die Mitte und ein Feld am unteren Rand hält. Das schwarze Seil hängt von der Mitte herab. Knote es am Rand fest.",
      },
      task: { kind: "win" },
    },
    {
      moves: ["d1", "b1", "d2", "b2", "d3", "b3", "d4", "b4", "e1", "c1", "d5", "c2"],
      say: {
        en: "Second way: rope the centre off. A group that holds an edge cell and closes a ring, so that nobody could walk from the centre to the edge. Close it.",
        de: "Zum anderen: trenne die Mitte ab. Eine Gruppe, die ein Randfeld hält und einen Ring schließt, sodass niemand von der Mitte zum Rand käme. Schließ ihn.",
      },
      task: { kind: "win" },
    },
  ],
};
