/** All texts in English. Other languages must have the same keys: their sections are checked against `Messages`. */
import * as board from "./board";
import * as codes from "./codes";
import * as common from "./common";
import * as explorer from "./explorer";
import * as gameReview from "./gameReview";
import * as learn from "./learn";
import * as match from "./match";
import * as newGame from "./newGame";
import * as players from "./players";
import * as puzzles from "./puzzles";
import { rulesByGame } from "./rules";
import * as settings from "./settings";
import * as tournaments from "./tournaments";

export const en = {
  ...common,
  ...board,
  ...match,
  ...newGame,
  ...players,
  ...tournaments,
  ...learn,
  ...puzzles,
  ...gameReview,
  ...explorer,
  ...settings,
  ...codes,
  rulesByGame,
};

export type Messages = typeof en;
