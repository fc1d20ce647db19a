/** Die Regeln der Spiele in Kürze, nach dem Schlüssel des Spiels. */
import type { Messages } from "../../en";
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
} satisfies Messages["rulesByGame"];
