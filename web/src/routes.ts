/** The pages by their addresses. */
import type { Component } from "svelte";
import Home from "./pages/Home.svelte";
import Learn from "./pages/Learn.svelte";
import Lobby from "./pages/Lobby.svelte";
import NewGame from "./pages/NewGame.svelte";

// biome-ignore lint/suspicious/noExplicitAny: the table joins components with different properties
type Page = Component<any>;
export type LoadPage = () => Promise<{ default: Page }>;

interface Route {
  /** The first segment of the path. */
  name: string;
  component?: Page;
  /** Loads the page, where it is not part of what every visitor gets. */
  load?: LoadPage;
  /** The property that gets the second segment, which the path must then have. */
  parameter?: string;
  /** Pages that fill the window have no footer. */
  hidesFooter?: boolean;
}

/** The first route that fits is taken; further segments of the path belong to the page. */
const ROUTES: readonly Route[] = [
  { name: "", component: Home },
  { name: "new", component: NewGame },
  { name: "match", load: () => import("./pages/Match.svelte"), parameter: "id", hidesFooter: true },
  { name: "review", load: () => import("./pages/Review.svelte"), parameter: "id", hidesFooter: true },
  { name: "join", load: () => import("./pages/Join.svelte"), parameter: "token" },
  { name: "lobby", component: Lobby },
  { name: "watch", load: () => import("./pages/Watch.svelte") },
  { name: "tournaments", load: () => import("./pages/Tournament.svelte"), parameter: "id" },
  { name: "tournaments", load: () => import("./pages/Tournaments.svelte") },
  { name: "player", load: () => import("./pages/Player.svelte"), parameter: "name" },
  { name: "my-games", load: () => import("./pages/MyGames.svelte") },
  { name: "puzzles", load: () => import("./pages/Puzzle.svelte"), parameter: "id", hidesFooter: true },
  { name: "puzzles", load: () => import("./pages/Puzzles.svelte") },
  { name: "analysis", load: () => import("./pages/Analysis.svelte"), hidesFooter: true },
  { name: "known", load: () => import("./pages/Known.svelte"), parameter: "key" },
  { name: "learn", load: () => import("./pages/Lesson.svelte"), parameter: "key", hidesFooter: true },
  { name: "learn", component: Learn },
  { name: "rules", load: () => import("./pages/Rules.svelte"), parameter: "key" },
  { name: "email", load: () => import("./pages/EmailLink.svelte"), parameter: "action" },
  { name: "settings", load: () => import("./pages/Settings.svelte") },
];

export interface MatchedRoute extends Route {
  props: Record<string, string>;
  /** A page is created anew when this changes. */
  key: string;
}

export function matchRoute([name = "", argument]: readonly string[]): MatchedRoute | null {
  const route = ROUTES.find((each) => each.name === name && (!each.parameter || argument));
  if (!route) return null;
  const props = route.parameter ? { [route.parameter]: argument! } : {};
  return { ...route, props, key: [name, ...Object.values(props)].join("/") };
}
