/** What distinguishes the games, for visitors who choose one. */
import type { LocalisedText } from "./lessons/lesson";

export interface GameComparison {
  /** Turns of both players in a game of the bots of level 4 on the standard board: the median of eight games, rounded. */
  turns: number;
  hasDraws: boolean;
  /** What a player does. */
  play: LocalisedText;
  /** How it feels, and for whom it is. */
  feel: LocalisedText;
}

export const GAME_COMPARISON: Readonly<Record<string, GameComparison>> = {
  lariat: {
    turns: 80,
    hasDraws: false,
    play: {
      en: "Place one stone a turn on a cylinder; build a connection or close a loop.",
      de: "Je Zug ein Stein auf einen Zylinder; eine Verbindung bauen oder eine Schleife schließen.",
    },
    feel: {
      en: "The rules take a minute. For you if you like connection games such as Hex.",
      de: "Die Regeln sind in einer Minute erklärt. Für dich, wenn du Verbindungsspiele wie Hex magst.",
    },
  },
  "cube-lariat": {
    turns: 50,
    hasDraws: false,
    play: {
      en: "Place one stone a turn on the surface of a cube; one group must separate three cells.",
      de: "Je Zug ein Stein auf die Oberfläche eines Würfels; eine Gruppe muss drei Felder trennen.",
    },
    feel: {
      en: "The hardest board to see: threats run around edges. For you if you like to think in space.",
      de: "Am schwersten zu überblicken: Drohungen laufen um Kanten. Für dich, wenn du gern räumlich denkst.",
    },
  },
  tether: {
    turns: 145,
    hasDraws: false,
    play: {
      en: "Place one stone a turn; stones connected to your sides surround cells.",
      de: "Je Zug ein Stein; Steine mit Verbindung zu deinen Seiten umschließen Felder.",
    },
    feel: {
      en: "A long game about territory and connection. For you if you like Go; the small board is a shorter start.",
      de: "Ein langes Spiel um Gebiet und Verbindung. Für dich, wenn du Go magst; das kleine Brett ist ein kürzerer Anfang.",
    },
  },
  laocoon: {
    turns: 55,
    hasDraws: true,
    play: {
      en: "Move one of two rings, then place a disc; block the rings of your opponent.",
      de: "Einen von zwei Ringen ziehen, dann eine Scheibe legen; die Ringe des Gegners blockieren.",
    },
    feel: {
      en: "Few ring moves, but every turn changes the board. For you if you like tactics in small space.",
      de: "Wenige Ringzüge, aber jeder Zug verändert das Brett. Für dich, wenn du Taktik auf engem Raum magst.",
    },
  },
  liger: {
    turns: 285,
    hasDraws: true,
    play: {
      en: "Move checkers and stacks across the board and off it; nothing is captured.",
      de: "Steine und Stapel über das Brett und hinaus ziehen; geschlagen wird nicht.",
    },
    feel: {
      en: "Many short turns: a race in which you must leave your opponent a move. For you if you like draughts.",
      de: "Viele kurze Züge: ein Wettlauf, bei dem du dem Gegner einen Zug lassen musst. Für dich, wenn du Dame magst.",
    },
  },
};

const en = {
  game: "Game",
  length: "Length",
  turns: (count: number): string => `about ${count} turns`,
  draws: "Draws",
  hasDraws: "possible, by repetition",
  noDraws: "none: somebody always wins",
  play: "What you do",
  feel: "How it feels",
  learn: "Learn it",
  note: "Lengths count the turns of both players: medians of games between bots of level 4 on the standard boards.",
};

const de: typeof en = {
  game: "Spiel",
  length: "Länge",
  turns: (count: number): string => `etwa ${count} Züge`,
  draws: "Remis",
  hasDraws: "möglich, durch Wiederholung",
  noDraws: "keines: jemand gewinnt immer",
  play: "Was man tut",
  feel: "Wie es sich spielt",
  learn: "Lernen",
  note: "Die Längen zählen die Züge beider Seiten: Mediane von Partien zwischen Bots der Stufe 4 auf den Standardbrettern.",
};

export const COMPARISON_TEXTS = { en, de };
