/** The games that the server offers, fetched once. */
import { fetchGames } from "../api/client";
import type { GameEntry } from "../api/types";

class GameCatalog {
  /** In the server's order; empty until they are loaded. */
  games = $state.raw<readonly GameEntry[]>([]);
  error = $state.raw<unknown>(null);

  /** Fetch the games, unless they are here; call it in every component that shows them. */
  async load(): Promise<void> {
    try {
      this.games = await fetchGames();
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  /** Whether the names of games are known, or will not be: what shows them does not change its size any more. */
  get settled(): boolean {
    return this.games.length > 0 || this.error !== null;
  }

  find(key: string): GameEntry | undefined {
    return this.games.find((entry) => entry.key === key);
  }

  /** Return the game of a spec: the one with the longest key that the spec begins with. */
  findBySpec(spec: string): GameEntry | undefined {
    const matching = this.games.filter(({ key }) => spec === key || spec.startsWith(`${key}-`));
    return matching.toSorted((a, b) => b.key.length - a.key.length)[0];
  }

  /** Return the games, the newest first. */
  get newestFirst(): GameEntry[] {
    return this.games.toSorted((a, b) => Number(b.year) - Number(a.year));
  }
}

export const gameCatalog = new GameCatalog();
