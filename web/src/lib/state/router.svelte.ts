/** Addresses: the path and query of the page as state; every position that is shown has one. */
export const route = $state({ path: location.pathname, query: location.search });

export function navigate(to: string, { replace = false } = {}): void {
  if (to === route.path + route.query) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  const isOtherPage = pageOf(to) !== pageOf(route.path);
  read();
  if (!replace && isOtherPage) scrollTo(0, 0);
}

/** Return the part of an address that names a page; what follows is a position on it. */
const pageOf = (address: string): string => address.split("?")[0]!.split("/", 3).join("/");

function read(): void {
  route.path = location.pathname;
  route.query = location.search;
}

/** The parts of the path, without empty ones. */
export const pathSegments = (): string[] => route.path.split("/").filter(Boolean).map(decodeURIComponent);
export const queryParameter = (name: string): string | null => new URLSearchParams(route.query).get(name);

/** Call once: follows the back button, and links within the page. */
export function startRouter(): void {
  addEventListener("popstate", read);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target)
      return;
    if (link.origin !== location.origin || link.pathname.startsWith("/api/") || link.hasAttribute("download")) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
