/**
 * The service worker: caches the files of the page, and what the server has said of games and positions, for use offline.
 * The build (vite.config.ts) defines FILES, the paths of the files, and VERSION, a hash of their contents, before it.
 */

const FILE_CACHE = `files ${VERSION}`;
const RESPONSE_CACHE = `responses ${VERSION}`;
const MAX_RESPONSES = 600;
/** Responses that never change within one release. */
const IMMUTABLE = /^\/api\/(games|positions)(\/|$)/;
const NOT_CACHED = /^\/api\/positions\/analyse/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILE_CACHE).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
});

async function deleteOldCaches() {
  const names = await caches.keys();
  const old = names.filter((name) => name !== FILE_CACHE && name !== RESPONSE_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (IMMUTABLE.test(pathname) && !NOT_CACHED.test(pathname)) event.respondWith(fetchOrCached(event));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/")));
  else if (request.method === "GET" && (FILES.includes(pathname) || pathname.startsWith("/assets/")))
    event.respondWith(cachedOrFetch(request));
});

/** A file of the page; one that is loaded only when it is needed is cached from then on. */
async function cachedOrFetch(request) {
  const cached = await caches.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(FILE_CACHE)).put(request, response.clone());
  return response;
}

/** The server's response, which is cached; or the cached one, with a header that says so. */
async function fetchOrCached(event) {
  const key = await cacheKey(event.request.clone());
  const cache = await caches.open(RESPONSE_CACHE);
  try {
    const response = await fetch(event.request);
    if (response.status === 200) event.waitUntil(store(cache, key, response.clone()));
    return response;
  } catch (error) {
    const cached = await cache.match(key);
    if (!cached) throw error;
    const headers = new Headers(cached.headers);
    headers.set("X-Ropewalk-Cached", "1");
    return new Response(cached.body, { status: 200, headers });
  }
}

/** The address of a request; with a hash of its body where it has one, because only addresses can be cached. */
async function cacheKey(request) {
  if (request.method === "GET") return request.url;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(await request.text()));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${request.url}?body=${hash}`;
}

async function store(cache, key, response) {
  await cache.put(key, response);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MAX_RESPONSES)).map((each) => cache.delete(each)));
}

/** Texts of notifications: the page, which has all others, may not be open. */
const NOTICES = {
  en: { title: "Your move", body: ({ game, opponent }) => `${game} against ${opponent}` },
  de: { title: "Du bist am Zug", body: ({ game, opponent }) => `${game} gegen ${opponent}` },
};

self.addEventListener("push", (event) => {
  const message = event.data?.json();
  if (message?.type === "your-move") event.waitUntil(showNotice(message));
});

/** Show whose turn it is, unless the match is in front of the visitor; a newer notice of a match replaces the older one. */
async function showNotice(message) {
  const path = `/match/${message.match_id}`;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isOpen = (page) => page.visibilityState === "visible" && new URL(page.url).pathname.startsWith(path);
  if (pages.some(isOpen)) return;
  const words = NOTICES[message.language] ?? NOTICES.en;
  const options = { body: words.body(message), tag: path, icon: "/icon-192.png", lang: message.language, data: { path } };
  await self.registration.showNotification(words.title, options);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data.path));
});

/** Show a match in a page that has it open, or in a new one. */
async function openPath(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith(path));
  await (page ? page.focus() : self.clients.openWindow(path));
}
