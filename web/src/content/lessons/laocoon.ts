import type { Lesson } from "./lesson";

export const laocoon: Lesson = {
  key: "laocoon",
  spec: "laocoon-weave",
  steps: [
    {
      moves: [],
      say: {
        en: "Sixty-four discs in four colours, each with its letter. Both players have two rings. Who cannot move either ring loses.",
        de: "Vierundsechzig Scheiben in vier Farben, jede mit ihrem Buchstaben. Beide Spieler haben zwei Ringe. Wer keinen davon bewegen kann, verliert.",
      },
    },
    {
      moves: [],
      say: {
        en: "First the rings are placed in turn; white begins. Place yours on any disc.",
        de: "Zuerst werden reihum die Ringe gesetzt; Weiß beginnt. Setze deinen auf irgendeine Scheibe.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["d4"],
      say: {
        en: "The colours under your rings are yours: they are forbidden for the other side. White holds purple. You are black: try another purple disc, such as h4.",
        de: "Die Farben unter deinen Ringen gehören dir: für die andere Seite sind sie verboten. Weiß hält Violett. Du bist Schwarz: versuch eine andere violette Scheibe, etwa h4.",
      },
      task: { kind: "refused", reason: "not-free" },
    },
    {
      moves: ["b3", "a7", "g1", "a3"],
      say: {
        en: "A ring moves one step, straight or diagonally, to a disc of a free colour without a ring. Choose one of your white rings, then where it goes. The disc it leaves goes to black.",
        de: "Ein Ring zieht einen Schritt, gerade oder schräg, auf eine Scheibe in freier Farbe ohne Ring. Wähle einen deiner weißen Ringe und dann sein Ziel. Die Scheibe, die er verlässt, bekommt Schwarz.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["b3", "a7", "g1", "a3", "g1-h1", "a7-a8"],
      say: {
        en: "Black has moved, and now places the disc that white gave: onto a space without a ring that has exactly one disc, of another colour. Place it.",
        de: "Schwarz hat gezogen und legt jetzt die Scheibe von Weiß: auf ein Feld ohne Ring mit genau einer Scheibe in anderer Farbe. Lege sie.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["f8", "c3", "g8", "e4", "g8-f7", "e4-e3"],
      say: {
        en: "White’s rings stand close to the edge, and one step is left to them. Black places a disc: where does it take that step away?",
        de: "Die weißen Ringe stehen am Rand, und ihnen bleibt ein Schritt. Schwarz legt eine Scheibe: wo nimmt sie ihnen diesen Schritt?",
      },
      task: { kind: "win" },
    },
  ],
};
