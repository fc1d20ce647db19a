/** Queries of addresses. */

/** Return a query with its question mark; parameters without a value are left out. */
export function formatQuery(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}` : "";
}
