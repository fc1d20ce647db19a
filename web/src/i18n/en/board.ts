/** Texts of a board, and of playing on it. */
import { format } from "./format";

export const board = {
  map: "Map",
  solid: "3D view",
  views: "View",
  noSolid: "This browser cannot draw in three dimensions. The map shows everything.",
  keys: "Arrow keys move the cursor, Enter selects, Escape cancels a selection, Shift with arrow keys turns the 3D view, plus and minus zoom.",
  wholeMap: "Whole map",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  empty: "empty",
  selectable: "selectable",
  selected: "selected",
  lastMove: "last move",
  territoryOf: (colour: string): string => `territory of ${colour}`,
  coloured: (colour: string, kind: string): string => `${colour} ${kind}`,
  stackOf: (pieces: string): string => `stack from the bottom: ${pieces}`,
  free: "free",
  controlledBy: (colours: string): string => `controlled by ${colours}`,
  inHand: (colour: string): string => `in hand of ${colour}`,
};

export const play = {
  yourTurn: (colour: string): string => `Your turn: you play ${colour}`,
  toMove: (colour: string): string => `${colour} to move`,
  thinking: (name: string): string => `${name} is thinking…`,
  waiting: "Waiting for an opponent",
  confirm: "Play this move",
  cancel: "Cancel",
  selectTarget: (cell: string): string => `From ${cell}: select the target`,
  several: "Which of these moves?",
  offline: "No connection. Reconnecting…",
  noMoveTo: (cell: string): string => `No legal move to ${cell}`,
  noMoveBetween: (from: string, to: string): string => `No legal move from ${from} to ${to}`,
  tooFar: (from: string, to: string): string => `${to} is not next to ${from}; a move goes to a neighbouring cell`,
  notYourTurn: "It is not your turn",
  variation: "You are viewing a variation",
  toMatch: "Back to the match",
  start: "Start position",
  past: (number: number, move: string): string => `After move ${number}: ${move}`,
  /** What is to be chosen, where that is not always the same. */
  phases: {
    ring: "place a ring",
    move: "move a ring",
    disc: "place the disc in hand",
    swap: "swap two discs, or keep them",
    swap2: "select the second space",
    pie: "place a stone, or swap colours and take the stone on the board",
  },
  /** The piece in hand that is to be placed. */
  placeHand: (pieces: string): string => `place the ${pieces}`,
  /** Moves that name no cell. */
  moves: { swap: "Swap colours", keep: "Keep the discs as they are" },
  /** Kinds of moves between which one may have to choose: their texts with a star for each cell. */
  kinds: { "*-*": "one checker", "*=*": "both checkers", "*-off": "bear off" },
  /** What a player has done, by the kind of the move. */
  played: {
    "*": (name: string, cell: string): string => `${name} plays on ${cell}.`,
    "/*": (name: string, cell: string): string => `${name} places the disc on ${cell}.`,
    "~*": (name: string, cell: string): string => `${name} selects the disc on ${cell} for a swap.`,
    "*-*": (name: string, from: string, to: string): string => `${name} moves from ${from} to ${to}.`,
    "*=*": (name: string, from: string, to: string): string => `${name} moves two checkers from ${from} to ${to}.`,
    "*-off": (name: string, cell: string): string => `${name} bears off a checker from ${cell}.`,
    swap: (name: string): string => `${name} swaps the colours.`,
    keep: (name: string): string => `${name} keeps the discs as they are.`,
  },
  playedOther: (name: string, move: string): string => `${name} plays ${move}.`,
  removed: (cells: string): string => `Removed: ${cells}.`,
};

/** Counts by which a game is decided, by the server's names of them. */
export const scores = {
  kinds: { territory: "Territory", "borne-off": "Borne off", showing: "Visible checkers" },
  count: (colour: string, count: number): string => `${colour} ${format.number(count)}`,
  target: (count: number): string => `${format.number(count)} wins`,
};

export const text = {
  heading: "Text view of the board",
  pieces: "On the board",
  nothing: "The board is empty.",
  lastMove: (move: string): string => `Last move: ${move}`,
  noLastMove: "No move has been played.",
  territory: (colour: string): string => `Territory of ${colour}`,
  cell: "Describe a cell",
  neighbours: (cell: string): string => `Neighbours of ${cell}`,
  moves: "Legal moves",
  noMoves: "No legal moves at present.",
  explain: "Explain the move",
  noCell: (name: string): string => `There is no cell ${name}.`,
  play: (move: string): string => `Play ${move}`,
  move: "Enter a move",
  show: "Show",
  count: (count: number): string => format.count(count, { one: "move", other: "moves" }),
  /** What a move does, where the server does not say it in this language. */
  effect: {
    move: (move: string): string => `Move ${move}`,
    after: (pieces: string): string => `then ${pieces}`,
    emptied: (cells: string): string => `empties ${cells}`,
  },
};
