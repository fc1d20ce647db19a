/** A WebSocket of JSON messages that connects again, with exponential back-off and jitter, until it is closed. */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A connection that lasted this long starts the back-off anew: the server accepts a socket before it refuses it. */
const STABLE_MS = 5000;

export interface SocketOptions<Message> {
  /** Returns the path below /api, with its query; called at every attempt. */
  path: () => string;
  onMessage: (message: Message) => void;
  onOpen?: () => void;
  /** Called when an attempt fails or a connection ends; not after `close`. */
  onLost?: () => void;
  /** The longest delay between two attempts. */
  maxDelayMs?: number;
}

/** Open a socket to a path below /api of the page's own host. */
export function openSocket(path: string): WebSocket {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/api${path}`);
}

export class ReconnectingSocket<Message> {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private openedAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: SocketOptions<Message>) {
    addEventListener("online", this.reconnect);
    this.connect();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a message; only while the socket is open. */
  send(message: unknown): void {
    this.socket?.send(JSON.stringify(message));
  }

  /** Close for good. */
  close(): void {
    removeEventListener("online", this.reconnect);
    clearTimeout(this.timer);
    this.release();
  }

  private connect(): void {
    const socket = openSocket(this.options.path());
    socket.onopen = () => {
      this.openedAt = Date.now();
      this.options.onOpen?.();
    };
    socket.onmessage = (event) => this.options.onMessage(JSON.parse(event.data as string) as Message);
    socket.onclose = () => this.retryLater();
    this.socket = socket;
  }

  private retryLater(): void {
    this.failures = Date.now() - this.openedAt >= STABLE_MS ? 0 : this.failures + 1;
    this.timer = setTimeout(() => this.connect(), this.nextDelay());
    this.release();
    this.options.onLost?.();
  }

  /** Between half and all of the delay, by chance, so that not all clients of a restarted server come back at once. */
  private nextDelay(): number {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.failures, this.options.maxDelayMs ?? MAX_DELAY_MS);
    return delay * (0.5 + 0.5 * Math.random());
  }

  /** Connect at once: the network is back. A connection from before may be dead without notice, so it is replaced. */
  private readonly reconnect = (): void => {
    clearTimeout(this.timer);
    this.failures = 0;
    if (this.release()) this.options.onLost?.();
    this.connect();
  };

  /** Let go of the connection, if there is one; returns whether there was. */
  private release(): boolean {
    const { socket } = this;
    this.socket = null;
    this.openedAt = Number.POSITIVE_INFINITY;
    if (!socket) return false;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    return true;
  }
}
