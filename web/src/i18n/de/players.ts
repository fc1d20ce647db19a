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
  profile: "Mein Profil",
  running: "Laufend",
  finished: "Beendet",
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
  challenge: "Zu einer Partie herausfordern",
  mute: "Nachrichten verbergen",
  unmute: "Nachrichten zeigen",
  block: "Blockieren",
  unblock: "Nicht mehr blockieren",
  report: "Melden",
  reportReason: "Was ist passiert? Die Leitung dieses Servers liest es.",
  sendReport: "Meldung senden",
  reported: (number: number): string => `Danke. Die Leitung hat deine Meldung (Nummer ${number}).`,
  reportMessage: "Diese Nachricht melden",
  reportSure: "Diese Nachricht der Leitung des Servers melden?",
  headToHead: "Eure Ergebnisse gegeneinander",
  score: (won: number, drawn: number, lost: number): string =>
    `${format.count(won, { one: "Sieg", other: "Siege" })}, ${format.count(drawn, { one: "Remis", other: "Remis" })}, ${format.count(lost, { one: "Niederlage", other: "Niederlagen" })}`,
  curve: (game: string, from: number, to: number): string => `Wertung in ${game}, von ${from} bis ${to}`,
  pools: { people: "gegen Menschen", bots: "mit Bots" },
  matchCount: (count: number): string => format.count(count, { one: "Partie", other: "Partien" }),
} satisfies Messages["player"];

export const join = {
  heading: "Du bist eingeladen",
  text: (name: string, game: string): string => `${name} lädt dich zu einer Partie ${game} ein.`,
  accept: "Annehmen und spielen",
  expired: "Diese Einladung gilt nicht mehr.",
} satisfies Messages["join"];

export const notices = {
  challenge: (name: string, game: string): string => `${name} fordert dich zu ${game} heraus`,
  accept: "Annehmen",
  decline: "Ablehnen",
} satisfies Messages["notices"];

export const challenge = {
  youPlay: (colour: string): string => `du spielst ${colour}`,
  first: "und beginnst",
  second: "und ziehst als Zweites",
  rated: "gewertet",
  unrated: "nicht gewertet",
  rating: (rating: number): string => `Wertung ${format.number(rating)}`,
  noRating: "noch ohne Wertung",
} satisfies Messages["challenge"];

export const matchSearch = {
  game: "Spiel",
  board: "Brett",
  boardExample: "tether-7",
  opening: "Erste Züge",
  openingExample: "c3 b2",
  opponent: "Gegner",
  result: "Ergebnis",
  all: "alle",
  results: { won: "gewonnen", drawn: "remis", lost: "verloren", void: "zählt nicht" },
  search: "Suchen",
  none: "Keine Partien gefunden.",
  more: "Mehr",
} satisfies Messages["matchSearch"];
