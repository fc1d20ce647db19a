/** Texte der Seiten über Partien und Spieler. */
import type { Messages } from "../en";
import { format } from "./format";

export const lobby = {
  heading: "Lobby",
  open: "Offene Herausforderungen",
  none: "Es gibt keine offene Herausforderung. Erstelle eine, dann steht sie hier.",
  join: "Beitreten",
  mine: "deine",
  playing: "Laufende Partien",
  nonePlaying: "Gerade läuft keine Partie.",
  watch: "Zuschauen",
  create: "Herausforderung erstellen",
  withdraw: "Zurückziehen",
} satisfies Messages["lobby"];

export const myGames = {
  heading: "Meine Partien",
  none: "Du hast noch nicht gespielt.",
  yourTurn: "du bist am Zug",
  theirTurn: "der Gegner ist am Zug",
  waiting: "wartet",
  won: "gewonnen",
  lost: "verloren",
  drawn: "remis",
  open: "Öffnen",
  void: "zählt nicht",
} satisfies Messages["myGames"];

export const watch = {
  heading: "Zuschauen",
  none: "Es gibt keine Partie zum Zuschauen.",
} satisfies Messages["watch"];

export const player = {
  ratings: "Wertungen",
  none: "Noch keine gewerteten Partien.",
  matches: "Partien",
  pools: { people: "gegen Menschen", bots: "mit Bots" },
  matchCount: (count: number): string => format.count(count, { one: "Partie", other: "Partien" }),
} satisfies Messages["player"];

export const join = {
  heading: "Du bist eingeladen",
  text: (name: string, game: string): string => `${name} lädt dich zu einer Partie ${game} ein.`,
  accept: "Annehmen und spielen",
  expired: "Diese Einladung gilt nicht mehr.",
} satisfies Messages["join"];
