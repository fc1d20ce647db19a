/** Pieces in hand that are to be placed on the board. */
import type { Piece, PositionView } from "../api/types";
import { type MoveCells, moveKind } from "../board/moveSelection";

/** The text of a move that places a piece in hand, with a star for its cell. */
const PLACEMENT_KIND = "/*";

/** Return the pieces in hand of the seat to move that the next move places; none if it does something else. */
export function piecesToPlace(position: PositionView, cells: MoveCells): readonly Piece[] {
  const { pieces_in_hand, colours, seat, moves } = position;
  const isPlaced = seat !== null && moves.some((move) => moveKind(move, cells) === PLACEMENT_KIND);
  return isPlaced ? (pieces_in_hand[colours[seat] ?? ""] ?? []) : [];
}
