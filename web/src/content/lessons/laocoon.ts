import type { Lesson } from "./lesson";

export const laocoon: Lesson = {
  key: "laocoon",
  spec: "laocoon-weave",
  steps: [
    {
      moves: [],
      say: {
        en: "There are 64 discs in four colours, each with its letter. Both players have two rings. A player who can move neither ring loses.",
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
        en: "You control the colours under your rings: your opponent may not use them. White controls purple. You are black: try another purple disc, such as h4.",
        de: "Du kontrollierst die Farben unter deinen Ringen: die andere Seite darf sie nicht benutzen. Weiß kontrolliert Violett. Du bist Schwarz: versuch eine andere violette Scheibe, etwa h4.",
      },
      task: { kind: "refused", reason: "not-free" },
    },
    {
      moves: ["b3", "a7", "g1", "a3"],
      say: {
        en: "A ring moves one step, straight or diagonally, to a disc of a free colour without a ring. Select one of your white rings, then its target. The disc it leaves goes to black.",
        de: "Ein Ring zieht einen Schritt, gerade oder schräg, auf eine Scheibe in freier Farbe ohne Ring. Wähle einen deiner weißen Ringe und dann sein Ziel. Die Scheibe, die er verlässt, bekommt Schwarz.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["b3", "a7", "g1", "a3", "g1-h1", "a7-a8"],
      say: {
        en: "Black has moved, and now places the disc received from white: onto a space without a ring that has exactly one disc, of another colour. Place it.",
        de: "Schwarz hat gezogen und legt jetzt die Scheibe von Weiß: auf ein Feld ohne Ring mit genau einer Scheibe in anderer Farbe. Lege sie.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["f8", "c3", "g8", "e4", "g8-f7", "e4-e3"],
      say: {
        en: "White’s rings are close to the edge and have one move left. Black places a disc: where does it prevent that move?",
        de: "Die weißen Ringe stehen am Rand und haben noch einen Zug. Schwarz legt eine Scheibe: wo verhindert sie diesen Zug?",
      },
      task: { kind: "win" },
    },
  ],
};
