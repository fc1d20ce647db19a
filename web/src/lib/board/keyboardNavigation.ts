/** Moving the cursor by arrow keys over cells that lie anywhere on a picture. */
import type { Point } from "../api/types";

export const ARROW_DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const WIDEST = Math.tan((60 * Math.PI) / 180); // what lies farther aside is not in this direction

/** The cell that lies best in a direction: near, and not far aside. */
export function nextCellInDirection(direction: Point, from: Point, places: ReadonlyMap<string, Point>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [name, place] of places) {
    const way: Point = [place[0] - from[0], place[1] - from[1]];
    const ahead = way[0] * direction[0] + way[1] * direction[1];
    const aside = Math.abs(way[0] * direction[1] - way[1] * direction[0]);
    if (ahead < 1e-3 || aside > WIDEST * ahead) continue;
    const cost = (ahead ** 2 + aside ** 2) / ahead + 0.1 * aside;
    if (cost < least) [best, least] = [name, cost];
  }
  return best;
}
