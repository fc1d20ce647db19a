/** What a frame shows, fetched without cookies: only what everybody may see. */
import type { GameView, MatchView, PositionRequest, PositionView } from "../lib/api/types";
import { lineAt } from "../lib/match/timeline";
import type { EmbedAddress } from "./address";

export interface EmbeddedGame {
  game: GameView;
  line: PositionRequest;
  /** The positions of the line, the first one first. */
  positions: readonly PositionView[];
  match: MatchView | null;
}

export class EmbedError extends Error {
  override name = "EmbedError";
}

async function request<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    credentials: "omit", // a private match of the visitor is not shown to the site around the frame
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (response.ok) return response.json();
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new EmbedError(response.status === 404 ? "not-found" : (message ?? response.statusText));
}

/** Fetch what an address names; raises an EmbedError whose message is "not-found" or the server's. */
export async function fetchEmbeddedGame(address: EmbedAddress): Promise<EmbeddedGame> {
  const match = address.match ? await request<MatchView>(`/api/matches/${encodeURIComponent(address.match)}`) : null;
  const line = match ? lineAt(match, { ply: null, variation: [] }) : address.line;
  if (!line) throw new EmbedError("not-found");
  const [game, positions] = await Promise.all([
    request<GameView>(`/api/games/${encodeURIComponent(line.spec)}`),
    request<PositionView[]>("/api/positions/line", line),
  ]);
  return { game, line, positions, match };
}
