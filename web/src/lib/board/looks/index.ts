/**
 * The look of every kind of board.
 *
 * Games of plugins are drawn by the kind of their board: Hex, on a rhombus, looks as Tether does. A board of a kind that is
 * not in this table gets the plain look: its cells as the server describes them, on a slab, without labels.
 */
import type { BoardView } from "../../api/types";
import type { BoardLook } from "./BoardLook";
import { checkerboardLook } from "./checkerboard";
import { cubeLook } from "./cube";
import { cylinderLook } from "./cylinder";
import { plainLook } from "./plain";
import { rhombusLook } from "./rhombus";
import { squaresLook } from "./squares";

const LOOKS: Partial<Record<string, BoardLook>> = {
  cylinder: cylinderLook,
  cube: cubeLook,
  rhombus: rhombusLook,
  squares: squaresLook,
  "dark squares": checkerboardLook,
};

export function lookOf(board: BoardView): BoardLook {
  return LOOKS[board.kind] ?? plainLook;
}
