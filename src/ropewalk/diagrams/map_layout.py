"""The finished layout of a flat map as plain data, for a client that draws the map and its pieces itself.

Lengths are in units of about one cell; x grows to the right and y downward. A client draws the polygons, lines and labels
as they are, and pieces at the placements of their cells; it needs to know nothing of the kind of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from .geometry import Vector
from .looks import find_look
from .options import FLAT_VIEW
from .overlay_layer import MAX_NAME_SHARE, NAME_HEIGHT, centre_in_sector, fit_text_height
from .piece_layer import CHECKER, DISC, HEIGHTS, MAX_STACK_OFFSET, RADII, RING, RING_INNER_RADIUS, STONE, STONE_FILL
from .scene import Label, Placement, Scene

if TYPE_CHECKING:
    from ..boards import Board
    from ..boards.geometry import Points
    from ..games.game import Game

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]

NUM_DECIMALS = 3
BOX_MARGIN = 0.3  # round everything that the map shows, in units


def describe(description: str) -> Mapping[str, str]:
    """Return the metadata of a field with a description, which the documentation of the server's interface shows."""
    return {"description": description}


@dataclass(frozen=True)
class MapSector:
    """The sector of a circle that a part of a cut cell has."""

    start: Point = field(metadata=describe("the direction in which the sector begins, counter-clockwise as seen"))
    end: Point = field(metadata=describe("the direction in which the sector ends"))
    middle: Point = field(metadata=describe("a point inside the part, to write on it"))


@dataclass(frozen=True)
class MapPlacement:
    """A place for pieces on a cell; a cell that the map cuts has one in each of its parts."""

    centre: Point
    max_radius: float = field(metadata=describe("of the largest piece that fits"))
    sector: MapSector | None = field(metadata=describe("the sector of a piece that is visible here; null for a whole piece"))


@dataclass(frozen=True)
class MapCell:
    """The outline of a cell, in several parts if the map cuts it, and the places for its pieces."""

    polygons: tuple[Polygon, ...]
    placements: tuple[MapPlacement, ...]


@dataclass(frozen=True)
class MapDecoration:
    """An area that is not a cell, below the cells."""

    role: str = field(metadata=describe("the style of the area: light square, red side, blue side"))
    polygon: Polygon
    has_strong_line: bool


@dataclass(frozen=True)
class MapLine:
    """An edge of the map, or a fold of a net."""

    kind: Literal["edge", "fold"]
    points: Polygon


@dataclass(frozen=True)
class MapLabel:
    """A text in the margin, behind a face, or on a cell."""

    text: str
    centre: Point
    height: float = field(metadata=describe("of capitals and digits; the text stands half of it below its centre"))
    kind: Literal["margin", "watermark", "cell"]


@dataclass(frozen=True)
class MapBox:
    """A rectangle by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class PieceSize:
    """The size of a piece of one kind."""

    radius: float
    height: float


@dataclass(frozen=True)
class PieceSizes:
    """Sizes of pieces by kind, in units."""

    stone: PieceSize
    checker: PieceSize
    disc: PieceSize
    ring: PieceSize
    ring_inner_radius: float
    stone_fill: float = field(
        metadata=describe("the radius of a stone on a cell, as a share of the largest radius that fits there")
    )


@dataclass(frozen=True)
class MapLayout:
    """The flat map of a board, ready to be drawn. Lengths are in units of about one cell; y grows downward."""

    cells: tuple[MapCell, ...] = field(metadata=describe("in the order of the board's cells"))
    outlined_cells: tuple[str, ...] = field(
        metadata=describe("names of cells that the rules mark, which get a strong outline")
    )
    decorations: tuple[MapDecoration, ...]
    lines: tuple[MapLine, ...]
    labels: tuple[MapLabel, ...]
    box: MapBox = field(metadata=describe("round everything that the map shows"))
    inner_box: MapBox = field(metadata=describe("round everything but the labels"))
    stack_offset: Point = field(metadata=describe("shift of a piece per unit of its height, 0 on boards without stacks"))
    max_stack_offset: float = field(metadata=describe("the offsets of a tall stack are reduced to this sum"))
    tints_occupied_cells: bool = field(metadata=describe("whether a cell takes on the colour of its pieces"))
    piece_sizes: PieceSizes


PIECE_SIZES = PieceSizes(
    stone=PieceSize(RADII[STONE], HEIGHTS[STONE]),
    checker=PieceSize(RADII[CHECKER], HEIGHTS[CHECKER]),
    disc=PieceSize(RADII[DISC], HEIGHTS[DISC]),
    ring=PieceSize(RADII[RING], HEIGHTS[RING]),
    ring_inner_radius=RING_INNER_RADIUS,
    stone_fill=STONE_FILL,
)


def build_map_layout(game: Game) -> MapLayout:
    """Return the layout of the flat map of a game's board. Raises RopewalkError if the game declares no known look."""
    board, look = game.board, find_look(game)
    scene = look.build_map(board, "edge")
    box = compute_box(scene)
    return MapLayout(
        cells=tuple(build_map_cell(scene, cell) for cell in range(len(board))),
        outlined_cells=tuple(board.names[cell] for mark in look.outlined_marks for cell in board.marked_cells[mark]),
        decorations=tuple(MapDecoration(area.role, to_points(area.points), area.has_strong_line) for area in scene.areas),
        lines=(
            *(MapLine("edge", to_points(points)) for points in scene.edges),
            *(MapLine("fold", to_points(points)) for points in scene.folds),
        ),
        labels=(*map(build_label, scene.labels), *build_cell_labels(board, scene, max(box.width, box.height))),
        box=box,
        inner_box=compute_box(replace(scene, labels=())),
        stack_offset=look.stack_offset,
        max_stack_offset=MAX_STACK_OFFSET,
        tints_occupied_cells=look.tinted_view == FLAT_VIEW,
        piece_sizes=PIECE_SIZES,
    )


def build_map_cell(scene: Scene, cell: int) -> MapCell:
    """Return the layout of one cell."""
    return MapCell(
        polygons=tuple(to_points(patch.points) for patch in scene.patches[cell]),
        placements=tuple(map(build_placement, scene.placements[cell])),
    )


def build_placement(placement: Placement) -> MapPlacement:
    """Return a place for pieces as plain data."""
    return MapPlacement(
        centre=to_point(placement.origin),
        max_radius=round(placement.max_radius, NUM_DECIMALS),
        sector=None if placement.sector is None else build_sector(placement, *placement.sector),
    )


def build_sector(placement: Placement, start: Vector, end: Vector) -> MapSector:
    """Return the sector of a placement in a part of a cut cell, with directions of length 1."""
    return MapSector(
        start=to_point(start / np.hypot(*start)),
        end=to_point(end / np.hypot(*end)),
        middle=to_point(centre_in_sector(placement).origin),
    )


def build_label(label: Label) -> MapLabel:
    """Return a label of the scene as plain data."""
    kind: Literal["margin", "watermark"] = "watermark" if label.role == "watermark" else "margin"
    return MapLabel(label.text, to_point(label.placement.origin), round(label.height, NUM_DECIMALS), kind)


def build_cell_labels(board: Board, scene: Scene, page_size: float) -> Iterable[MapLabel]:
    """Yield the names that some cells always carry, in letters that fit on a page of this size."""
    for cell in scene.named_cells:
        for placement in map(centre_in_sector, scene.placements[cell]):
            name = board.names[cell]
            height = fit_text_height(name, placement, NAME_HEIGHT, MAX_NAME_SHARE * page_size)
            yield MapLabel(name, to_point(placement.origin), round(height, NUM_DECIMALS), "cell")


def compute_box(scene: Scene) -> MapBox:
    """Return the rectangle round everything that the map shows without pieces, with a margin."""
    low, high = scene.compute_bounds({})
    x, y = (round(float(value) - BOX_MARGIN, NUM_DECIMALS) for value in low)
    width, height = (round(float(value) + 2 * BOX_MARGIN, NUM_DECIMALS) for value in high - low)
    return MapBox(x, y, width, height)


def to_points(points: Points) -> Polygon:
    """Return points as tuples of rounded numbers."""
    return tuple(map(to_point, points))


def to_point(point: Vector) -> Point:
    """Return a point as a tuple of rounded numbers, without a negative zero."""
    x, y = (np.round(point, NUM_DECIMALS) + 0.0).tolist()
    return x, y
