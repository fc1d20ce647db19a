/** Which position of a match a page shows: the address names it, and it is fetched where the match does not contain it. */
import { untrack } from "svelte";
import { fetchPosition } from "../api/client";
import type { MatchView, PositionRequest, PositionView } from "../api/types";
import { navigate, pathSegments, queryParameter } from "../state/router.svelte";
import { isLive, lineAt, parseTimelinePoint, type TimelinePage, type TimelinePoint, timelineUrl } from "./timeline";

export class TimelineStore {
  /** Positions of the game itself where they are known, the first one first; they do not list their moves. */
  positions = $state.raw<readonly PositionView[]>([]);
  error = $state.raw<unknown>(null);
  readonly point = $derived<TimelinePoint>(parseTimelinePoint(pathSegments(), queryParameter("variation")));
  readonly line = $derived.by<PositionRequest | null>(() => {
    const match = this.match();
    return match ? lineAt(match, this.point) : null;
  });
  /** Moves of the game before the position, without those of a variation. */
  readonly ply = $derived.by(() => Math.min(this.point.ply ?? this.moveCount, this.moveCount));
  readonly isLive = $derived.by(() => {
    const match = this.match();
    return match === null || isLive(match, this.point);
  });
  /** The position; until it is fetched, the one that was shown before. */
  readonly position = $derived.by<PositionView | null>(
    () => (this.isLive ? null : this.fetched) ?? this.match()?.state.position ?? null,
  );
  /** Whether the position is still the one before, or does not list its moves yet. */
  readonly isLoading = $derived.by(() => !this.isLive && this.fetchedLine !== this.line);
  private fetched = $state.raw<PositionView | null>(null);
  /** The line of the position that was fetched with its moves. */
  private fetchedLine = $state.raw<PositionRequest | null>(null);
  /** Whether the component is gone; what is derived must not be read then. */
  private isClosed = false;

  /** Call it while a component is set up: it fetches positions as long as the component lives. */
  constructor(
    private readonly page: TimelinePage,
    private readonly id: string,
    private readonly match: () => MatchView | null,
  ) {
    $effect(() => this.fetch());
    $effect(() => () => {
      this.isClosed = true;
    });
  }

  protected get moveCount(): number {
    return this.match()?.moves.length ?? 0;
  }

  private fetch(): void {
    const { line } = this;
    if (this.isLive) this.fetched = null;
    if (!line || this.isLive) return;
    const known = this.point.variation.length ? undefined : this.positions[this.ply];
    if (known && untrack(() => this.isLoading)) this.fetched = known; // shown at once, but it does not list its moves
    void fetchPosition(line)
      .then((position) => {
        if (!this.isClosed && line === this.line) [this.fetched, this.fetchedLine] = [position, line];
      })
      .catch((error: unknown) => (this.error = error));
  }

  /** Show the position after so many moves of the game. */
  show(ply: number): void {
    const point = { ply: ply >= this.moveCount ? null : ply, variation: [] };
    navigate(timelineUrl(this.page, this.id, point, queryParameter("key")), { replace: true });
  }

  /** Show a variation after the whole game; an empty one shows the game as it stands. */
  showVariation(variation: readonly string[]): void {
    const point = { ply: variation.length ? this.moveCount : null, variation };
    navigate(timelineUrl(this.page, this.id, point, queryParameter("key")), { replace: true });
  }

  /** Go through the moves by the left and right arrow keys, unless something else uses them. */
  handleKey({ key, target }: KeyboardEvent): void {
    const isUsed = (target as Partial<Element>).closest?.("input, [role=application]"); // the target may be the document
    if (isUsed) return;
    if (key === "ArrowLeft" && this.ply > 0) this.show(this.ply - 1);
    else if (key === "ArrowRight" && this.ply < this.moveCount) this.show(this.ply + 1);
  }

  /** Play a move in a variation from the position that is shown. */
  explore(move: string): void {
    const point = { ply: this.ply, variation: [...this.point.variation, move] };
    navigate(timelineUrl(this.page, this.id, point, queryParameter("key")));
  }
}
