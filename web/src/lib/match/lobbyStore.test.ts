import { expect, it, vi } from "vitest";
import type { LobbyEventView, LobbyView, MatchSummary } from "../api/types";
import { applyLobbyEvent } from "./lobbyStore.svelte";

vi.mock("../api/client", () => ({}));

const match = (id: string, status: MatchSummary["status"], created_at = 0): MatchSummary =>
  ({ id, status, created_at }) as MatchSummary;
const event = (seq: number, match_id: string, after: MatchSummary | null): LobbyEventView => ({
  seq,
  timestamp_ms: 0,
  type: "challenge-opened",
  match_id,
  match: after,
});
const ids = (matches: readonly MatchSummary[]): string[] => matches.map(({ id }) => id);
const EMPTY: LobbyView = { seq: 0, challenges: [], playing: [] };

it("challenges are listed with the oldest first, matches in progress with the newest first", () => {
  const lobby = [
    event(1, "a", match("a", "waiting", 1)),
    event(2, "b", match("b", "waiting", 2)),
    event(3, "c", match("c", "playing", 3)),
    event(4, "d", match("d", "playing", 4)),
  ].reduce(applyLobbyEvent, EMPTY);
  expect([ids(lobby.challenges), ids(lobby.playing), lobby.seq]).toEqual([["a", "b"], ["d", "c"], 4]);
});

it("a match moves to where its status belongs, and leaves when it is over", () => {
  const open = applyLobbyEvent(EMPTY, event(1, "a", match("a", "waiting")));
  const playing = applyLobbyEvent(open, event(2, "a", match("a", "playing")));
  expect([ids(playing.challenges), ids(playing.playing)]).toEqual([[], ["a"]]);
  const over = applyLobbyEvent(playing, event(3, "a", null));
  expect([ids(over.challenges), ids(over.playing)]).toEqual([[], []]);
  expect(ids(open.challenges)).toEqual(["a"]);
});
