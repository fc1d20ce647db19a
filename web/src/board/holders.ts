/** Who has a ring round which colour, and which discs are in hand: read from pieces and fields, for the line beside the board. */
import type { Piece, PositionView } from "../api/types";

/** By the colour of the disc on top, the colours of the rings round such discs. */
export function ringHolders(position: PositionView): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const stack of Object.values(position.pieces)) {
    const [disc, ring] = [stack.at(-2), stack.at(-1)];
    if (ring?.kind !== "ring" || !disc) continue;
    found.set(disc.colour, (found.get(disc.colour) ?? new Set()).add(ring.colour));
  }
  return found;
}

/** All colours of discs on the board, with their letters, in a fixed order. */
export function discColours(position: PositionView): Piece[] {
  const discs = Object.values(position.pieces)
    .flat()
    .filter(({ kind }) => kind === "disc");
  return [...new Map(discs.map((disc) => [disc.colour, disc])).values()].sort((a, b) => a.letter.localeCompare(b.letter));
}

/** Discs in hand, by the colour of the player: the text of a position says `white:y`. */
export function hands(position: PositionView): [string, Piece][] {
  const discs = new Map(discColours(position).map((disc) => [disc.letter, disc]));
  return position.fields.flatMap((field): [string, Piece][] => {
    const [colour, letter] = field.split(":");
    const disc = position.colours.includes(colour ?? "") ? discs.get(letter ?? "") : undefined;
    return disc ? [[colour!, disc]] : [];
  });
}
