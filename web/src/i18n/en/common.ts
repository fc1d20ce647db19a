/** Texts of every page. */
export const language: string = "English";
export const title: string = "Ropewalk";
export const by = (designer: string, year: string): string => `by ${designer}, ${year}`;
export const missing: string = "There is no page at this address.";
export const failed: string = "This page cannot be shown.";
export const about: string =
  "Lariat, Cube Lariat, Tether and Liger are by Mark Steere; laoCoon is by Alain Couchot and Bernard Klein.";
export const licences: string = "Licences of the software";

export const nav = {
  home: "Games",
  lobby: "Lobby",
  tournaments: "Tournaments",
  watch: "Watch",
  myGames: "My games",
  puzzles: "Puzzles",
  analysis: "Analysis",
  learn: "Learn",
  profile: "My profile",
  settings: "Settings",
  main: "Main",
  skip: "Skip to content",
};

export const home = {
  lead: (count: number): string => (count ? `${count} abstract board games` : "Abstract board games"),
  text: "Play against a bot, against a friend by link, or against anybody in the lobby. Illegal moves and results are explained on the board.",
  play: "Play now",
  options: "Options",
  learn: "Learn it",
  starting: "Starting…",
  which: "Which game is for me?",
};

/** What a game is about, by its key. */
export const objectives = {
  lariat: "Connect the centre of a cylinder with its edge, or separate the two.",
  "cube-lariat": "Separate three cells on the surface of a cube with a single group.",
  tether: "Surround more than half of a rhombus with stones connected to your sides.",
  laocoon: "Move your rings between colours until your opponent’s rings cannot move.",
  liger: "Move all your checkers across the board and off it, but always leave your opponent one to move.",
};

export const colours = {
  black: "black",
  white: "white",
  red: "red",
  blue: "blue",
  "blue disc": "blue",
  "purple disc": "purple",
  "orange disc": "orange",
  "yellow disc": "yellow",
};

/** The letters of pieces by their colours, where they differ from those of the game. */
export const letters: Readonly<Record<string, string>> = {};

export const pieces = { stone: "stone", checker: "checker", disc: "disc", ring: "ring" };

export const offline = {
  notice:
    "You are offline. Matches and bots need the server; rules, and lessons that you have opened before, are still available.",
  needed: "You are offline. This needs the server.",
  lost: "No connection to the server.",
};

export const loading = {
  board: "Loading the board…",
  bot: (name: string): string => `${name} plays with a short search while its engine is compiled for this machine, once.`,
  seconds: (seconds: number): string => `${seconds} s`,
  ready: (ready: number, all: number): string => `Bots ready: ${ready} of ${all} games`,
};
