import type { Lesson } from "./lesson";

export const tether: Lesson = {
  key: "tether",
  spec: "tether-5",
  steps: [
    {
      moves: [],
      say: {
        en: "A rhombus of hexagons. The sides at the top and bottom belong to red, those at the left and right to blue. You need more than half of the board.",
        de: "Eine Raute aus Sechsecken. Die Seiten oben und unten gehören Rot, die links und rechts Blau. Du willst mehr als die Hälfte des Bretts.",
      },
    },
    {
      moves: [],
      say: { en: "Red begins. Place a stone on any cell.", de: "Rot beginnt. Setze einen Stein auf irgendein Feld." },
      task: { kind: "any" },
    },
    {
      moves: ["c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3"],
      say: {
        en: "What your stones surround is captured: the blue stone on c3 has one exit left. Close the ring.",
        de: "Was deine Steine umzingeln, wird geschlagen: der blaue Stein auf c3 hat noch einen Ausweg. Schließ den Ring.",
      },
      task: { kind: "move", moves: ["c4"] },
    },
    {
      moves: ["c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3", "c4"],
      say: {
        en: "Nobody may place inside a ring, neither blue nor red. Try c3: the page shows you the ring.",
        de: "In einem Ring darf niemand mehr setzen, weder Blau noch Rot. Versuch c3: die Seite zeigt dir den Ring.",
      },
      task: { kind: "refused", reason: "surrounded" },
    },
    {
      moves: ["e2", "c4", "b4", "a1", "c3", "e5", "a4", "b3", "b1", "c2", "a2", "d5", "a3", "a5", "e1", "e3"],
      say: {
        en: "A group is tethered when it touches a side of its colour. Your territory is all tethered stones and everything that they surround: more than half of the cells wins. One red stone is missing.",
        de: "Eine Gruppe ist angebunden, wenn sie eine Seite ihrer Farbe berührt. Angebundene Steine und alles, was sie umzingeln, sind dein Gebiet: mehr als die Hälfte der Felder gewinnt. Ein roter Stein fehlt.",
      },
      task: { kind: "win" },
    },
  ],
};
