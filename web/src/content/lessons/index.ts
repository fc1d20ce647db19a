/** One lesson for each game, by its key. The games' own rules check every task, so a wrong one does not go unnoticed. */
import { cubeLariat } from "./cubeLariat";
import { laocoon } from "./laocoon";
import { lariat } from "./lariat";
import type { Lesson } from "./lesson";
import { liger } from "./liger";
import { tether } from "./tether";

export const LESSONS: Readonly<Record<string, Lesson>> = Object.fromEntries(
  [lariat, cubeLariat, tether, laocoon, liger].map((lesson) => [lesson.key, lesson]),
);
