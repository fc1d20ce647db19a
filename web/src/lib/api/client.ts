/** Asking the server: every answer is typed, every refusal an exception with its stable code. */

import { t } from "../../i18n/index.svelte";
import { CACHED_HEADER, reportReachability } from "../state/connectivity.svelte";
import type {
  Analysis,
  ClockSettings,
  Explanation,
  GameEntry,
  GameView,
  LobbyView,
  MatchSummary,
  MatchView,
  PlayerView,
  PositionView,
  UserView,
} from "./types";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

async function request<T>(path: string, method = "GET", body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "X-Ropewalk": "1" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    reportReachability(false);
    throw new ApiError("offline", t.offline.needed);
  }
  reportReachability(!answer.headers.has(CACHED_HEADER));
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  const { code = "internal", message = answer.statusText, ...details } = (said ?? {}) as Record<string, string>;
  throw new ApiError(code, message, details);
}

/** A position: moves from the start of a game, or from a position's text. */
export interface PositionRequest {
  spec: string;
  position: string | null;
  moves: readonly string[];
}

export type Opponent = { kind: "bot"; level: number } | { kind: "self" } | { kind: "invitation" } | { kind: "open" };

export interface CreateMatchRequest {
  spec: string;
  opponent: Opponent;
  seat: 0 | 1 | null;
  clock: ClockSettings;
  rated?: boolean;
}

const cache = new Map<string, Promise<unknown>>();

/** Return a cached answer, or request it; a failure is not cached. */
function cached<T>(key: string, question: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) return known as Promise<T>;
  const asked = question();
  cache.set(key, asked);
  asked.catch(() => cache.delete(key));
  if (cache.size > 2000) cache.delete(cache.keys().next().value!);
  return asked;
}

export const fetchGames = (): Promise<GameEntry[]> => cached("games", () => request("/games"));
export const fetchGame = (spec: string): Promise<GameView> =>
  cached(`game ${spec}`, () => request(`/games/${encodeURIComponent(spec)}`));
export const fetchPosition = (line: PositionRequest): Promise<PositionView> =>
  cached(`position ${JSON.stringify(line)}`, () => request("/positions", "POST", line));
/** Every position of a line, the first one first; only the last one lists its moves. */
export const fetchPositions = (line: PositionRequest): Promise<PositionView[]> =>
  cached(`line ${JSON.stringify(line)}`, () => request("/positions/line", "POST", line));
export const explainMove = (line: PositionRequest, move: string): Promise<Explanation> =>
  cached(`explain ${move} ${JSON.stringify(line)}`, () => request("/positions/explain", "POST", { ...line, move }));
export const analyse = (line: PositionRequest, seconds: number, level = 6): Promise<Analysis> =>
  cached(`analyse ${level} ${JSON.stringify(line)}`, () =>
    request("/positions/analyse", "POST", { ...line, seconds, level }),
  );

export const createMatch = (wish: CreateMatchRequest): Promise<{ match: MatchView; invitation: string | null }> =>
  request("/matches", "POST", wish);
export const fetchMatch = (id: string): Promise<MatchView> => request(`/matches/${id}`);
export const joinMatch = (id: string): Promise<MatchView> => request(`/matches/${id}/join`, "POST");
export const createRematch = (id: string): Promise<MatchView> => request(`/matches/${id}/rematch`, "POST");
export const fetchInvitation = (secret: string): Promise<MatchSummary> => request(`/invitations/${secret}`);
export const acceptInvitation = (secret: string): Promise<MatchView> => request(`/invitations/${secret}`, "POST");
export const fetchLobby = (): Promise<LobbyView> => request("/lobby");
export const fetchCurrentUser = (): Promise<{ user: UserView | null }> => request("/me");
export const fetchMyMatches = (): Promise<MatchSummary[]> => request("/me/matches");
export const register = (name: string, password: string): Promise<{ user: UserView }> =>
  request("/accounts", "POST", { name, password });
export const logIn = (name: string, password: string): Promise<{ user: UserView }> =>
  request("/sessions", "POST", { name, password });
export const logOut = (): Promise<{ user: null }> => request("/sessions/mine", "DELETE");
/** Which games' bots are ready. */
export const fetchReadyGames = (): Promise<string[]> => request<{ warm: string[] }>("/health").then(({ warm }) => warm);
/** A whole match as GIF. */
export async function fetchAnimation(id: string): Promise<Blob> {
  const answer = await fetch(`/api/matches/${id}/gif`).catch(() => null);
  if (!answer) throw new ApiError("offline", t.offline.needed);
  if (answer.ok) return answer.blob();
  const { code = "internal", message = answer.statusText } = (await answer.json().catch(() => ({}))) as Record<
    string,
    string
  >;
  throw new ApiError(code, message);
}
export const fetchPlayer = (name: string): Promise<PlayerView> => request(`/players/${encodeURIComponent(name)}`);
