/** Lessons: steps that show something, and tasks that are tried on the board and checked by the server's own rules. */
import type { Language } from "../../lib/state/preferences.svelte";

export type LocalisedText = Readonly<Record<Language, string>>;

interface AnyTask {
  /** A move that solves the task; for a refused one, the cell to try. */
  solution: string;
  hint: LocalisedText;
}

export type Task = AnyTask &
  (
    | /** Any of these moves is right. */ { kind: "move"; moves: readonly string[] }
    | /** Any legal move will do. */ { kind: "any" }
    | /** A move that wins the game. */ { kind: "win" }
    | /** A cell that is refused: the reason is the point. */ { kind: "refused"; reason: string }
    | /** All moves that win by force, within a number of turns; the puzzle has the proof. */ {
        kind: "force";
        moves: readonly string[];
        turns: number;
        puzzle: string;
      }
  );

export interface Step {
  /** The game, if it is not that of the lesson. */
  spec?: string;
  /** A position text; without one the start position. */
  position?: string;
  /** The moves that lead from there to the position of the step. */
  moves: readonly string[];
  say: LocalisedText;
  task?: Task;
}

export const LESSON_IDS = ["basics", "tactics", "strategy"] as const;
export type LessonId = (typeof LESSON_IDS)[number];

export interface Lesson {
  id: LessonId;
  spec: string;
  /** The theme of the puzzles that follow; null for puzzles of all themes. */
  theme: string | null;
  steps: readonly Step[];
}

/** The lessons of a game, in the order in which they are taken. */
export interface Course {
  key: string;
  lessons: readonly Lesson[];
}
