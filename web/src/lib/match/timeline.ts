/** Which position of a match is shown: after so many moves of the game, and then some of one's own. */
import type { Line } from "../api/client";
import type { GameView, MatchView } from "../api/types";

export interface Spot {
  /** Moves of the game; null: as many as there are. */
  ply: number | null;
  /** Moves tried from there. */
  tried: readonly string[];
}

export function lineOf(match: MatchView, spot: Spot): Line {
  const moves = match.steps.slice(0, spot.ply ?? match.steps.length).map((step) => step.move);
  return { spec: match.spec, position: match.start, moves: [...moves, ...spot.tried] };
}

/** Whether the game as it stands is shown. */
export const isLive = (match: MatchView, { ply, tried }: Spot): boolean =>
  (ply === null || ply >= match.steps.length) && tried.length === 0;

/** The cells of the last move of a line. */
export function lastCells(game: GameView, line: Line): readonly string[] {
  return game.moves[line.moves.at(-1) ?? ""] ?? [];
}

export function addressOf(room: "match" | "review", id: string, { ply, tried }: Spot): string {
  const path = ply === null ? `/${room}/${id}` : `/${room}/${id}/${ply}`;
  return tried.length ? `${path}?then=${tried.map(encodeURIComponent).join("+")}` : path;
}

export function spotIn(parts: readonly string[], then: string | null): Spot {
  const ply = parts[2] !== undefined && /^\d+$/.test(parts[2]) ? Number(parts[2]) : null;
  return { ply, tried: then ? then.split(" ").filter(Boolean) : [] };
}
