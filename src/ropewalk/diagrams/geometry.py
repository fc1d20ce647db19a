"""Plane geometry of pictures: cameras that look at solids, convex polygons, ellipses. On paper, y grows downward."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, cos, degrees, hypot, radians, sin, sqrt
from typing import TypeAlias

import numpy as np

from ..boards.geometry import Points

Vector: TypeAlias = Points  # [2] on paper, [3] in space
Ellipse: TypeAlias = tuple[float, float, float]  # two radii, and by how many degrees the first is turned

LIGHT = np.array([-0.42, 0.6, 0.68])  # where it comes from, for the viewer: right, up, towards
VIEWER = np.array([0.0, 0.0, 1.0])
HALFWAY = (LIGHT + VIEWER) / np.linalg.norm(LIGHT + VIEWER)  # surfaces that look this way shine

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Camera:
    """Looks from far away at a board that is turned about its axis, from `tilt` degrees above its plane."""

    yaw: float
    pitch: float

    @cached_property
    def axes(self) -> Points:
        """Right, up and towards the viewer, in the board's space."""
        turn, tilt = radians(self.yaw % 360), radians(self.pitch)
        right, away = np.array([cos(turn), -sin(turn), 0]), np.array([sin(turn), cos(turn), 0])
        return np.array([right, sin(tilt) * away + cos(tilt) * UP, sin(tilt) * UP - cos(tilt) * away])

    @property
    def right(self) -> Vector:
        """The direction in space that points to the right on paper."""
        return self.axes[0]

    def project(self, points: Points) -> Points:
        """Points or directions in space, [.., 3], as the paper shows them."""
        seen: Points = (points @ self.axes[:2].T) * [1, -1]
        return seen

    def compute_facing(self, normal: Vector) -> float:
        """1 for a surface that looks at the viewer, 0 for one seen edge on, below 0 for one that looks away."""
        return float(self.axes[2] @ normal)

    def compute_brightness(self, normal: Vector) -> float:
        """How much light falls on a surface."""
        return max(0.0, float(LIGHT @ (self.axes @ normal)))


def project_ball(vectors: Iterable[Vector]) -> Ellipse:
    """The outline of a ball that these vectors, its three half axes as seen on paper, stretch and squeeze."""
    xx = yy = xy = 0.0
    for x, y in vectors:
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
    middle, spread = (xx + yy) / 2, hypot((xx - yy) / 2, xy)
    turned = degrees(atan2(2 * xy, xx - yy)) / 2 if spread > 1e-9 * middle else 0.0
    return sqrt(middle + spread), sqrt(max(0.0, middle - spread)), turned


def cross(first: Vector, second: Vector) -> float:
    """Positive when the second direction lies clockwise from the first for the eye, with y downward."""
    return float(first[0] * second[1] - first[1] * second[0])


def convex_hull(points: Points) -> Points:
    """The corners of the smallest convex polygon round points of a plane, counter-clockwise with y upward."""
    ordered = sorted(set(map(tuple, np.round(points, 6).tolist())))
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(points: Sequence[tuple[float, ...]]) -> list[Vector]:
    kept: list[Vector] = []
    for point in map(np.array, points):
        while len(kept) > 1 and cross(kept[-1] - kept[-2], point - kept[-2]) <= 1e-9:
            kept.pop()
        kept.append(point)
    return kept


def widen(polygon: Points, margin: float) -> Points:
    """A convex polygon, counter-clockwise with y upward, with all its sides moved outward."""
    along = np.roll(polygon, -1, axis=0) - polygon
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    before = np.roll(outward, 1, axis=0)
    turned = 1 + (before * outward).sum(axis=1)
    return polygon + margin * (before + outward) / turned[:, None]


def clip(polygon: Points, place: Vector, inward: Vector) -> Points:
    """The part of a convex polygon on the inner side of a line; no points when there is none."""
    depths = (polygon - place) @ inward
    kept: list[Vector] = []
    for number, (point, depth) in enumerate(zip(polygon, depths, strict=True)):
        following, next_depth = polygon[(number + 1) % len(polygon)], depths[(number + 1) % len(polygon)]
        if depth >= 0:
            kept.append(point)
        if (depth >= 0) != (next_depth >= 0):
            kept.append(point + (following - point) * (depth / (depth - next_depth)))
    return np.array(kept) if len(kept) > 2 else np.empty((0, polygon.shape[1]))


def clip_to_polygon(polygon: Points, frame: Points) -> Points:
    """The part of a convex polygon inside another one, which runs counter-clockwise with y upward."""
    for start, end in zip(frame, np.roll(frame, -1, axis=0), strict=True):
        if len(polygon):
            polygon = clip(polygon, start, np.array([start[1] - end[1], end[0] - start[0]]))
    return polygon


def distance_to_sides(point: Vector, polygon: Points) -> float:
    """How far the nearest side of a polygon lies, in the plane or in space."""
    starts, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    share = np.clip(((point - starts) * along).sum(axis=1) / (along * along).sum(axis=1), 0, 1)
    return float(np.linalg.norm(starts + share[:, None] * along - point, axis=1).min())
