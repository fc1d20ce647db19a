import type { Lesson } from "./lesson";

export const cubeLariat: Lesson = {
  key: "cube-lariat",
  spec: "cube-lariat-2",
  steps: [
    {
      moves: [],
      say: {
        en: "A cube covered with octagons and small cells between them. Cells on the edges belong to two faces, on the corners to three. Three cells are marked: the nuclear cells. Turn the 3D view to find them.",
        de: "Ein Würfel, bedeckt mit Achtecken und kleinen Feldern dazwischen. Felder auf den Kanten gehören zu zwei Flächen, auf den Ecken zu dreien. Drei Felder sind markiert: die Kernfelder. Dreh die 3D-Ansicht und finde sie.",
      },
    },
    {
      moves: [],
      say: {
        en: "Black begins and places a stone on any cell. Select one.",
        de: "Schwarz beginnt und besetzt irgendein Feld. Wähle eines.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["UF1"],
      say: {
        en: "The first stone is a large advantage, so the second player may take it: choose “swap”, and you play black from now on. This stone is on a nuclear cell. Take it.",
        de: "Der erste Stein ist viel wert, darum darf der zweite Spieler ihn nehmen: tausche, und du spielst von nun an Schwarz. Dieser Stein liegt auf einem Kernfeld. Nimm ihn.",
      },
      task: { kind: "move", moves: ["swap"] },
    },
    {
      moves: ["DB1", "Ub1", "FL1", "Bb2", "Fb2", "FR1", "DR1", "BR1", "Fb1", "Ba2", "Db1", "Ba1'"],
      say: {
        en: "You win with one group that separates the nuclear cells: outside the group no two of them are connected, and those in the group count as separated. Black needs one more stone.",
        de: "Du gewinnst mit einer Gruppe, die die Kernfelder trennt: außerhalb sind keine zwei verbunden, und die in der Gruppe gelten als getrennt. Schwarz fehlt noch ein Stein.",
      },
      task: { kind: "win" },
    },
  ],
};
