/** Texte eines Bretts und des Spielens darauf. */
import type { Messages } from "../en";
import { format } from "./format";

export const board = {
  map: "Karte",
  solid: "3D-Ansicht",
  views: "Ansicht",
  noSolid: "Dieser Browser zeichnet nicht räumlich. Die Karte zeigt alles.",
  keys: "Pfeiltasten bewegen den Zeiger, Enter wählt, Escape nimmt eine Wahl zurück, Umschalt mit Pfeiltasten dreht die 3D-Ansicht, Plus und Minus zoomen.",
  empty: "leer",
  selectable: "wählbar",
  selected: "gewählt",
  lastMove: "letzter Zug",
  territoryOf: (colour: string): string => `Gebiet von ${colour}`,
  coloured: (colour: string, kind: string): string => `${kind} in ${colour}`,
  stackOf: (pieces: string): string => `Stapel von unten: ${pieces}`,
  free: "frei",
  controlledBy: (colours: string): string => `kontrolliert von ${colours}`,
  inHand: (colour: string): string => `in der Hand von ${colour}`,
} satisfies Messages["board"];

export const play = {
  yourTurn: (colour: string): string => `Du bist am Zug: du spielst ${colour}`,
  toMove: (colour: string): string => `${colour} ist am Zug`,
  thinking: (name: string): string => `${name} denkt nach …`,
  waiting: "Noch kein Gegner",
  confirm: "Ziehen",
  cancel: "Abbrechen",
  selectTarget: (cell: string): string => `Von ${cell}: wohin?`,
  several: "Welcher dieser Züge?",
  offline: "Keine Verbindung. Neuer Versuch …",
  noMoveTo: (cell: string): string => `Kein erlaubter Zug nach ${cell}`,
  noMoveBetween: (from: string, to: string): string => `Kein erlaubter Zug von ${from} nach ${to}`,
  tooFar: (from: string, to: string): string => `${to} liegt nicht neben ${from}; ein Zug führt auf ein Nachbarfeld`,
  notYourTurn: "Du bist nicht am Zug",
  variation: "Du siehst eine Variante",
  toMatch: "Zurück zur Partie",
  start: "Anfangsstellung",
  past: (number: number, move: string): string => `Nach Zug ${number}: ${move}`,
  phases: {
    ring: "setze einen Ring",
    move: "ziehe einen Ring",
    disc: "lege die Scheibe in der Hand",
    swap: "tausche zwei Scheiben oder lass es",
    swap2: "wähle das zweite Feld",
    pie: "setze einen Stein, oder tausche die Farben und nimm den Stein, der schon liegt",
  },
  placeHand: (pieces: string): string => `lege ab: ${pieces}`,
  moves: { swap: "Farben tauschen", keep: "Scheiben lassen, wie sie sind" },
  kinds: { "*-*": "ein Stein", "*=*": "beide Steine", "*-off": "vom Brett" },
  played: {
    "*": (name: string, cell: string): string => `${name} setzt auf ${cell}.`,
    "/*": (name: string, cell: string): string => `${name} legt die Scheibe auf ${cell}.`,
    "~*": (name: string, cell: string): string => `${name} wählt die Scheibe auf ${cell} für einen Tausch.`,
    "*-*": (name: string, from: string, to: string): string => `${name} zieht von ${from} nach ${to}.`,
    "*=*": (name: string, from: string, to: string): string => `${name} zieht zwei Steine von ${from} nach ${to}.`,
    "*-off": (name: string, cell: string): string => `${name} bringt einen Stein von ${cell} vom Brett.`,
    swap: (name: string): string => `${name} tauscht die Farben.`,
    keep: (name: string): string => `${name} lässt die Scheiben, wie sie sind.`,
  },
  playedOther: (name: string, move: string): string => `${name} spielt ${move}.`,
  removed: (cells: string): string => `Entfernt: ${cells}.`,
} satisfies Messages["play"];

export const scores = {
  kinds: { territory: "Gebiet", "borne-off": "Vom Brett gebracht", showing: "Sichtbare Steine" },
  count: (colour: string, count: number): string => `${colour} ${format.number(count)}`,
  target: (count: number): string => `${format.number(count)} gewinnen`,
} satisfies Messages["scores"];

export const text = {
  heading: "Textansicht des Bretts",
  pieces: "Auf dem Brett",
  nothing: "Das Brett ist leer.",
  lastMove: (move: string): string => `Letzter Zug: ${move}`,
  noLastMove: "Noch kein Zug.",
  territory: (colour: string): string => `Gebiet von ${colour}`,
  cell: "Ein Feld beschreiben",
  neighbours: (cell: string): string => `Nachbarn von ${cell}`,
  moves: "Erlaubte Züge",
  noMoves: "Gerade gibt es keinen erlaubten Zug.",
  explain: "Zug erklären",
  noCell: (name: string): string => `Es gibt kein Feld ${name}.`,
  play: (move: string): string => `${move} spielen`,
  move: "Einen Zug eingeben",
  show: "Zeigen",
  count: (count: number): string => format.count(count, { one: "Zug", other: "Züge" }),
  effect: {
    move: (move: string): string => `Zug ${move}`,
    after: (pieces: string): string => `danach ${pieces}`,
    emptied: (cells: string): string => `leer wird ${cells}`,
  },
} satisfies Messages["text"];
