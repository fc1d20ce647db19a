/** The lobby as it is now: whole with every connection, then kept up to date by its events. */
import { fetchLobby } from "../api/client";
import { ReconnectingSocket } from "../api/socket";
import type { EventView, LobbyView, MatchSummary } from "../api/types";

type LobbyEvent = EventView & { match: MatchSummary | null };
type Message =
  | { type: "state"; lobby: LobbyView }
  | { type: "events"; events: LobbyEvent[] }
  | { type: "refused"; message: string };

export class LobbyStore {
  view = $state.raw<LobbyView | null>(null);
  failure = $state("");
  private readonly socket = new ReconnectingSocket<Message>({
    path: () => "/lobby/events",
    onMessage: (message) => this.apply(message),
  });

  constructor() {
    void fetchLobby()
      .then((view) => (this.view ??= view))
      .catch((error: Error) => (this.failure = error.message));
  }

  close(): void {
    this.socket.close();
  }

  private apply(message: Message): void {
    this.failure = message.type === "refused" ? message.message : "";
    if (message.type === "state") this.view = message.lobby;
    else if (message.type === "events" && this.view) this.view = message.events.reduce(afterEvent, this.view);
  }
}

/** The lobby after an event: the event's match moves to where its status belongs. */
function afterEvent(lobby: LobbyView, event: LobbyEvent): LobbyView {
  const { match } = event;
  const others = ({ id }: MatchSummary): boolean => id !== event.data.match;
  const challenges = lobby.challenges.filter(others);
  const playing = lobby.playing.filter(others);
  if (match?.status === "waiting") challenges.push(match); // the oldest first
  if (match?.status === "playing") playing.unshift(match);
  playing.sort((first, second) => second.created_at - first.created_at); // the newest first
  return { number: event.number, challenges, playing };
}
