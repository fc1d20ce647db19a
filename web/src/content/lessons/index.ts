/** The lessons of each game, by its key; they are loaded when one is opened. The games' own rules check every task. */
import type { Course } from "./lesson";

const load = async (file: Promise<{ default: unknown }>): Promise<Course> => (await file).default as Course;

export const COURSES: Readonly<Record<string, () => Promise<Course>>> = {
  lariat: () => load(import("./lariat.json")),
  "cube-lariat": () => load(import("./cubeLariat.json")),
  tether: () => load(import("./tether.json")),
  laocoon: () => load(import("./laocoon.json")),
  liger: () => load(import("./liger.json")),
};
