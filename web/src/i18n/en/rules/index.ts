/** The rules of the games in short, by the key of the game. */
import type { Rule } from "../../rules";
import { cubeLariat } from "./cubeLariat";
import { laocoon } from "./laocoon";
import { lariat } from "./lariat";
import { liger } from "./liger";
import { tether } from "./tether";

export const rulesByGame = {
  lariat,
  "cube-lariat": cubeLariat,
  tether,
  laocoon,
  liger,
} satisfies Record<string, readonly Rule[]>;
