/** The pages by their addresses. */
import type { Component } from "svelte";
import Home from "./pages/Home.svelte";
import Join from "./pages/Join.svelte";
import Learn from "./pages/Learn.svelte";
import Lesson from "./pages/Lesson.svelte";
import Lobby from "./pages/Lobby.svelte";
import Match from "./pages/Match.svelte";
import MyGames from "./pages/MyGames.svelte";
import NewGame from "./pages/NewGame.svelte";
import Player from "./pages/Player.svelte";
import Rules from "./pages/Rules.svelte";
import Settings from "./pages/Settings.svelte";
import Watch from "./pages/Watch.svelte";

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

type StudyPage = "Puzzle" | "Puzzles" | "Review";
const loadStudy =
  (name: StudyPage): LoadPage =>
  () =>
    import("./pages/study").then((pages) => ({ default: pages[name] }));

/** The first route that fits is taken; further segments of the path belong to the page. */
const ROUTES: readonly Route[] = [
  { name: "", component: Home },
  { name: "new", component: NewGame },
  { name: "match", component: Match, parameter: "id", hidesFooter: true },
  { name: "review", load: loadStudy("Review"), parameter: "id", hidesFooter: true },
  { name: "join", component: Join, parameter: "token" },
  { name: "lobby", component: Lobby },
  { name: "watch", component: Watch },
  { name: "player", component: Player, parameter: "name" },
  { name: "my-games", component: MyGames },
  { name: "puzzles", load: loadStudy("Puzzle"), parameter: "id", hidesFooter: true },
  { name: "puzzles", load: loadStudy("Puzzles") },
  { name: "learn", component: Lesson, parameter: "key", hidesFooter: true },
  { name: "learn", component: Learn },
  { name: "rules", component: Rules, parameter: "key" },
  { name: "settings", component: Settings },
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
