/** What the server says, as it says it (see the views of the server). */

export type Point = [number, number];
export type Point3 = [number, number, number];

export interface Piece {
  kind: "stone" | "checker" | "disc" | "ring";
  colour: string;
  letter: string;
}

export interface Cell {
  name: string;
  role: string;
  neighbours: string[];
  centre: Point3;
  outline: Point3[];
  flat_centre: Point;
  flat_outlines: Point[][];
}

export interface BoardView {
  kind: "cylinder" | "cube" | "rhombus" | "squares" | "dark squares";
  size: number[];
  contact: "edge" | "corner";
  directions: string[];
  views: ("flat" | "solid" | "table")[];
  turn: number;
  tilt: number;
  lean: Point;
  marks: Record<string, string[]>;
  cells: Cell[];
}

/** A number to fill in; where `usual` is null, chance may choose. */
export interface Blank {
  name: string;
  least: number;
  most: number;
  step: number;
  usual: number | null;
  /** It is also at most the number of the blank `of`, divided by `divisor` and rounded down. */
  most_share?: { of: string; divisor: number };
}

/** One of several words of a spec; `{name}` in it stands for the number of a blank. */
export interface Choice {
  name: string;
  word: string;
  blanks: Blank[];
}

export interface Flag {
  name: string;
  words: string;
  usual: boolean;
  word: string;
}

/** What can be chosen: a spec is the game's key, the word of the pick, and the words of flags. */
export interface Options {
  pick: { name: string; words: string; usual: string; choices: Choice[] };
  flags: Flag[];
}

export interface GameEntry {
  key: string;
  name: string;
  designer: string;
  year: string;
  aim: string;
  standard: string;
  sizes: Record<string, string>;
  forms: string[];
  options: Options;
  levels: number;
  rules: { heading: string; text: string }[];
}

export interface GameView {
  spec: string;
  key: string;
  name: string;
  designer: string;
  year: string;
  colours: string[];
  options: Record<string, unknown>;
  legend: string;
  has_draws: boolean;
  moves: Record<string, string[]>;
  board: BoardView;
}

export interface OutcomeView {
  winner: number | null;
  reason: string;
  witness: string[];
  clause: string;
  words: string;
}

export interface PositionView {
  spec: string;
  text: string;
  seat: number | null;
  colours: string[];
  fields: string[];
  contents: Record<string, string>;
  pieces: Record<string, Piece[]>;
  moves: string[];
  territory: Record<string, string[]>;
  /** What is to be chosen, where that is not always the same. */
  phase: string;
  /** By colour, what players hold beside the board. */
  hands: Record<string, Piece[]>;
  /** What players control, in games in which they do. */
  held: { piece: Piece; by: string[] }[];
  outcome: OutcomeView | null;
}

export interface Refused {
  reason: string;
  words: string;
  witness: string[];
  clause: string;
}

export interface Explanation {
  move: string;
  cells: string[];
  legal: boolean;
  words: string;
  refusal: Refused | null;
  after: PositionView | null;
  placed: string[];
  removed: string[];
}

export interface UserView {
  id: string;
  name: string;
  kind: "guest" | "account" | "bot" | "level" | "erased";
  level: number | null;
}

export interface SeatView {
  seat: number;
  user: UserView | null;
  colour: string;
}

export interface ClockView {
  main: number;
  periods: number;
  period: number;
  running: boolean;
}

export type ClockSettings =
  | { kind: "none" }
  | { kind: "fischer"; initial: number; increment: number }
  | { kind: "byo-yomi"; main: number; periods: number; period: number }
  | { kind: "days"; days: number };

export interface StepView {
  number: number;
  seat: number;
  move: string;
  at: number;
}

export interface ResultView {
  winner: number | null;
  colour: string | null;
  reason: string;
  counts: boolean;
}

export interface EventView {
  number: number;
  at: number;
  kind: string;
  seat: number | null;
  user: string | null;
  data: Record<string, unknown>;
}

export interface Now {
  number: number;
  standing: number;
  status: "waiting" | "playing" | "over";
  seat: number | null;
  colours: string[];
  server_time: number;
  clocks: ClockView[] | null;
  draw_offer: number | null;
  takeback: { seat: number; of: number } | null;
  result: ResultView | null;
  rematch: string | null;
  bot: string | null;
  steps: number;
  position: PositionView | null;
}

export interface Presence {
  seats: boolean[];
  watchers: number;
}

export interface MatchView {
  id: string;
  spec: string;
  kind: string;
  clock: ClockSettings;
  rated: boolean;
  start: string | null;
  created_at: number;
  rematch_of: string | null;
  seats: SeatView[];
  yours: number[];
  steps: StepView[];
  chat: EventView[];
  present: Presence;
  now: Now;
}

export interface MatchSummary {
  id: string;
  spec: string;
  kind: string;
  clock: ClockSettings;
  rated: boolean;
  status: "waiting" | "playing" | "over";
  created_at: number;
  ended_at: number | null;
  seats: (UserView | null)[];
  to_move: string | null;
  winner: number | null;
  reason: string | null;
}

export interface LobbyView {
  number: number;
  challenges: MatchSummary[];
  playing: MatchSummary[];
}

export interface Thought {
  moves: string[];
  value: number;
  kind: "proven" | "table" | "estimate";
  visits: number;
}

export interface Analysis {
  seat: number;
  value: number;
  kind: "proven" | "table" | "estimate";
  visits: number;
  lines: Thought[];
}

export interface RatingView {
  game: string;
  pool: string;
  rating: number;
  deviation: number;
  games: number;
}

export interface RatingChange {
  game: string;
  pool: string;
  at: number;
  rating: number;
}

export interface PlayerView {
  user: UserView;
  ratings: RatingView[];
  curve: RatingChange[];
  matches: MatchSummary[];
}
