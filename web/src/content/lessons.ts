/** One lesson for each game. The games' own rules check every task, so nothing here can teach a wrong one unnoticed. */
import type { Lesson } from "./lesson";

const lariat: Lesson = {
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

const cubeLariat: Lesson = {
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

const tether: Lesson = {
  key: "tether",
  spec: "tether-5",
  steps: [
    {
      moves: [],
      say: {
        en: "A rhombus of hexagons. The sides at the top and bottom are red’s, those at the left and right blue’s. You want more than half of the board.",
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
        en: "What your stones surround is captured: the blue stone on c3 has one way out left. Close the ring.",
        de: "Was deine Steine umzingeln, wird geschlagen: der blaue Stein auf c3 hat noch einen Ausweg. Schließ den Ring.",
      },
      task: { kind: "move", moves: ["c4"] },
    },
    {
      moves: ["c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3", "c4"],
      say: {
        en: "Inside a ring nobody may place any more, neither blue nor red. Try c3: the board shows you the ring.",
        de: "In einem Ring darf niemand mehr setzen, weder Blau noch Rot. Versuch c3: das Brett zeigt dir den Ring.",
      },
      task: { kind: "refused", reason: "surrounded" },
    },
    {
      moves: ["e2", "c4", "b4", "a1", "c3", "e5", "a4", "b3", "b1", "c2", "a2", "d5", "a3", "a5", "e1", "e3"],
      say: {
        en: "A group is tethered when it touches a side of its colour. Tethered stones and all that they surround are your territory: more than half of the cells wins. One red stone is missing.",
        de: "Eine Gruppe ist angebunden, wenn sie eine Seite ihrer Farbe berührt. Angebundene Steine und alles, was sie umzingeln, sind dein Gebiet: mehr als die Hälfte der Felder gewinnt. Ein roter Stein fehlt.",
      },
      task: { kind: "win" },
    },
  ],
};

const laocoon: Lesson = {
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

const liger: Lesson = {
  key: "liger",
  spec: "liger-6",
  steps: [
    {
      moves: [],
      say: {
        en: "Checkers on the dark squares; red goes up, blue goes down. Bear off all your checkers, but never leave the other side without one that shows: then you lose.",
        de: "Steine auf den dunklen Feldern; Rot geht nach oben, Blau nach unten. Bring alle deine Steine vom Brett, aber lass der anderen Seite immer einen sichtbaren: sonst verlierst du.",
      },
    },
    {
      moves: [],
      say: {
        en: "A checker moves one square diagonally forward, onto whatever is there. Move one.",
        de: "Ein Stein zieht ein Feld schräg vorwärts, auf was auch immer dort liegt. Zieh einen.",
      },
      task: { kind: "any" },
    },
    {
      moves: ["b2-c3", "c5-b4", "c3-b4", "b6-c5"],
      say: {
        en: "On b4 your checker lies on a blue one. You may move both together: choose b4, then a square, then both checkers.",
        de: "Auf b4 liegt dein Stein auf einem blauen. Du darfst beide zusammen ziehen: wähle b4, dann ein Feld, dann beide Steine.",
      },
      task: { kind: "move", moves: ["b4=c5", "b4=a5"] },
    },
    {
      moves: ["e1-d2", "d6-c5", "b2-a3", "c5-d4", "a3-b4", "d4-c3"],
      say: {
        en: "Only the tops of stacks count as showing. You show fewer checkers than blue, so a checker that is alone may step back onto a blue one. Do it with b4.",
        de: "Nur die obersten Steine sind zu sehen. Du zeigst weniger als Blau, darum darf ein Stein, der allein liegt, zurück auf einen blauen. Tu es mit b4.",
      },
      task: { kind: "move", moves: ["b4-c3"] },
    },
    {
      moves: ["f2-e3", "f6-e5", "e3-f4", "b6-a5", "f4-e5", "a5-b4", "e5=d6", "e5-f4"],
      say: {
        en: "On d6 you have reached your farthest row. From there a checker leaves the board: bear it off.",
        de: "Auf d6 hast du deine hinterste Reihe erreicht. Von dort verlässt ein Stein das Brett: bring ihn hinaus.",
      },
      task: { kind: "move", moves: ["d6-off"] },
    },
  ],
};

export const LESSONS: Readonly<Record<string, Lesson>> = Object.fromEntries(
  [lariat, cubeLariat, tether, laocoon, liger].map((lesson) => [lesson.key, lesson]),
);
