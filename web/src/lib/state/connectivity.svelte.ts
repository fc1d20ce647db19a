/** Whether the server can be reached: reported with every response, and checked at intervals while it cannot. */
const CHECK_INTERVAL_MS = 4000;
const REGISTRATION_DELAY_MS = 3000;

export const connectivity = $state({ lost: false });

/** The service worker marks cached responses with this header. */
export const CACHED_HEADER = "X-Ropewalk-Cached";

let checking: ReturnType<typeof setInterval> | undefined;

/** Report whether the server itself has responded. */
export function reportReachability(answered: boolean): void {
  connectivity.lost = !answered;
  if (answered) {
    clearInterval(checking);
    checking = undefined;
  } else checking ??= setInterval(() => void check(), CHECK_INTERVAL_MS);
}

async function check(): Promise<void> {
  const answer = await fetch("/api/health").catch(() => null);
  if (answer?.ok) reportReachability(true);
}

/** Call once: follows the events of the browser, and registers the service worker when the page is there. */
export function watchConnectivity(): void {
  addEventListener("offline", () => reportReachability(false));
  addEventListener("online", () => void check());
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") registerLater();
  else addEventListener("load", registerLater, { once: true });
}

/** The worker loads every file of the page: what is shown first goes before. */
function registerLater(): void {
  const register = (): void => void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
  setTimeout(register, REGISTRATION_DELAY_MS);
}
