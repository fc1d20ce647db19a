/**
 * Keeps the page for when there is no server: its files, and whatever the server has said of games and positions.
 * The build writes the list of files and a mark of their contents into the next two lines.
 */
const FILES = [];
const MARK = "development";

const SHELL = `shell ${MARK}`;
const SAID = `said ${MARK}`;
const MOST = 600; // answers that are kept
/** What never changes for one release: the rules say so. */
const LASTING = /^\/api\/(games|positions)(\/|$)/;
const NOT_KEPT = /^\/api\/positions\/analyse/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOlder().then(() => self.clients.claim()));
});

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL && name !== SAID).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (LASTING.test(pathname) && !NOT_KEPT.test(pathname)) event.respondWith(said(event));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/")));
  else if (request.method === "GET" && (FILES.includes(pathname) || pathname.startsWith("/assets/")))
    event.respondWith(kept(request));
});

/** A file of the page; one that is loaded only when it is needed is kept from then on. */
async function kept(request) {
  const before = await caches.match(request);
  if (before) return before;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(SHELL)).put(request, answer.clone());
  return answer;
}

/** The server's answer, which is kept; or the one it gave before. */
async function said(event) {
  const key = await keyOf(event.request.clone());
  const cache = await caches.open(SAID);
  try {
    const answer = await fetch(event.request);
    if (answer.status === 200) event.waitUntil(keep(cache, key, answer.clone()));
    return answer;
  } catch (error) {
    const before = await cache.match(key);
    if (!before) throw error;
    const headers = new Headers(before.headers);
    headers.set("X-Ropewalk-Kept", "1");
    return new Response(before.body, { status: 200, headers });
  }
}

/** A question's address; one that is asked with a body gets the body's mark, for only addresses can be kept. */
async function keyOf(request) {
  if (request.method === "GET") return request.url;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(await request.text()));
  const mark = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${request.url}?asked=${mark}`;
}

async function keep(cache, key, answer) {
  await cache.put(key, answer);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST)).map((each) => cache.delete(each)));
}
