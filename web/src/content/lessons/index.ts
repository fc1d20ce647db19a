/** One lesson for each game, by its key; each is loaded when it is opened. The games' own rules check every task. */
import type { Lesson } from "./lesson";

export const LESSONS: Readonly<Record<string, () => Promise<Lesson>>> = {
  lariat: async () => (await import("./lariat")).lariat,
  "cube-lariat": async () => (await import("./cubeLariat")).cubeLariat,
  tether: async () => (await import("./tether")).tether,
  laocoon: async () => (await import("./laocoon")).laocoon,
  liger: async () => (await import("./liger")).liger,
};
