/** The address of the analysis board: it always names the position that is shown. */

export interface AnalysisAddress {
  spec: string | null;
  /** The text of the start position, null for the start of the game. */
  position: string | null;
  moves: readonly string[];
  /** The id of the tree that the server keeps. */
  saved: string | null;
}

export function parseAnalysisUrl(query: string): AnalysisAddress {
  const found = new URLSearchParams(query);
  return {
    spec: found.get("spec") || null,
    position: found.get("position") || null,
    moves: (found.get("moves") ?? "").split(" ").filter(Boolean),
    saved: found.get("saved") || null,
  };
}

export function analysisUrl({ spec, position, moves, saved }: AnalysisAddress): string {
  const query = [
    ...(spec ? [`spec=${encodeURIComponent(spec)}`] : []),
    ...(position ? [`position=${encodeURIComponent(position)}`] : []),
    ...(moves.length ? [`moves=${moves.map(encodeURIComponent).join("+")}`] : []),
    ...(saved ? [`saved=${encodeURIComponent(saved)}`] : []),
  ];
  return query.length ? `/analysis?${query.join("&")}` : "/analysis";
}
