import type { Lesson } from "./lesson";

export const cubeLariat: Lesson = {
  key: "cube-lariat",
  spec: "cube-lariat-2",
  steps: [
    {
      moves: [],
      say: {
        en: "A cube covered with octagons and small cells between them. Cells on the edges belong to two faces, on the corners to three. Three cells are marked: the nuclear cells. Turn the cube and find them.",
        de: "Ein Würfel, bedeckt mit Achtecken und kleinen Feldern dazwischen. Felder auf den Kanten gehören zu zwei Flächen, auf den Ecken zu dreien. Drei Felder sind markiert: die Kernfelder. Dreh den Würfel und finde sie.",
      },
    },
    {
      moves: [],
      say: {
        en: "Black begins and claims any cell. Choose one.",
        de: "Schwarz beginnt und besetzt irgendein Feld. Wähle eines.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["UF1"],
      say: {
        en: "The first stone is worth a lot, so the second player may take it: say swap, and you play black from now on. This stone lies on a nuclear cell. Take it.",
        de: "Der erste Stein ist viel wert, darum darf der zweite Spieler ihn nehmen: tausche, und du spielst von nun an Schwarz. Dieser Stein liegt auf einem Kernfeld. Nimm ihn.",
      },
      task: { kind: "move", moves: ["swap"] },
    },
    {
      moves: ["DB1", "Ub1", "FL1", "Bb2", "Fb2", "FR1", "DR1", "BR1", "Fb1", "Ba2", "Db1", "Ba1'"],
      say: {
        en: "You win with one group that parts the nuclear cells: outside it, no two of them hang together, and those inside it count as parted. Black needs one more stone.",
        de: "Du gewinnst mit einer Gruppe, die die Kernfelder trennt: außerhalb hängen keine zwei zusammen, und die in der Gruppe gelten als getrennt. Schwarz fehlt noch ein Stein.",
      },
      task: { kind: "win" },
    },
  ],
};
