/** Which position of a match is shown: after so many moves of the game, and then some of one's own. */
import type { GameView, MatchView, PositionRequest } from "../api/types";

export interface TimelinePoint {
  /** Moves of the game; null: as many as there are. */
  ply: number | null;
  /** Moves of a variation from there. */
  variation: readonly string[];
}

export function lineAt(match: MatchView, point: TimelinePoint): PositionRequest {
  const moves = match.moves.slice(0, point.ply ?? match.moves.length).map(({ move }) => move);
  return { spec: match.spec, position: match.initial_position, moves: [...moves, ...point.variation] };
}

/** Whether the game as it stands is shown. */
export const isLive = (match: MatchView, { ply, variation }: TimelinePoint): boolean =>
  (ply === null || ply >= match.moves.length) && variation.length === 0;

/** The cells of the last move of a line. */
export function lastMoveCells(game: GameView, line: PositionRequest): readonly string[] {
  return game.move_cells[line.moves.at(-1) ?? ""] ?? [];
}

export type TimelinePage = "match" | "review";

/** The address of a position; `key` is the secret of the link for spectators. */
export function timelineUrl(
  page: TimelinePage,
  id: string,
  { ply, variation }: TimelinePoint,
  key: string | null = null,
): string {
  const path = ply === null ? `/${page}/${id}` : `/${page}/${id}/${ply}`;
  const query = [
    ...(variation.length ? [`variation=${variation.map(encodeURIComponent).join("+")}`] : []),
    ...(key ? [`key=${encodeURIComponent(key)}`] : []),
  ];
  return query.length ? `${path}?${query.join("&")}` : path;
}

export function parseTimelinePoint(segments: readonly string[], variation: string | null): TimelinePoint {
  const ply = segments[2] !== undefined && /^\d+$/.test(segments[2]) ? Number(segments[2]) : null;
  return { ply, variation: variation ? variation.split(" ").filter(Boolean) : [] };
}
