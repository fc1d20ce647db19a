/** Requests to the server: routes, bodies and responses are typed by its OpenAPI document, and every error has its code. */

import { t } from "../../i18n/index.svelte";
import { CACHED_HEADER, reportReachability } from "../state/connectivity.svelte";
import { ApiError } from "./errors";
import { formatQuery } from "./query";
import type { paths } from "./schema";
import type {
  AddPlayerRequest,
  ChangePasswordRequest,
  CreateMatchRequest,
  CreateTournamentRequest,
  Credentials,
  EmailRequest,
  ErrorView,
  Explanation,
  GameEntry,
  GameView,
  MatchQuery,
  MatchSummary,
  PositionRequest,
  PositionView,
  ReportRequest,
  SubscribeRequest,
} from "./types";

type Method = "get" | "post" | "put" | "delete";
type Route<M extends Method> = { [R in keyof paths]: paths[R] extends Record<M, object> ? R : never }[keyof paths];
type Json<T> = T extends { content: { "application/json": infer Value } } ? Value : never;
type ResponseBody<Operation> = Operation extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never;
type Input<Operation> = (Operation extends { parameters: { path: infer Path } } ? { path: Path } : { path?: never }) &
  (Operation extends { parameters: { query?: infer Query } } ? { query?: Query } : { query?: never }) &
  (Operation extends { requestBody: infer Body } ? { body: Json<Body> } : { body?: never });

/** Send a request; raises an ApiError unless it succeeds. */
export async function send(
  method: Method,
  route: string,
  { path = {}, query = {}, body }: { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown } = {},
): Promise<Response> {
  const headers: Record<string, string> = { "X-Ropewalk": "1" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const url = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!)) + formatQuery(query);
  let response: Response;
  try {
    response = await fetch(url, {
      method: method.toUpperCase(),
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    reportReachability(false);
    throw new ApiError("offline", t.offline.needed);
  }
  reportReachability(!response.headers.has(CACHED_HEADER));
  if (response.ok) return response;
  const error = (await response.json().catch(() => ({}))) as Partial<ErrorView>;
  throw new ApiError(error.code ?? "internal", error.message ?? response.statusText, error.details);
}

export async function request<M extends Method, R extends Route<M>>(
  method: M,
  route: R,
  ...[input]: Record<never, never> extends Input<paths[R][M]> ? [Input<paths[R][M]>?] : [Input<paths[R][M]>]
): Promise<ResponseBody<paths[R][M]>> {
  return (await send(method, route, input as Parameters<typeof send>[2])).json();
}

const cache = new Map<string, Promise<unknown>>();

/** Return a cached response, or request it; a failure is not cached. */
function cached<T>(key: string, fetchValue: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) return known as Promise<T>;
  const pending = fetchValue();
  cache.set(key, pending);
  pending.catch(() => cache.delete(key));
  if (cache.size > 2000) cache.delete(cache.keys().next().value!);
  return pending;
}

export const fetchGames = (): Promise<GameEntry[]> => cached("games", () => request("get", "/api/games"));
export const fetchGame = (spec: string): Promise<GameView> =>
  cached(`game ${spec}`, () => request("get", "/api/games/{spec}", { path: { spec } }));
export const fetchPosition = (line: PositionRequest): Promise<PositionView> =>
  cached(`position ${JSON.stringify(line)}`, () => request("post", "/api/positions", { body: line }));
/** Every position of a line, the first one first; only the last one lists its moves. */
export const fetchPositions = (line: PositionRequest): Promise<PositionView[]> =>
  cached(`line ${JSON.stringify(line)}`, () => request("post", "/api/positions/line", { body: line }));
export const explainMove = (line: PositionRequest, move: string): Promise<Explanation> =>
  cached(`explain ${move} ${JSON.stringify(line)}`, () =>
    request("post", "/api/positions/explain", { body: { ...line, move } }),
  );

/** Create a match, by default without clocks and unrated. */
export const createMatch = (match: Partial<CreateMatchRequest> & Pick<CreateMatchRequest, "spec" | "opponent">) =>
  request("post", "/api/matches", { body: { clock: { kind: "none" }, rated: false, ...match } });
/** Fetch a match; spectators of a private one need its key. */
export const fetchMatch = (id: string, key: string | null = null) =>
  request("get", "/api/matches/{match_id}", { path: { match_id: id }, query: { key } });
export const joinMatch = (id: string) => request("post", "/api/matches/{match_id}/join", { path: { match_id: id } });
export const createRematch = (id: string) => request("post", "/api/matches/{match_id}/rematch", { path: { match_id: id } });
/** The visitor's conditional moves in a match: lines from the position of a version on. */
export const fetchConditionalMoves = (id: string) =>
  request("get", "/api/matches/{match_id}/conditional-moves", { path: { match_id: id } });
/** Replace the visitor's conditional moves; no lines delete them. */
export const putConditionalMoves = (id: string, version: number, lines: readonly (readonly string[])[]) =>
  request("put", "/api/matches/{match_id}/conditional-moves", {
    path: { match_id: id },
    body: { position_version: version, lines: lines.map((line) => [...line]) },
  });
export const fetchInvitation = (token: string) => request("get", "/api/invitations/{token}", { path: { token } });
export const acceptInvitation = (token: string) => request("post", "/api/invitations/{token}/accept", { path: { token } });
export const fetchTournaments = () => request("get", "/api/tournaments");
export const createTournament = (tournament: CreateTournamentRequest) =>
  request("post", "/api/tournaments", { body: tournament });
/** The browser sends the ETag of its copy, so that an unchanged tournament is not sent again. */
export const fetchTournament = (id: string) =>
  request("get", "/api/tournaments/{tournament_id}", { path: { tournament_id: id } });
export const addTournamentPlayer = (id: string, player: AddPlayerRequest) =>
  request("post", "/api/tournaments/{tournament_id}/players", { path: { tournament_id: id }, body: player });
export const removeTournamentPlayer = (id: string, number: number) =>
  request("delete", "/api/tournaments/{tournament_id}/players/{number}", {
    path: { tournament_id: id, number: number as never },
  });
export const startTournament = (id: string) =>
  request("post", "/api/tournaments/{tournament_id}/start", { path: { tournament_id: id } });
export const cancelTournament = (id: string) =>
  request("post", "/api/tournaments/{tournament_id}/cancel", { path: { tournament_id: id } });
/** The announcement of the operator, and challenges to the visitor. */
export const fetchNotices = () => request("get", "/api/notices");
export const declineMatch = (id: string) => request("post", "/api/matches/{match_id}/decline", { path: { match_id: id } });
/** Matches that the visitor may read, the newest first. */
export async function searchMatches(query: MatchQuery): Promise<MatchSummary[]> {
  const route: Route<"get"> = "/api/matches";
  return (await send("get", route, { query })).json();
}
export const reportUser = (report: ReportRequest) => request("post", "/api/reports", { body: report });
export const muteUser = (id: string, muted: boolean) =>
  request(muted ? "put" : "delete", "/api/me/mutes/{user_id}", { path: { user_id: id } });
export const blockUser = (id: string, blocked: boolean) =>
  request(blocked ? "put" : "delete", "/api/me/blocks/{user_id}", { path: { user_id: id } });
/** What was played in a position, which moves lead to from the start of a game. */
export const fetchExplorer = (spec: string, moves: readonly string[]) =>
  request("get", "/api/explorer", { query: { spec, moves: moves.join(",") } });
/** The games that have a report. */
export const fetchGameReports = (): Promise<string[]> => cached("reports", () => request("get", "/api/game-reports"));
/** The review of a match, as far as it is computed. */
export const fetchReview = (id: string, key: string | null = null) =>
  request("get", "/api/matches/{match_id}/review", { path: { match_id: id }, query: { key } });
/** Start the review of a match, unless there is one. */
export const startReview = (id: string, key: string | null = null) =>
  request("post", "/api/matches/{match_id}/review", { path: { match_id: id }, query: { key } });

export interface PuzzleFilter {
  game?: string | null;
  spec?: string | null;
  theme?: string | null;
  turns?: number | null;
}
export const fetchPuzzles = (wanted: PuzzleFilter, offset: number, limit: number) =>
  request("get", "/api/puzzles", { query: { ...wanted, offset, limit } });
export const fetchPuzzleOverview = () => request("get", "/api/puzzles/overview");
export const fetchNextPuzzle = (wanted: PuzzleFilter) => request("get", "/api/puzzles/next", { query: { ...wanted } });
export const fetchPuzzle = (id: string) => request("get", "/api/puzzles/{puzzle_id}", { path: { puzzle_id: id } });
export const playPuzzleMove = (id: string, move: string, count: number) =>
  request("post", "/api/puzzles/{puzzle_id}/moves", { path: { puzzle_id: id }, body: { move, move_count: count } });
export const fetchPuzzleHint = (id: string, count: number) =>
  request("post", "/api/puzzles/{puzzle_id}/hints", { path: { puzzle_id: id }, body: { move_count: count } });
export const restartPuzzle = (id: string) =>
  request("post", "/api/puzzles/{puzzle_id}/restart", { path: { puzzle_id: id } });
export const fetchPuzzleSolution = (id: string) =>
  request("post", "/api/puzzles/{puzzle_id}/solution", { path: { puzzle_id: id } });
export const fetchLobby = () => request("get", "/api/lobby");
export const fetchCurrentUser = () => request("get", "/api/me");
export const fetchMyMatches = () => request("get", "/api/me/matches");
export const register = (credentials: Credentials) => request("post", "/api/accounts", { body: credentials });
export const logIn = (credentials: Credentials) => request("post", "/api/sessions", { body: credentials });
export const logOut = () => request("delete", "/api/sessions/current");
export const changePassword = (passwords: ChangePasswordRequest) => request("put", "/api/me/password", { body: passwords });
export const fetchSessions = () => request("get", "/api/me/sessions");
export const endSession = (id: string) => request("delete", "/api/me/sessions/{session_id}", { path: { session_id: id } });
export const endOtherSessions = () => request("delete", "/api/me/sessions");
/** How the visitor is told that it is their turn. */
export const fetchNotifications = () => request("get", "/api/notifications");
export const putPush = (subscription: SubscribeRequest) => request("put", "/api/me/push", { body: subscription });
export const deletePush = () => request("delete", "/api/me/push");
export const putEmail = (email: EmailRequest) => request("put", "/api/me/email", { body: email });
export const deleteEmail = () => request("delete", "/api/me/email");
export const confirmEmail = (token: string) => request("post", "/api/email/confirm/{token}", { path: { token } });
export const unsubscribeEmail = (token: string) => request("post", "/api/email/unsubscribe/{token}", { path: { token } });
export const fetchBots = () => request("get", "/api/me/bots");
export const createBot = (name: string) => request("post", "/api/bots", { body: { name } });
export const deleteBot = (id: string) => request("delete", "/api/me/bots/{bot_id}", { path: { bot_id: id } });
export const createToken = (id: string) => request("post", "/api/me/bots/{bot_id}/tokens", { path: { bot_id: id } });
export const revokeToken = (id: string, token: string) =>
  request("delete", "/api/me/bots/{bot_id}/tokens/{token_id}", { path: { bot_id: id, token_id: token } });
/** The games whose bots are compiled. */
export const fetchCompiledGames = () => request("get", "/api/health").then((health) => health.compiled_games);
export const fetchPlayer = (name: string) => request("get", "/api/players/{name}", { path: { name } });
/** A whole match as GIF. */
export async function fetchAnimation(id: string, key: string | null = null): Promise<Blob> {
  const route: Route<"get"> = "/api/matches/{match_id}/animation.gif";
  return (await send("get", route, { path: { match_id: id }, query: { key } })).blob();
}
