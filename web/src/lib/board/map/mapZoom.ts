/** Enlarging the map: which part of it is shown. */
import type { MapLayout, Point } from "../../api/types";

type Box = MapLayout["box"];

/** How much larger the map is drawn, and the point in its middle. */
export interface MapZoom {
  scale: number;
  centre: Point;
}

export const MAX_SCALE = 4;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

export const wholeMap = ({ x, y, width, height }: Box): MapZoom => ({ scale: 1, centre: [x + width / 2, y + height / 2] });

/** Return the part of the map that is shown. */
export function visibleBox({ scale, centre }: MapZoom, box: Box): Box {
  const [width, height] = [box.width / scale, box.height / scale];
  return { x: centre[0] - width / 2, y: centre[1] - height / 2, width, height };
}

/** Enlarge the map by a factor; a point of it stays where it is. */
export function zoomAt(zoom: MapZoom, box: Box, point: Point, factor: number): MapZoom {
  const scale = clamp(zoom.scale * factor, 1, MAX_SCALE);
  const share = zoom.scale / scale;
  const along = (axis: 0 | 1): number => point[axis] + (zoom.centre[axis] - point[axis]) * share;
  return keepInside({ scale, centre: [along(0), along(1)] }, box);
}

/** Shift the map by a distance on it. */
export function shift(zoom: MapZoom, box: Box, [x, y]: Point): MapZoom {
  return keepInside({ scale: zoom.scale, centre: [zoom.centre[0] - x, zoom.centre[1] - y] }, box);
}

function keepInside({ scale, centre }: MapZoom, box: Box): MapZoom {
  const along = (value: number, start: number, size: number): number =>
    clamp(value, start + size / scale / 2, start + size - size / scale / 2);
  return { scale, centre: [along(centre[0], box.x, box.width), along(centre[1], box.y, box.height)] };
}
