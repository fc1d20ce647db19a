/** The position that a review shows: of the match, or of a variation. Steps inside a variation stay in it. */
import { untrack } from "svelte";
import type { MatchView } from "../api/types";
import { timelineUrl } from "../match/timeline";
import { TimelineStore } from "../match/timelineStore.svelte";
import { navigate, queryParameter } from "../state/router.svelte";
import { addLine, type Branch, findBranch } from "./branches";

export class ReviewTimeline extends TimelineStore {
  branches = $state.raw<readonly Branch[]>([]);
  /** The variation that is shown; null on the moves of the match. */
  readonly branch = $derived.by(
    () => findBranch(this.preferred, this.shown) ?? findBranch(this.branches, this.shown) ?? null,
  );
  /** The branch that was chosen last comes first where several begin alike. */
  private preferred = $state.raw<readonly Branch[]>([]);

  constructor(
    private readonly matchId: string,
    match: () => MatchView | null,
  ) {
    super("review", matchId, match);
    $effect(() => {
      const { shown } = this;
      untrack(() => this.remember(shown));
    });
  }

  private get shown(): Branch {
    return { ply: this.ply, moves: this.point.variation };
  }

  /** Moves before the position: of the variation, or of the match. */
  get step(): number {
    return this.branch ? this.point.variation.length : this.ply;
  }

  /** Moves of the variation or of the match, whichever is shown. */
  get stepCount(): number {
    return this.branch ? this.branch.moves.length : this.moveCount;
  }

  /** The variations as the list shows them. */
  get listedBranches(): {
    key: Branch;
    under: number;
    ply: number;
    depth: number;
    moves: readonly string[];
    current: number;
  }[] {
    return this.branches.map((each) => ({
      key: each,
      under: each.ply,
      ply: each.ply,
      depth: 0,
      moves: each.moves,
      current: each === this.branch ? this.step : 0,
    }));
  }

  private remember(line: Branch): void {
    this.branches = addLine(this.branches, line);
  }

  /** Show a variation after some of its moves; after none, the match at the move where it begins. */
  showBranch(branch: Branch, count: number): void {
    this.preferred = [branch];
    this.remember(branch);
    const point = { ply: branch.ply, variation: branch.moves.slice(0, count) };
    navigate(timelineUrl("review", this.matchId, point, queryParameter("key")), { replace: true });
  }

  removeBranch(branch: Branch): void {
    const isShown = this.branch === branch;
    this.branches = this.branches.filter((each) => each !== branch);
    this.preferred = [];
    if (isShown) this.show(branch.ply);
  }

  /** Go to a step of the variation or of the match, whichever is shown. */
  go(step: number): void {
    if (this.branch) this.showBranch(this.branch, Math.min(Math.max(0, step), this.branch.moves.length));
    else this.show(Math.max(0, step));
  }

  override handleKey(event: KeyboardEvent): void {
    if (!this.branch) {
      super.handleKey(event);
      return;
    }
    if ((event.target as Partial<Element>).closest?.("input, [role=application]")) return;
    if (event.key === "ArrowLeft") this.go(this.step - 1);
    else if (event.key === "ArrowRight") this.go(this.step + 1);
  }
}
