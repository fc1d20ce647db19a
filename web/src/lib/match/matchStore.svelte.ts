/** A match as it happens: one socket, numbered events, and whatever was missed after a break. */
import { ApiError, fetchMatch } from "../api/client";
import { ReconnectingSocket } from "../api/socket";
import type { EventView, MatchView, Now, Presence, StepView } from "../api/types";

type Deed =
  | { do: "move"; move: string; after: number }
  | { do: "ask-takeback"; of: number }
  | { do: "answer-takeback"; of: number; accept: boolean }
  | { do: "offer-draw" }
  | { do: "answer-draw"; accept: boolean }
  | { do: "resign" }
  | { do: "abort" }
  | { do: "chat"; text: string };

type Message =
  | { type: "state"; match: MatchView }
  | { type: "events"; events: EventView[]; now: Now }
  | { type: "presence"; present: Presence }
  | { type: "bot"; bot: string | null }
  | { type: "done"; id: string | null; events?: EventView[]; now?: Now }
  | { type: "refused"; id: string | null; code: string; message: string; state?: MatchView };

/** Somebody waits for the other's move: come back sooner than other pages do. */
const MAX_DELAY_MS = 15_000;

export class MatchStore {
  match = $state<MatchView | null>(null);
  connected = $state(false);
  refusal = $state<string | null>(null);
  /** By how much the server's clock is ahead of ours. */
  ahead = $state(0);
  private socket: ReconnectingSocket<Message> | null = null;
  private closed = false;
  private next = 0;
  private readonly waiting = new Map<string, { done: () => void; refused: (error: ApiError) => void }>();

  constructor(readonly id: string) {
    void this.open();
  }

  private async open(): Promise<void> {
    try {
      this.take(await fetchMatch(this.id));
    } catch (error) {
      this.refusal = error instanceof ApiError ? error.message : String(error);
      if (error instanceof ApiError && error.code !== "offline") return;
    }
    if (this.closed) return;
    this.socket = new ReconnectingSocket({
      path: () => `/matches/${this.id}/events${this.match ? `?after=${this.match.now.number}` : ""}`,
      onOpen: () => {
        this.connected = true;
        this.refusal = null;
      },
      onMessage: (message) => this.hear(message),
      onLost: () => this.lost(),
      maxDelayMs: MAX_DELAY_MS,
    });
  }

  private lost(): void {
    this.connected = false;
    for (const { refused } of this.waiting.values()) refused(new ApiError("offline", "the connection was lost"));
    this.waiting.clear();
  }

  private take(match: MatchView): void {
    this.match = match;
    this.setClock(match.now);
  }

  private setClock(now: Now): void {
    this.ahead = now.server_time - Date.now();
  }

  private hear(message: Message): void {
    if (message.type === "state") this.take(message.match);
    else if (message.type === "refused") this.refuse(message);
    else if (message.type === "done") this.acknowledge(message);
    else if (this.match && message.type === "presence") this.match.present = message.present;
    else if (this.match && message.type === "bot") this.match.now.bot = message.bot;
    else if (this.match && message.type === "events") this.follow(this.match, message.events, message.now);
  }

  private acknowledge(message: Extract<Message, { type: "done" }>): void {
    if (this.match && message.events && message.now) this.follow(this.match, message.events, message.now);
    this.waiting.get(message.id ?? "")?.done();
  }

  private refuse(message: Extract<Message, { type: "refused" }>): void {
    if (message.state) this.take(message.state);
    if (!this.match) {
      this.refusal = message.message; // there is nothing to follow
      this.close();
    }
    this.waiting.get(message.id ?? "")?.refused(new ApiError(message.code, message.message));
  }

  private follow(match: MatchView, events: EventView[], now: Now): void {
    for (const event of events) {
      if (event.kind === "step") match.steps.push(stepOf(event));
      else if (event.kind === "takeback-accepted")
        match.steps = match.steps.filter((step) => step.number < Number(event.data.of));
      else if (event.kind === "chat") match.chat.push(event);
      else if (event.kind === "begin") void fetchMatch(this.id).then((fresh) => this.take(fresh));
    }
    for (const view of match.seats) view.colour = now.colours[view.seat] ?? view.colour;
    match.now = now;
    this.setClock(now);
  }

  /** Do something at the table; resolves when the server has written it. */
  act(deed: Deed): Promise<void> {
    const id = `${Date.now().toString(36)}-${this.next++}`;
    if (!this.socket?.isOpen) return Promise.reject(new ApiError("offline", "there is no connection right now"));
    this.socket.send({ ...deed, id });
    return new Promise<void>((done, refused) => this.waiting.set(id, { done, refused })).finally(() =>
      this.waiting.delete(id),
    );
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
    this.lost();
  }
}

function stepOf(event: EventView): StepView {
  return { number: event.number, seat: event.seat ?? 0, move: String(event.data.move), at: event.at };
}
