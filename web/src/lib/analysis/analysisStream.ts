/** Analyses over one socket, one at a time: a request cancels the one before, and closing stops the engine at once. */
import { t } from "../../i18n/index.svelte";
import { ApiError } from "../api/errors";
import { openSocket } from "../api/socket";
import type {
  AnalysisReport,
  AnalysisStreamMessage,
  AnalysisStreamRequest,
  PositionRequest,
  QueuePosition,
} from "../api/types";

/** The code of an analysis that was replaced or closed before its end; the server knows nothing of it. */
export const CANCELLED = "cancelled";

/** A position, and how it is analysed. */
type Enquiry = PositionRequest & Pick<AnalysisStreamRequest, "level" | "seconds" | "lines">;

interface PendingAnalysis {
  request: Enquiry & Pick<AnalysisStreamRequest, "request_id">;
  onReport: (report: AnalysisReport) => void;
  onQueued: (position: QueuePosition) => void;
  resolve: (report: AnalysisReport) => void;
  reject: (error: ApiError) => void;
}

/** Return the message in a text; one that the page does not understand is an error of the server. */
export function parseAnalysisMessage(text: string): AnalysisStreamMessage {
  const unknown: AnalysisStreamMessage = { type: "error", code: "internal", message: "", details: {}, request_id: null };
  try {
    const message = JSON.parse(text) as AnalysisStreamMessage;
    return ["analysis", "queued", "error"].includes(message.type) ? message : unknown;
  } catch {
    return unknown;
  }
}

/** Return after how many milliseconds the server permits the request again; null where the message says something else. */
export function retryDelayMs(message: AnalysisStreamMessage): number | null {
  if (message.type !== "error" || message.code !== "too-many") return null;
  return typeof message.details.retry_after === "number" ? 1000 * message.details.retry_after : null;
}

export class AnalysisStream {
  private socket: WebSocket | null = null;
  private pending: PendingAnalysis | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 0;

  /** Analyse a position; resolves with the final report, rejects with an ApiError. Waits where requests are too frequent. */
  analyse(
    request: Enquiry,
    onReport: (report: AnalysisReport) => void = () => undefined,
    onQueued: (position: QueuePosition) => void = () => undefined,
  ): Promise<AnalysisReport> {
    this.fail(new ApiError(CANCELLED, ""));
    const request_id = String(++this.count);
    return new Promise((resolve, reject) => {
      this.pending = { request: { ...request, request_id }, onReport, onQueued, resolve, reject };
      if (this.socket?.readyState === WebSocket.OPEN) this.send();
      else this.socket ??= this.connect();
    });
  }

  /** Cancel the analysis, if there is one, and let go of the socket; another analysis opens a new one. */
  close(): void {
    this.fail(new ApiError(CANCELLED, ""));
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private connect(): WebSocket {
    const socket = openSocket("/positions/analyse/stream");
    socket.onopen = () => this.send();
    socket.onmessage = (event) => this.receive(parseAnalysisMessage(event.data as string));
    socket.onclose = () => {
      this.socket = null;
      this.fail(new ApiError("offline", t.offline.lost));
    };
    return socket;
  }

  private send(): void {
    if (this.pending) this.socket?.send(JSON.stringify(this.pending.request));
  }

  /** An error without id is about the request all the same: the server has not read as far as its id. */
  private receive(message: AnalysisStreamMessage): void {
    const { pending } = this;
    if (!pending || (message.request_id ?? pending.request.request_id) !== pending.request.request_id) return;
    const delayMs = retryDelayMs(message);
    if (delayMs !== null) this.timer = setTimeout(() => this.send(), delayMs);
    else if (message.type === "error") this.fail(new ApiError(message.code, message.message, message.details));
    else if (message.type === "queued") pending.onQueued(message);
    else this.deliver(pending, message);
  }

  private deliver({ onReport, resolve }: PendingAnalysis, report: AnalysisReport): void {
    if (report.is_final) this.pending = null;
    onReport(report);
    if (report.is_final) resolve(report);
  }

  private fail(error: ApiError): void {
    clearTimeout(this.timer);
    const { pending } = this;
    this.pending = null;
    pending?.reject(error);
  }
}
