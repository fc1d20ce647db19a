/** A match as it happens: fetched once, then kept up to date over one socket. */
import { t } from "../../i18n/index.svelte";
import { fetchMatch } from "../api/client";
import { ApiError, errorCode } from "../api/errors";
import { formatQuery } from "../api/query";
import { ReconnectingSocket } from "../api/socket";
import type { EventView, MatchAction, MatchMessage, MatchView } from "../api/types";
import { applyMessage, startsMatch } from "./applyMessage";
import { awaitsRatingChange } from "./rating";

interface PendingAction {
  resolve: () => void;
  reject: (error: ApiError) => void;
}

/** Players wait for the other's move: reconnect sooner than other pages do. */
const MAX_DELAY_MS = 15_000;
/** The server rates a match soon after it has ended: when to fetch the new ratings. */
const RATING_DELAYS_MS = [600, 2000, 6000];

export class MatchStore {
  match = $state.raw<MatchView | null>(null);
  isConnected = $state(false);
  /** Why there is no match to show. */
  error = $state.raw<unknown>(null);
  /** When the state of the match, with its clocks, was received, by the browser's clock. */
  receivedAt = $state(Date.now());
  private socket: ReconnectingSocket<MatchMessage> | null = null;
  private isClosed = false;
  private nextId = 0;
  private readonly pending = new Map<string, PendingAction>();

  /** Called with events that are new here, and the match before and after them. */
  onEvents: ((events: readonly EventView[], before: MatchView, after: MatchView) => void) | null = null;

  /** `key` is the secret of the link for spectators; null for players and public matches. */
  constructor(
    readonly id: string,
    private readonly key: string | null = null,
  ) {
    void this.open();
  }

  private async open(): Promise<void> {
    try {
      this.setMatch(await fetchMatch(this.id, this.key));
      if (this.match && awaitsRatingChange(this.match)) void this.fetchRatings();
    } catch (error) {
      this.error = error;
      if (errorCode(error) !== "offline") return;
    }
    if (this.isClosed) return;
    this.socket = new ReconnectingSocket({
      path: () =>
        `/matches/${this.id}/stream${formatQuery({ after: this.match?.state.seq, epoch: this.match?.epoch, key: this.key })}`,
      onOpen: () => {
        this.isConnected = true;
        this.error = null;
      },
      onMessage: (message) => this.receive(message),
      onLost: () => this.disconnect(),
      maxDelayMs: MAX_DELAY_MS,
    });
  }

  private disconnect(): void {
    this.isConnected = false;
    for (const { reject } of this.pending.values()) reject(new ApiError("offline", t.offline.lost));
    this.pending.clear();
  }

  private setMatch(match: MatchView | null): void {
    if (match?.state.server_time !== this.match?.state.server_time) this.receivedAt = Date.now();
    this.match = match;
  }

  /** Fetch the whole match; events that have come since win over it. */
  private async refetch(): Promise<void> {
    const match = await fetchMatch(this.id, this.key);
    if (match.state.seq >= (this.match?.state.seq ?? 0)) this.setMatch(match);
  }

  /** Fetch the ratings after a rated match; without them the match is shown all the same. */
  private async fetchRatings(): Promise<void> {
    for (const delay of RATING_DELAYS_MS) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (this.isClosed || !this.match || !awaitsRatingChange(this.match)) return;
      await this.refetch().catch(() => undefined);
    }
  }

  private reportEvents(events: readonly EventView[], before: MatchView, after: MatchView): void {
    const fresh = events.filter(({ seq }) => seq > before.state.seq);
    if (fresh.length) this.onEvents?.(fresh, before, after);
  }

  private receive(message: MatchMessage): void {
    const before = this.match;
    this.setMatch(applyMessage(before, message));
    if (before && this.match && (message.type === "events" || message.type === "ack"))
      this.reportEvents(message.events ?? [], before, this.match);
    if (startsMatch(message)) void this.refetch();
    if (before?.state.status === "playing" && this.match && awaitsRatingChange(this.match)) void this.fetchRatings();
    if (message.type === "ack") this.pending.get(message.request_id ?? "")?.resolve();
    if (message.type === "error") this.reject(message);
  }

  private reject({ request_id, code, message, details }: Extract<MatchMessage, { type: "error" }>): void {
    const error = new ApiError(code, message, details);
    if (!this.match || (request_id === null && code === "not-found")) {
      this.error = error; // there is nothing to follow, or nothing any more
      this.match = null;
      this.close();
    }
    this.pending.get(request_id ?? "")?.reject(error);
  }

  /** Perform an action; resolves when the server has stored it. */
  perform(action: MatchAction): Promise<void> {
    const request_id = `${Date.now().toString(36)}-${this.nextId++}`;
    if (!this.socket?.isOpen) return Promise.reject(new ApiError("offline", t.offline.lost));
    this.socket.send({ ...action, request_id });
    return new Promise<void>((resolve, reject) => this.pending.set(request_id, { resolve, reject })).finally(() =>
      this.pending.delete(request_id),
    );
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
    this.disconnect();
  }
}
