"""Geometry of diagrams: cameras, convex polygons, ellipses. On the page, y grows downward."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, cos, degrees, hypot, radians, sin, sqrt
from typing import TypeAlias

import numpy as np

from ..boards.geometry import Points

Vector: TypeAlias = Points  # [2] on the page, [3] in space
Ellipse: TypeAlias = tuple[float, float, float]  # two radii, and the angle of the first in degrees

LIGHT = np.array([-0.42, 0.6, 0.68])  # direction of the light for the viewer: right, up, towards
VIEWER = np.array([0.0, 0.0, 1.0])
HALFWAY = (LIGHT + VIEWER) / np.linalg.norm(LIGHT + VIEWER)  # surfaces with this normal have a highlight

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Camera:
    """An orthographic camera: the board is turned about its axis by `yaw` and seen from `pitch` degrees above its plane."""

    yaw: float
    pitch: float

    @cached_property
    def axes(self) -> Points:
        """The directions right, up and towards the viewer, in the board's space."""
        yaw, pitch = radians(self.yaw % 360), radians(self.pitch)
        right, away = np.array([cos(yaw), -sin(yaw), 0]), np.array([sin(yaw), cos(yaw), 0])
        return np.array([right, sin(pitch) * away + cos(pitch) * UP, sin(pitch) * UP - cos(pitch) * away])

    @property
    def right(self) -> Vector:
        """The direction in space that points to the right on the page."""
        return self.axes[0]

    def project(self, points: Points) -> Points:
        """Return points or directions in space, [.., 3], as points on the page, [.., 2]."""
        seen: Points = (points @ self.axes[:2].T) * [1, -1]
        return seen

    def compute_facing(self, normal: Vector) -> float:
        """Return 1 for a surface that faces the viewer, 0 for one seen edge on, below 0 for one that faces away."""
        return float(self.axes[2] @ normal)

    def compute_brightness(self, normal: Vector) -> float:
        """Return how much light falls on a surface, from 0."""
        return max(0.0, float(LIGHT @ (self.axes @ normal)))


def project_ball(vectors: Iterable[Vector]) -> Ellipse:
    """Return the outline of an ellipsoid whose half axes are projected to these vectors."""
    xx = yy = xy = 0.0
    for x, y in vectors:
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
    middle, spread = (xx + yy) / 2, hypot((xx - yy) / 2, xy)
    turned = degrees(atan2(2 * xy, xx - yy)) / 2 if spread > 1e-9 * middle else 0.0
    return sqrt(middle + spread), sqrt(max(0.0, middle - spread)), turned


def cross(first: Vector, second: Vector) -> float:
    """Return the cross product: positive if the second direction is clockwise from the first, y downward."""
    return float(first[0] * second[1] - first[1] * second[0])


def convex_hull(points: Points) -> Points:
    """Return the corners of the convex hull of points in a plane, counter-clockwise with y upward."""
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


def expand_polygon(polygon: Points, margin: float) -> Points:
    """Return a convex polygon, counter-clockwise with y upward, with all its sides moved outward by a margin."""
    along = np.roll(polygon, -1, axis=0) - polygon
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    before = np.roll(outward, 1, axis=0)
    turned = 1 + (before * outward).sum(axis=1)
    return polygon + margin * (before + outward) / turned[:, None]


def clip(polygon: Points, place: Vector, inward: Vector) -> Points:
    """Return the part of a convex polygon on the inner side of a line; no points if it is empty."""
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
    """Return the part of a convex polygon inside another one, which is counter-clockwise with y upward."""
    for start, end in zip(frame, np.roll(frame, -1, axis=0), strict=True):
        if len(polygon):
            polygon = clip(polygon, start, np.array([start[1] - end[1], end[0] - start[0]]))
    return polygon


def distance_to_sides(point: Vector, polygon: Points) -> float:
    """Return the distance from a point to the nearest side of a polygon, in the plane or in space."""
    starts, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    share = np.clip(((point - starts) * along).sum(axis=1) / (along * along).sum(axis=1), 0, 1)
    return float(np.linalg.norm(starts + share[:, None] * along - point, axis=1).min())
