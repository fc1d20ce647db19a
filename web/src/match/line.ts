/** Which position of a match is shown: after so many moves of the game, and then some of one's own. */
import type { Line } from "../api/client";
import type { GameView, MatchView } from "../api/types";

export interface Spot {
  /** Moves of the game; null: as many as there are. */
  ply: number | null;
  /** Moves tried from there. */
  then: readonly string[];
}

export function lineOf(match: MatchView, spot: Spot): Line {
  const moves = match.steps.slice(0, spot.ply ?? match.steps.length).map((step) => step.move);
  return { spec: match.spec, position: match.start, moves: [...moves, ...spot.then] };
}

/** Whether the game as it stands is shown. */
export const isLive = (match: MatchView, { ply, then }: Spot): boolean => (ply === null || ply >= match.steps.length) && then.length === 0;

/** The cells of the last move of a line. */
export function lastCells(game: GameView, line: Line): readonly string[] {
  return game.moves[line.moves.at(-1) ?? ""] ?? [];
}

export function addressOf(room: "match" | "review", id: string, { ply, then }: Spot): string {
  const path = ply === null ? `/${room}/${id}` : `/${room}/${id}/${ply}`;
  return then.length ? `${path}?then=${then.map(encodeURIComponent).join("+")}` : path;
}

export function spotIn(parts: readonly string[], then: string | null): Spot {
  const ply = parts[2] !== undefined && /^\d+$/.test(parts[2]) ? Number(parts[2]) : null;
  return { ply, then: then ? then.split(" ").filter(Boolean) : [] };
}
