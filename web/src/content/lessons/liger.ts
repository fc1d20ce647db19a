import type { Lesson } from "./lesson";

export const liger: Lesson = {
  key: "liger",
  spec: "liger-6",
  steps: [
    {
      moves: [],
      say: {
        en: "Checkers on the dark squares; red moves up, blue moves down. Bear off all your checkers, but always leave your opponent at least one visible checker: otherwise you lose.",
        de: "Steine auf den dunklen Feldern; Rot geht nach oben, Blau nach unten. Bring alle deine Steine vom Brett, aber lass der anderen Seite immer einen sichtbaren: sonst verlierst du.",
      },
    },
    {
      moves: [],
      say: {
        en: "A checker moves one square diagonally forward, also onto other checkers. Move one.",
        de: "Ein Stein zieht ein Feld schräg vorwärts, auch auf andere Steine. Zieh einen.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["b2-c3", "c5-b4", "c3-b4", "b6-c5"],
      say: {
        en: "On b4 your checker is on top of a blue one. You may move both together: select b4, then a square, then “both checkers”.",
        de: "Auf b4 liegt dein Stein auf einem blauen. Du darfst beide zusammen ziehen: wähle b4, dann ein Feld, dann beide Steine.",
      },
      task: { kind: "move", moves: ["b4=c5", "b4=a5"] },
    },
    {
      moves: ["e1-d2", "d6-c5", "b2-a3", "c5-d4", "a3-b4", "d4-c3"],
      say: {
        en: "Only the top checkers of stacks are visible. You show fewer checkers than blue, so a single checker may move back onto a blue one. Do that with b4.",
        de: "Nur die obersten Steine sind zu sehen. Du zeigst weniger als Blau, darum darf ein Stein, der allein liegt, zurück auf einen blauen. Tu es mit b4.",
      },
      task: { kind: "move", moves: ["b4-c3"] },
    },
    {
      moves: ["f2-e3", "f6-e5", "e3-f4", "b6-a5", "f4-e5", "a5-b4", "e5=d6", "e5-f4"],
      say: {
        en: "On d6 you have reached your farthest row. From there a checker can leave the board: bear it off.",
        de: "Auf d6 hast du deine hinterste Reihe erreicht. Von dort verlässt ein Stein das Brett: bring ihn hinaus.",
      },
      task: { kind: "move", moves: ["d6-off"] },
    },
  ],
};
