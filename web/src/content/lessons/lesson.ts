/** A lesson: steps that show a rule, and tasks that are tried on the board and checked by the server's own rules. */
import type { Language } from "../../lib/state/preferences.svelte";

export type LocalisedText = Readonly<Record<Language, string>>;

export type Task =
  /** Any of these moves is right. */
  | { kind: "move"; moves: readonly string[] }
  /** Any legal move will do. */
  | { kind: "any" }
  /** A move that wins the game. */
  | { kind: "win" }
  /** A cell that is refused: the reason is the point. */
  | { kind: "refused"; reason: string };

export interface Step {
  /** The moves that lead to the position. */
  moves: readonly string[];
  say: LocalisedText;
  task?: Task;
}

export interface Lesson {
  key: string;
  spec: string;
  steps: readonly Step[];
}
