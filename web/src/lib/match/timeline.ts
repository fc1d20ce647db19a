/** Which position of a match is shown: after so many moves of the game, and then some of one's own. */
import type { GameView, MatchView, PlayedMoveView, PositionRequest } from "../api/types";

/** Moves of a turn that are marked on the board. */
const MAX_MARKED_MOVES = 2;

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

/** Moves of one seat in a row are one turn. */
export interface Turn {
  seat: number;
  /** The number of moves before it. */
  from: number;
  moves: PlayedMoveView[];
}

/** Divide the moves of a game into turns. */
export function listTurns(moves: readonly PlayedMoveView[]): Turn[] {
  const turns: Turn[] = [];
  moves.forEach((move, index) => {
    const current = turns.at(-1);
    if (current && current.seat === move.seat) current.moves.push(move);
    else turns.push({ seat: move.seat, from: index, moves: [move] });
  });
  return turns;
}

/** Return the number of a move in the list: two turns have one number. */
export const moveNumber = (moves: readonly PlayedMoveView[], ply: number): number =>
  Math.ceil(listTurns(moves.slice(0, ply)).length / 2);

/** Return the number of the first move of a variation; turns after the end of the list are counted as one move each. */
export const variationNumber = (moves: readonly PlayedMoveView[], ply: number): number =>
  ply < moves.length ? moveNumber(moves, ply + 1) : Math.ceil((listTurns(moves).length + ply - moves.length + 1) / 2);

/** The cells of the moves of the last turn, one list for each move; of a variation only those of its last move. */
export function lastTurnCells(
  game: GameView,
  match: MatchView,
  { ply, variation }: TimelinePoint,
): readonly (readonly string[])[] {
  const cellsOf = (move: string): readonly string[] => game.move_cells[move] ?? [];
  if (variation.length) return [cellsOf(variation.at(-1)!)];
  const turn = listTurns(match.moves.slice(0, ply ?? match.moves.length)).at(-1);
  return turn ? turn.moves.slice(-MAX_MARKED_MOVES).map(({ move }) => cellsOf(move)) : [];
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
