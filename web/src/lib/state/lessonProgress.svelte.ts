/** How far a visitor has come in the lessons, kept in this browser. */
import { LESSON_IDS, type LessonId } from "../../content/lessons/lesson";

export interface LessonProgress {
  /** The number of the step that was opened last. */
  step: number;
  isFinished: boolean;
}

const KEY = "ropewalk-lessons";

function read(): Record<string, LessonProgress> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, LessonProgress>;
  } catch {
    return {};
  }
}

const stored = $state(read());

export const lessonProgress = (game: string, lesson: LessonId): LessonProgress =>
  stored[`${game}/${lesson}`] ?? { step: 1, isFinished: false };

/** The first lesson of a game that is not finished; the first of all, if all are. */
export const nextLesson = (game: string): LessonId =>
  LESSON_IDS.find((each) => !lessonProgress(game, each).isFinished) ?? LESSON_IDS[0];

/** The address of a lesson, at the step where the visitor stopped. */
export function lessonPath(game: string, lesson: LessonId): string {
  const { step, isFinished } = lessonProgress(game, lesson);
  return `/learn/${game}/${lesson}/${isFinished ? 1 : step}`;
}

export function keepProgress(game: string, lesson: LessonId, step: number, isFinished: boolean): void {
  const earlier = lessonProgress(game, lesson);
  stored[`${game}/${lesson}`] = { step, isFinished: isFinished || earlier.isFinished };
  localStorage.setItem(KEY, JSON.stringify(stored));
}
