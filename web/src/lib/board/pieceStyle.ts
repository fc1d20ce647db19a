/** The paints of pieces: one class a colour, whose body, outline and ink are set in the style sheet. */
import type { Piece } from "../api/types";

/** A colour's name as part of a class or variable. */
export const toClassName = (colour: string): string => colour.replaceAll(" ", "-");

export const PIECE_HEIGHTS: Record<Piece["kind"], number> = { stone: 0.3, checker: 0.22, disc: 0.13, ring: 0.13 };
export const PIECE_RADII: Record<Piece["kind"], number> = { stone: 0.43, checker: 0.38, disc: 0.33, ring: 0.41 };
export const RING_HOLE_RADIUS = 0.28; // the inner radius of a ring
export const STONE_FILL = 0.86; // how much of its room a stone takes
