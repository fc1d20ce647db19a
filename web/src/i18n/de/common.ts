/** Texte aller Seiten. */
import type { Messages } from "../en";

export const language = "Deutsch";
export const title = "Ropewalk";
export const by = (designer: string, year: string): string => `von ${designer}, ${year}`.replace(" and ", " und ");
export const missing = "Unter dieser Adresse gibt es keine Seite.";
export const failed = "Diese Seite lässt sich nicht zeigen.";
export const about =
  "Lariat, Cube Lariat, Tether und Liger sind von Mark Steere; laoCoon ist von Alain Couchot und Bernard Klein.";
export const licences = "Lizenzen der Software";

export const nav = {
  home: "Spiele",
  lobby: "Lobby",
  tournaments: "Turniere",
  watch: "Zuschauen",
  myGames: "Meine Partien",
  puzzles: "Aufgaben",
  analysis: "Analyse",
  learn: "Lernen",
  profile: "Mein Profil",
  settings: "Einstellungen",
  main: "Hauptmenü",
  skip: "Zum Inhalt",
} satisfies Messages["nav"];

export const home = {
  lead: (count: number): string => (count ? `${count} abstrakte Brettspiele` : "Abstrakte Brettspiele"),
  text: "Spiel gegen einen Bot, per Link gegen eine andere Person oder gegen irgendwen in der Lobby. Unerlaubte Züge und Ergebnisse werden auf dem Brett erklärt.",
  play: "Gleich spielen",
  options: "Optionen",
  learn: "Lernen",
  starting: "Startet …",
  which: "Welches Spiel passt zu mir?",
} satisfies Messages["home"];

export const objectives = {
  lariat: "Verbinde die Mitte eines Zylinders mit seinem Rand, oder trenne sie davon ab.",
  "cube-lariat": "Trenne mit einer einzigen Gruppe drei Felder auf der Oberfläche eines Würfels voneinander.",
  tether: "Umzingle mehr als die Hälfte einer Raute mit Steinen, die mit deinen Seiten verbunden sind.",
  laocoon: "Bewege deine Ringe zwischen Farben, bis die gegnerischen Ringe nicht mehr ziehen können.",
  liger: "Bringe alle deine Steine über das Brett und hinaus, aber lass der anderen Seite immer einen zum Ziehen.",
} satisfies Messages["objectives"];

export const colours = {
  black: "Schwarz",
  white: "Weiß",
  red: "Rot",
  blue: "Blau",
  "blue disc": "Blau",
  "purple disc": "Violett",
  "orange disc": "Orange",
  "yellow disc": "Gelb",
} satisfies Messages["colours"];

export const letters = { "purple disc": "v", "yellow disc": "g" } satisfies Messages["letters"];

export const pieces = { stone: "Stein", checker: "Stein", disc: "Scheibe", ring: "Ring" } satisfies Messages["pieces"];

export const offline = {
  notice:
    "Du bist offline. Partien und Bots brauchen den Server; Regeln und Lektionen, die du schon offen hattest, sind weiter da.",
  needed: "Du bist offline. Dafür ist der Server nötig.",
  lost: "Keine Verbindung zum Server.",
} satisfies Messages["offline"];

export const loading = {
  board: "Das Brett wird geladen …",
  bot: (name: string): string => `${name} sucht nur kurz, während die Suche einmalig für diesen Rechner übersetzt wird.`,
  seconds: (seconds: number): string => `${seconds} s`,
  ready: (ready: number, all: number): string => `Bots bereit: für ${ready} von ${all} Spielen`,
} satisfies Messages["loading"];
