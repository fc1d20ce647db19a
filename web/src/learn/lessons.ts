import type { Lesson } from "./lesson";

export const LESSONS: Readonly<Record<string, Lesson>> = {};
