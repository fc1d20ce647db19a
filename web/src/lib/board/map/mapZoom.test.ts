import { expect, it } from "vitest";
import { MAX_SCALE, shift, visibleBox, wholeMap, zoomAt } from "./mapZoom";

const BOX = { x: -10, y: 0, width: 20, height: 10 };
const WHOLE = wholeMap(BOX);

it("the whole map is shown at first", () => {
  expect(visibleBox(WHOLE, BOX)).toEqual(BOX);
});

it("the point between the fingers stays where it is", () => {
  const zoom = zoomAt(WHOLE, BOX, [5, 2.5], 2);
  expect(visibleBox(zoom, BOX)).toEqual({ x: -2.5, y: 1.25, width: 10, height: 5 });
});

it("a map is neither smaller than its frame nor enlarged without limit", () => {
  expect(zoomAt(WHOLE, BOX, [5, 2.5], 0.2)).toEqual(WHOLE);
  expect(zoomAt(WHOLE, BOX, [0, 5], 100).scale).toBe(MAX_SCALE);
});

it("an enlarged map can be shifted, but not out of its frame", () => {
  const zoom = zoomAt(WHOLE, BOX, [0, 5], 2);
  expect(visibleBox(shift(zoom, BOX, [1, 0.5]), BOX)).toEqual({ x: -6, y: 2, width: 10, height: 5 });
  expect(visibleBox(shift(zoom, BOX, [100, -100]), BOX)).toEqual({ x: -10, y: 5, width: 10, height: 5 });
});
