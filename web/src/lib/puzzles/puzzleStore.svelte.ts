/** A puzzle that a visitor solves: the server judges every move and answers it. */
import { fetchPuzzle, fetchPuzzleHint, fetchPuzzleSolution, playPuzzleMove, restartPuzzle } from "../api/client";
import { errorCode } from "../api/errors";
import type {
  PositionRequest,
  PositionView,
  PuzzleAttemptView,
  PuzzleHintView,
  PuzzleMoveResponse,
  PuzzleView,
} from "../api/types";

export class PuzzleStore {
  view = $state.raw<PuzzleView | null>(null);
  /** What came of the last move, until the next one. */
  response = $state.raw<PuzzleMoveResponse | null>(null);
  hint = $state.raw<PuzzleHintView | null>(null);
  error = $state.raw<unknown>(null);
  /** Whether the server is asked. */
  isBusy = $state(false);
  /** Moves of the solution that are shown; null: the attempt is shown. */
  solutionPly = $state<number | null>(null);

  readonly attempt = $derived.by<PuzzleAttemptView | null>(() => this.view?.attempt ?? null);
  /** A losing move, which is shown with its refutation until the visitor tries again. */
  readonly refuted = $derived.by(() => (this.response?.verdict === "losing" ? this.response : null));
  readonly isOver = $derived.by(() => this.attempt?.solution != null);
  readonly canMove = $derived.by(() => !this.isBusy && !this.refuted && !this.isOver && this.attempt !== null);
  readonly moves = $derived.by<readonly string[]>(() => {
    if (this.solutionPly !== null) return this.attempt?.solution?.main_line.slice(0, this.solutionPly) ?? [];
    const played = this.attempt?.moves ?? [];
    return this.refuted ? [...played, this.refuted.move, ...this.refuted.answers] : played;
  });
  readonly line = $derived.by<PositionRequest>(() => ({
    spec: this.view?.puzzle.spec ?? "",
    position: this.view?.position.text ?? null,
    moves: [...this.moves],
  }));
  /** The position that the moves lead to, where the server has sent it. */
  readonly position = $derived.by<PositionView | null>(() => {
    if (this.solutionPly !== null) return null;
    return this.refuted?.refuted ?? this.attempt?.position ?? null;
  });

  constructor(private readonly id: string) {}

  load(): Promise<void> {
    return this.ask(async () => {
      this.view = await fetchPuzzle(this.id);
    });
  }

  play(move: string): Promise<void> {
    return this.ask(async () => {
      const response = await playPuzzleMove(this.id, move, this.attempt!.moves.length);
      this.response = response;
      if (response.verdict !== "losing") this.hint = response.verdict === "winning" ? null : this.hint;
      this.setAttempt(response.attempt);
    });
  }

  showHint(): Promise<void> {
    return this.ask(async () => {
      this.response = null;
      this.hint = await fetchPuzzleHint(this.id, this.attempt!.moves.length);
      this.setAttempt(this.hint.attempt);
    });
  }

  restart(): Promise<void> {
    return this.ask(async () => this.reset(await restartPuzzle(this.id)));
  }

  giveUp(): Promise<void> {
    return this.ask(async () => {
      this.reset(await fetchPuzzleSolution(this.id));
      this.solutionPly = 0;
    });
  }

  /** Return to the position before a losing move. */
  retry(): void {
    this.response = null;
  }

  /** Show the solution after so many of its moves. */
  showSolution(ply: number): void {
    const count = this.attempt?.solution?.main_line.length ?? 0;
    this.solutionPly = Math.min(Math.max(0, ply), count);
  }

  private reset(attempt: PuzzleAttemptView): void {
    [this.response, this.hint, this.solutionPly] = [null, null, null];
    this.setAttempt(attempt);
  }

  private setAttempt(attempt: PuzzleAttemptView): void {
    this.view = { ...this.view!, attempt };
  }

  private async ask(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = null;
    try {
      await work();
    } catch (error) {
      this.error = error;
      if (errorCode(error) === "stale") this.view = await fetchPuzzle(this.id).catch(() => this.view);
    } finally {
      this.isBusy = false;
    }
  }
}
