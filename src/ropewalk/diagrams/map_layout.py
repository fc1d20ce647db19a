"""The finished layout of a flat map as plain data, for a client that draws the map and its pieces itself.

Lengths are in units of about one cell; x grows to the right and y downward. A client draws the polygons, lines and labels
as they are, and pieces at the placements of their cells; it needs to know nothing of the kind of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from .geometry import Vector
from .looks import BoardLook, find_look
from .options import FLAT_VIEW
from .overlay_layer import MAX_NAME_SHARE, NAME_HEIGHT, centre_in_sector, fit_text_height
from .piece_layer import HEIGHTS, MAX_STACK_OFFSET, RADII, RING_INNER_RADIUS, STONE_FILL
from .scene import Label, Placement, Scene

if TYPE_CHECKING:
    from ..boards import Board
    from ..boards.geometry import Points
    from ..games.game import Game

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]

NUM_DECIMALS = 4
BOX_MARGIN = 0.3  # round everything that the map shows, in units


@dataclass(frozen=True)
class MapPlacement:
    """A place for pieces on a cell; a cell that the map cuts has one in each of its parts."""

    centre: Point
    max_radius: float  # of the largest piece that fits
    text_centre: Point  # where to write on the cell: inside the sector if there is one
    sector: tuple[Point, Point] | None  # directions between which the part lies, counter-clockwise as seen


@dataclass(frozen=True)
class MapCell:
    """A cell: its outline, in several parts if the map cuts it, and the places for its pieces."""

    name: str
    role: str  # the theme's name for its colour
    polygons: tuple[Polygon, ...]
    placements: tuple[MapPlacement, ...]
    is_outlined: bool  # marked by the rules, so that it gets a strong outline


@dataclass(frozen=True)
class MapDecoration:
    """An area that is not a cell, below the cells."""

    role: str
    polygon: Polygon
    has_strong_line: bool


@dataclass(frozen=True)
class MapLine:
    """An edge of the map, or a fold of a net."""

    kind: Literal["edge", "fold"]
    points: Polygon


@dataclass(frozen=True)
class MapLabel:
    """A text in the margin, behind a face, or on a cell; capitals are `height` units high."""

    text: str
    centre: Point
    height: float
    kind: Literal["margin", "watermark", "cell"]


@dataclass(frozen=True)
class Box:
    """A rectangle by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class PieceSizes:
    """Sizes of pieces in units; a stone takes the share `stone_fill` of the largest radius that fits on its cell."""

    radii: Mapping[str, float]  # by kind of piece
    heights: Mapping[str, float]
    ring_inner_radius: float
    stone_fill: float


@dataclass(frozen=True)
class MapLayout:
    """Everything that a client needs to draw the flat map of a board."""

    cells: tuple[MapCell, ...]  # in the order of the board
    decorations: tuple[MapDecoration, ...]
    lines: tuple[MapLine, ...]
    labels: tuple[MapLabel, ...]
    box: Box
    stack_offset: Point  # shift of a piece per unit of its height, (0, 0) on boards without stacks
    max_stack_offset: float  # the offsets of a tall stack are reduced to this sum
    tints_occupied_cells: bool  # whether a cell takes on the colour of its pieces
    piece_sizes: PieceSizes

    def as_json(self) -> dict[str, Any]:
        """Return the layout as dicts, lists and numbers."""
        return asdict(self)


def build_map_layout(game: Game) -> MapLayout:
    """Return the layout of the flat map of a game's board. Raises RopewalkError if the game declares no known look."""
    board, look = game.board, find_look(game)
    scene = look.build_map(board, "edge")
    box = compute_box(scene)
    return MapLayout(
        cells=tuple(build_cell(board, look, scene, cell) for cell in range(len(board))),
        decorations=tuple(MapDecoration(area.role, to_points(area.points), area.has_strong_line) for area in scene.areas),
        lines=(
            *(MapLine("edge", to_points(points)) for points in scene.edges),
            *(MapLine("fold", to_points(points)) for points in scene.folds),
        ),
        labels=(*map(build_label, scene.labels), *build_cell_labels(board, scene, max(box.width, box.height))),
        box=box,
        stack_offset=look.stack_offset,
        max_stack_offset=MAX_STACK_OFFSET,
        tints_occupied_cells=look.tinted_view == FLAT_VIEW,
        piece_sizes=PieceSizes(RADII, HEIGHTS, RING_INNER_RADIUS, STONE_FILL),
    )


def build_cell(board: Board, look: BoardLook, scene: Scene, cell: int) -> MapCell:
    """Return the layout of one cell."""
    return MapCell(
        name=board.names[cell],
        role=look.cell_role(board, cell),
        polygons=tuple(to_points(patch.points) for patch in scene.patches[cell]),
        placements=tuple(map(build_placement, scene.placements[cell])),
        is_outlined=any(cell in board.marked_cells[mark] for mark in look.outlined_marks),
    )


def build_placement(placement: Placement) -> MapPlacement:
    """Return a place for pieces as plain data."""
    sector = placement.sector
    return MapPlacement(
        centre=to_point(placement.origin),
        max_radius=round(placement.max_radius, NUM_DECIMALS),
        text_centre=to_point(centre_in_sector(placement).origin),
        sector=None if sector is None else (to_point(sector[0]), to_point(sector[1])),
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


def compute_box(scene: Scene) -> Box:
    """Return the rectangle round everything that the map shows without pieces, with a margin."""
    low, high = scene.compute_bounds({})
    x, y = (round(float(value) - BOX_MARGIN, NUM_DECIMALS) for value in low)
    width, height = (round(float(value) + 2 * BOX_MARGIN, NUM_DECIMALS) for value in high - low)
    return Box(x, y, width, height)


def to_points(points: Points) -> Polygon:
    """Return points as tuples of rounded numbers."""
    return tuple(map(to_point, points))


def to_point(point: Vector) -> Point:
    """Return a point as a tuple of rounded numbers, without a negative zero."""
    x, y = (np.round(point, NUM_DECIMALS) + 0.0).tolist()
    return x, y
