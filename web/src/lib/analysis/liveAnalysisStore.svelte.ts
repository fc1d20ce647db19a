/** The live analysis of the position that a page shows: it follows the position, and ends with the page. */
import { errorCode } from "../api/errors";
import type { AnalysisReport, PositionRequest, QueuePosition } from "../api/types";
import { AnalysisStream, CANCELLED } from "./analysisStream";
import { applyAnalysisEvent, NO_ANALYSIS } from "./liveAnalysis";

const SETTINGS = { level: 6, seconds: 60, lines: 3 };
/** Who goes through the moves quickly asks for none of them. */
const DELAY_MS = 250;

export class LiveAnalysisStore {
  isOn = $state(false);
  analysis = $state.raw(NO_ANALYSIS);
  private attempts = $state(0);
  private readonly stream = new AnalysisStream();
  private readonly results = new Map<string, AnalysisReport>();

  /** Call it while a component is set up; `line` is the position to analyse, null where there is none. */
  constructor(line: () => PositionRequest | null) {
    $effect(() => {
      const current = line();
      void this.attempts; // another attempt starts anew
      if (!this.isOn || !current) return;
      const timer = this.start(current);
      return () => {
        clearTimeout(timer);
        this.stream.close();
        this.analysis = applyAnalysisEvent(this.analysis, { type: "stopped" });
      };
    });
  }

  retry(): void {
    this.attempts += 1;
  }

  private start(line: PositionRequest): ReturnType<typeof setTimeout> | undefined {
    const result = this.results.get(JSON.stringify(line));
    this.analysis = applyAnalysisEvent(NO_ANALYSIS, result ? { type: "reported", report: result } : { type: "started" });
    return result ? undefined : setTimeout(() => void this.run(line), DELAY_MS);
  }

  private async run(line: PositionRequest): Promise<void> {
    const show = (report: AnalysisReport): void => {
      this.analysis = applyAnalysisEvent(this.analysis, { type: "reported", report });
    };
    const wait = ({ jobs_before }: QueuePosition): void => {
      this.analysis = applyAnalysisEvent(this.analysis, { type: "queued", jobsBefore: jobs_before });
    };
    try {
      this.results.set(JSON.stringify(line), await this.stream.analyse({ ...line, ...SETTINGS }, show, wait));
    } catch (error) {
      if (errorCode(error) !== CANCELLED) this.analysis = applyAnalysisEvent(this.analysis, { type: "failed", error });
    }
  }
}
