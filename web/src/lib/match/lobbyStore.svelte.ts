/** The lobby as it is now: whole with every connection, then kept up to date by its events. */
import { fetchLobby } from "../api/client";
import { ApiError } from "../api/errors";
import { ReconnectingSocket } from "../api/socket";
import type { LobbyEventView, LobbyMessage, LobbyView, MatchSummary } from "../api/types";

export class LobbyStore {
  view = $state.raw<LobbyView | null>(null);
  error = $state.raw<unknown>(null);
  private readonly socket = new ReconnectingSocket<LobbyMessage>({
    path: () => "/lobby/stream",
    onMessage: (message) => this.apply(message),
  });

  constructor() {
    void fetchLobby()
      .then((view) => (this.view ??= view))
      .catch((error: unknown) => (this.error = error));
  }

  close(): void {
    this.socket.close();
  }

  private apply(message: LobbyMessage): void {
    this.error = message.type === "error" ? new ApiError(message.code, message.message, message.details) : null;
    if (message.type === "snapshot") this.view = message.lobby;
    else if (message.type === "events" && this.view) this.view = message.events.reduce(applyLobbyEvent, this.view);
  }
}

/** The lobby after an event: the event's match moves to where its status belongs. */
export function applyLobbyEvent(lobby: LobbyView, event: LobbyEventView): LobbyView {
  const { match } = event;
  const others = ({ id }: MatchSummary): boolean => id !== event.match_id;
  const challenges = lobby.challenges.filter(others);
  const playing = lobby.playing.filter(others);
  if (match?.status === "waiting") challenges.push(match); // the oldest first
  if (match?.status === "playing") playing.unshift(match);
  playing.sort((first, second) => second.created_at - first.created_at); // the newest first
  return { seq: event.seq, challenges, playing };
}
