/** The review of a match: computed by the server once, and fetched until it is complete. */
import { fetchReview, startReview } from "../api/client";
import type { EvaluationView, MoveReviewView, ReviewView } from "../api/types";

const POLL_MS = 700;

export class ReviewStore {
  review = $state.raw<ReviewView | null>(null);
  error = $state.raw<unknown>(null);
  readonly isRunning = $derived.by(() => this.review?.status === "queued" || this.review?.status === "running");
  readonly evaluations = $derived.by<ReadonlyMap<number, EvaluationView>>(
    () => new Map(this.review?.evaluations.map((each) => [each.ply, each])),
  );
  readonly moves = $derived.by<ReadonlyMap<number, MoveReviewView>>(
    () => new Map(this.review?.moves.map((each) => [each.ply, each])),
  );
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  /** Call it while a component is set up: it asks until the component is gone. */
  constructor(
    private readonly id: string,
    private readonly key: string | null,
  ) {
    $effect(() => () => {
      this.isClosed = true;
      clearTimeout(this.timer);
    });
  }

  load(): Promise<void> {
    return this.ask(() => fetchReview(this.id, this.key));
  }

  start(): Promise<void> {
    return this.ask(() => startReview(this.id, this.key));
  }

  private async ask(work: () => Promise<ReviewView>): Promise<void> {
    clearTimeout(this.timer);
    this.error = null;
    try {
      this.review = await work();
      if (this.isRunning && !this.isClosed) this.timer = setTimeout(() => void this.load(), POLL_MS);
    } catch (error) {
      this.error = error;
    }
  }
}
