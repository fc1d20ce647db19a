/** The values of a match's positions for its graph, analysed one after the other; ends with the page. */
import { errorCode } from "../api/errors";
import type { MatchView } from "../api/types";
import { lineAt } from "../match/timeline";
import { AnalysisStream, CANCELLED } from "./analysisStream";
import { selectPlies, valueOfFirstSeat } from "./liveAnalysis";

const MAX_POSITIONS = 18; // the server limits the number of analyses
const SETTINGS = { level: 5, lines: 1 };
const FIRST_SECONDS = 0.5;
const MAX_SECONDS = 8;

export class MatchEvaluationStore {
  /** Values for seat 0 by ply. */
  values = $state<Record<number, number>>({});
  /** How many positions are done, and of how many; null while nothing is analysed. */
  progress = $state.raw<readonly [done: number, total: number] | null>(null);
  /** Whether the positions were analysed to the end at least once. */
  isComplete = $state(false);
  error = $state.raw<unknown>(null);
  private seconds = FIRST_SECONDS;
  private readonly stream = new AnalysisStream();

  /** Call it while a component is set up. */
  constructor(private readonly match: () => MatchView) {
    $effect(() => () => this.stop());
  }

  stop(): void {
    this.stream.close();
  }

  /** Analyse the match; every further time for twice as long. */
  async run(): Promise<void> {
    this.error = null;
    try {
      await this.analysePositions(this.match());
      this.isComplete = true;
      this.seconds = Math.min(2 * this.seconds, MAX_SECONDS);
    } catch (error) {
      if (errorCode(error) !== CANCELLED) this.error = error;
    } finally {
      this.progress = null;
      this.stop();
    }
  }

  private async analysePositions(match: MatchView): Promise<void> {
    const { result, position } = match.state;
    const count = match.moves.length;
    if (result && !result.is_void) this.values[count] = result.winner === null ? 0.5 : 1 - result.winner;
    const isOver = result !== null || position?.seat === null;
    const plies = selectPlies(count, MAX_POSITIONS).filter((ply) => ply < count || !isOver);
    for (const [done, ply] of plies.entries()) {
      this.progress = [done, plies.length];
      const request = { ...lineAt(match, { ply, variation: [] }), ...SETTINGS, seconds: this.seconds };
      await this.stream.analyse(request, (report) => {
        this.values[ply] = valueOfFirstSeat(report);
      });
    }
  }
}
