/**
 * The look of every board in three dimensions, by the name that its game declares: solids have looks of their own, all other
 * boards lie on a slab. Hex, a plugin, declares the look of a rhombus, as Tether does.
 */
import type { BoardView } from "../../api/types";
import type { BoardLook } from "./BoardLook";
import { cubeLook } from "./cube";
import { cylinderLook } from "./cylinder";
import { plainLook } from "./plain";

const LOOKS: Partial<Record<string, BoardLook>> = {
  cylinder: cylinderLook,
  cube: cubeLook,
  "dark squares": { ...plainLook, hasOpposingSides: true },
};

export function lookOf(board: BoardView): BoardLook {
  return LOOKS[board.look] ?? plainLook;
}
