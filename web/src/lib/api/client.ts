/** Asking the server: every answer is typed, every refusal an exception with its stable code. */

import { t } from "../../i18n/index.svelte";
import { KEPT, note } from "../state/connectivity.svelte";
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

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

async function ask<T>(path: string, method = "GET", body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "X-Ropewalk": "1" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    note(false);
    throw new Refusal("offline", t.offline.needed);
  }
  note(!answer.headers.has(KEPT));
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  const { code = "internal", message = answer.statusText, ...more } = (said ?? {}) as Record<string, string>;
  throw new Refusal(code, message, more);
}

/** A position: moves from the start of a game, or from a position's text. */
export interface Line {
  spec: string;
  position: string | null;
  moves: readonly string[];
}

export type Opponent = { kind: "bot"; level: number } | { kind: "self" } | { kind: "invitation" } | { kind: "open" };

export interface NewMatch {
  spec: string;
  opponent: Opponent;
  seat: 0 | 1 | null;
  clock: ClockSettings;
  rated?: boolean;
}

const remembered = new Map<string, Promise<unknown>>();

/** Ask once for what never changes; a failure is forgotten. */
function once<T>(key: string, question: () => Promise<T>): Promise<T> {
  const known = remembered.get(key);
  if (known) return known as Promise<T>;
  const asked = question();
  remembered.set(key, asked);
  asked.catch(() => remembered.delete(key));
  if (remembered.size > 2000) remembered.delete(remembered.keys().next().value!);
  return asked;
}

export const listGames = (): Promise<GameEntry[]> => once("games", () => ask("/games"));
export const showGame = (spec: string): Promise<GameView> =>
  once(`game ${spec}`, () => ask(`/games/${encodeURIComponent(spec)}`));
export const showPosition = (line: Line): Promise<PositionView> =>
  once(`position ${JSON.stringify(line)}`, () => ask("/positions", "POST", line));
/** Every position of a line, the first one first; only the last one lists its moves. */
export const showLine = (line: Line): Promise<PositionView[]> =>
  once(`line ${JSON.stringify(line)}`, () => ask("/positions/line", "POST", line));
export const explainMove = (line: Line, move: string): Promise<Explanation> =>
  once(`explain ${move} ${JSON.stringify(line)}`, () => ask("/positions/explain", "POST", { ...line, move }));
export const analyse = (line: Line, seconds: number, level = 6): Promise<Analysis> =>
  once(`analyse ${level} ${JSON.stringify(line)}`, () => ask("/positions/analyse", "POST", { ...line, seconds, level }));

export const createMatch = (wish: NewMatch): Promise<{ match: MatchView; invitation: string | null }> =>
  ask("/matches", "POST", wish);
export const showMatch = (id: string): Promise<MatchView> => ask(`/matches/${id}`);
export const joinMatch = (id: string): Promise<MatchView> => ask(`/matches/${id}/join`, "POST");
export const playAgain = (id: string): Promise<MatchView> => ask(`/matches/${id}/rematch`, "POST");
export const showInvitation = (secret: string): Promise<MatchSummary> => ask(`/invitations/${secret}`);
export const acceptInvitation = (secret: string): Promise<MatchView> => ask(`/invitations/${secret}`, "POST");
export const showLobby = (): Promise<LobbyView> => ask("/lobby");
export const showMe = (): Promise<{ user: UserView | null }> => ask("/me");
export const myMatches = (): Promise<MatchSummary[]> => ask("/me/matches");
export const register = (name: string, password: string): Promise<{ user: UserView }> =>
  ask("/accounts", "POST", { name, password });
export const logIn = (name: string, password: string): Promise<{ user: UserView }> =>
  ask("/sessions", "POST", { name, password });
export const logOut = (): Promise<{ user: null }> => ask("/sessions/mine", "DELETE");
/** Which games' bots are ready. */
export const warmGames = (): Promise<string[]> => ask<{ warm: string[] }>("/health").then(({ warm }) => warm);
/** A whole match as GIF. */
export async function drawMatch(id: string): Promise<Blob> {
  const answer = await fetch(`/api/matches/${id}/gif`).catch(() => null);
  if (!answer) throw new Refusal("offline", t.offline.needed);
  if (answer.ok) return answer.blob();
  const { code = "internal", message = answer.statusText } = (await answer.json().catch(() => ({}))) as Record<
    string,
    string
  >;
  throw new Refusal(code, message);
}
export const showPlayer = (name: string): Promise<PlayerView> => ask(`/players/${encodeURIComponent(name)}`);
