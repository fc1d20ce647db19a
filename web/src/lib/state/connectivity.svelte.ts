/** Whether the server can be reached: noted with every answer, and looked after while it cannot. */
const PAUSE = 4000;

export const connectivity = $state({ lost: false });

/** The worker marks what it had kept with this header. */
export const CACHED_HEADER = "X-Ropewalk-Kept";

let looking: ReturnType<typeof setInterval> | undefined;

/** Note whether the server itself has answered. */
export function reportReachability(answered: boolean): void {
  connectivity.lost = !answered;
  if (answered) {
    clearInterval(looking);
    looking = undefined;
  } else looking ??= setInterval(() => void look(), PAUSE);
}

async function look(): Promise<void> {
  const answer = await fetch("/api/health").catch(() => null);
  if (answer?.ok) reportReachability(true);
}

/** Call once: hears what the browser knows, and sets up the worker that keeps the page for when there is no server. */
export function watchConnectivity(): void {
  addEventListener("offline", () => reportReachability(false));
  addEventListener("online", () => void look());
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
}
