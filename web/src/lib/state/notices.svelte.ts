/** What every page tells: the announcement of the operator, and challenges to the visitor. */
import { fetchNotices } from "../api/client";
import type { NoticesView } from "../api/types";
import { connectivity } from "./connectivity.svelte";

const POLL_MS = 20_000;

class Notices {
  view = $state.raw<NoticesView>({ announcement: null, challenges: [] });

  /** Ask the server again; a failure keeps what is known. */
  async load(): Promise<void> {
    const found = await fetchNotices().catch(() => null);
    if (found) this.view = found;
  }

  /** Call once: asks now, at intervals while the page is seen, and when it is seen again. */
  watch(): () => void {
    const refresh = (): void => {
      if (!document.hidden && !connectivity.lost) void this.load();
    };
    refresh();
    const timer = setInterval(refresh, POLL_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }
}

export const notices = new Notices();
