"""Scenes: where a view puts cells, pieces and labels, before anything is drawn; and the page that a scene is fitted to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from ..boards.geometry import Points
from .geometry import HALFWAY, UP, Camera, Vector, project_ball
from .stroke_font import CAPITAL_HEIGHT, measure_width

Bounds: TypeAlias = tuple[Vector, Vector]  # the upper left and the lower right corner

LABEL_HEIGHT_SHARE = 0.024  # labels in the margins, of the longer side of the board
MAX_LABEL_HEIGHT = 0.75  # in units
MARGIN_SHARE = 0.035  # on all four sides, of the page's longer side
LINE_WIDTH = 0.021  # a fine line, in units
MIN_LINE_WIDTH = 0.4  # in pixels
MAX_LINE_WIDTH_SHARE = 0.003  # of the page's longer side
GRID = np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], float)
FLAT_HIGHLIGHT = np.array([HALFWAY[0], -HALFWAY[1], HALFWAY[2]])


@dataclass(frozen=True)
class Placement:
    """A place for pieces or text: a point, and the projections of one unit along the cell and away from it."""

    origin: Vector
    across: Vector  # to the right along the cell
    down: Vector
    rise: Vector  # away from the cell
    highlight: Vector = field(default_factory=lambda: FLAT_HIGHLIGHT)  # direction halfway between viewer and light
    max_radius: float = 0.5  # of the largest piece that fits, in units
    sector: tuple[Vector, Vector] | None = None  # directions between which a part of a cut cell lies
    is_turned_away: bool = False  # on the far side of a solid; only tall pieces are seen over its edge
    is_flat: bool = True  # seen from straight above

    def locate(self, height: float = 0.0, across: float = 0.0, down: float = 0.0) -> Vector:
        """Return the point on the page at a height and shift from the origin."""
        return self.origin + across * self.across + down * self.down + height * self.rise

    def raise_by(self, height: float) -> Placement:
        """Return the placement on top of something of this height."""
        return replace(self, origin=self.locate(height))

    def shift(self, across: float, down: float) -> Placement:
        """Return a placement beside this one."""
        return replace(self, origin=self.locate(0, across, down))

    def zoom(self, factor: float, corner: Vector) -> Placement:
        """Return the placement on a page of another scale whose upper left corner was at `corner`."""
        scaled = {name: getattr(self, name) * factor for name in ("across", "down", "rise")}
        return replace(self, origin=(self.origin - corner) * factor, **scaled)

    def list_corners(self, height: float) -> Points:
        """Return the corners of what a piece may fill, or of the top of a stack of this height."""
        tall = 0.0 if self.is_flat else max(height, 0.6 * self.max_radius)
        wide, high, _ = project_ball([0.85 * self.max_radius * self.across, 0.85 * self.max_radius * self.down])
        return np.array([self.locate(tall) + np.array([x, y]) for x in (-wide, wide) for y in (-high, high)])

    @property
    def scale(self) -> float:
        """The length of the longer one of the projected units across and down."""
        return project_ball([self.across, self.down])[0]


def compute_label_height(points: Points) -> float:
    """Return the height of labels in the margins of a board with these points."""
    return min(MAX_LABEL_HEIGHT, LABEL_HEIGHT_SHARE * float(np.ptp(points[:, :2], axis=0).max()))


def place_flat(origin: Vector, max_radius: float = 0.5, rise: Vector | None = None) -> Placement:
    """Return a placement on a map."""
    level = np.zeros(2) if rise is None else rise
    return Placement(np.asarray(origin, float), np.array([1.0, 0.0]), np.array([0.0, 1.0]), level, max_radius=max_radius)


def place_on_solid(camera: Camera, centre: Vector, normal: Vector, max_radius: float, *, gridded: bool = True) -> Placement:
    """Return a placement on a solid: text is upright on walls, and follows the grid or the viewer on top."""
    level = np.cross(UP, normal)
    if np.linalg.norm(level) > 1e-6:
        across = level / np.linalg.norm(level)
    else:
        across = max(GRID, key=lambda way: round(float(way @ camera.right), 6)) if gridded else camera.right
    down = np.cross(across, normal)
    halfway = HALFWAY @ camera.axes
    facing = camera.compute_facing(normal)
    return Placement(
        origin=camera.project(centre),
        across=camera.project(across),
        down=camera.project(down),
        rise=camera.project(normal),
        highlight=np.array([halfway @ across, halfway @ down, halfway @ normal]),
        max_radius=max_radius,
        is_turned_away=facing <= 0.0,
        is_flat=False,
    )


@dataclass(frozen=True)
class Patch:
    """A visible part of the surface of a cell."""

    points: Points
    light: float | None = 1.0  # brightness; None on a round wall, which has a gradient
    starts_at_centre: bool = False  # the first point is the centre of a folded or cut cell

    def cell_outline(self) -> tuple[Points, bool]:
        """Return the part of the cell's outline that this patch has, and whether it is closed."""
        return (self.points[1:], False) if self.starts_at_centre else (self.points, True)


@dataclass(frozen=True)
class Area:
    """A part of the diagram that is not a cell: a side of a slab, a light square, a coloured bar."""

    points: Points
    role: str  # its colour in the theme
    light: float = 1.0
    has_outline: bool = False  # an opaque strong line round it
    has_strong_line: bool = False  # a strong line, as faint as the lines between cells


@dataclass(frozen=True)
class Label:
    """A text in the margin, `height` units high."""

    text: str
    placement: Placement
    height: float
    role: str = "faint"

    def list_corners(self) -> Points:
        """Return the corners of the rectangle that the text fills."""
        wide, high = measure_width(self.text) * self.height / CAPITAL_HEIGHT / 2, self.height * 0.7
        return np.array([self.placement.locate(0, x, y) for x in (-wide, wide) for y in (-high, high)])


@dataclass(frozen=True)
class Scene:
    """Everything that a view shows; hidden cells have no patches and no placements."""

    patches: Mapping[int, Sequence[Patch]]
    placements: Mapping[int, Sequence[Placement]]
    areas: Sequence[Area] = ()  # below the cells
    edges: Sequence[Points] = ()  # strong lines: the edges of a solid
    labels: Sequence[Label] = ()
    named_cells: Sequence[int] = ()  # cells that carry their names whenever there are coordinates
    folds: Sequence[Points] = ()  # fine dashed lines
    shadow: Points | None = None  # of the solid on the ground
    wall: tuple[float, float, Camera] | None = None  # of a round wall: its left and right x, and the camera
    unit: float = 1.0  # in pixels

    def iter_points(self, heights: Mapping[int, float]) -> Iterator[Points]:
        """Yield all points that must be inside the bounds, with stacks of these heights on the cells."""
        for patches in self.patches.values():
            yield from (patch.points for patch in patches)
        yield from (area.points for area in self.areas)
        yield from (label.list_corners() for label in self.labels)
        for cell, placements in self.placements.items():
            yield from (placement.list_corners(heights.get(cell, 0.0)) for placement in placements)

    def compute_bounds(self, heights: Mapping[int, float]) -> Bounds:
        """Return the upper left and the lower right corner, with stacks of these heights on the cells."""
        everything = np.concatenate(list(self.iter_points(heights)))
        return everything.min(axis=0), everything.max(axis=0)

    def zoom(self, factor: float, corner: Vector) -> Scene:
        """Return the scene on a page of another scale whose upper left corner was at `corner`."""

        def transform(points: Points) -> Points:
            return (points - corner) * factor

        return Scene(
            patches={
                cell: [replace(patch, points=transform(patch.points)) for patch in patches]
                for cell, patches in self.patches.items()
            },
            placements={
                cell: [placement.zoom(factor, corner) for placement in placements]
                for cell, placements in self.placements.items()
            },
            areas=[replace(area, points=transform(area.points)) for area in self.areas],
            edges=[transform(edge) for edge in self.edges],
            labels=[replace(label, placement=label.placement.zoom(factor, corner)) for label in self.labels],
            named_cells=self.named_cells,
            folds=[transform(fold) for fold in self.folds],
            shadow=None if self.shadow is None else transform(self.shadow),
            wall=None
            if self.wall is None
            else ((self.wall[0] - corner[0]) * factor, (self.wall[1] - corner[0]) * factor, self.wall[2]),
            unit=self.unit * factor,
        )


@dataclass(frozen=True)
class Page:
    """The size of an image, the scene in pixels, and the width of its fine lines."""

    width: int
    height: int
    scene: Scene
    line_width: float
    margin: float
    caption_top: float  # y of the caption's upper edge


def fit_page(scene: Scene, frame: Bounds, size: int, caption_height: float) -> Page:
    """Return the page on which the frame is as large as a longer side of `size` pixels allows, with a caption below."""
    low, high = frame
    wide, tall = high - low
    margin = MARGIN_SHARE * size
    zoom = float(min((size - 2 * margin) / wide, (size - 2 * margin - caption_height) / tall))
    width, height = round(wide * zoom + 2 * margin), round(tall * zoom + 2 * margin + caption_height)
    width, height = (size, height) if width >= height else (width, size)
    corner = low - np.array([(width / zoom - wide) / 2, margin / zoom])
    line_width = min(max(LINE_WIDTH * zoom, MIN_LINE_WIDTH), MAX_LINE_WIDTH_SHARE * size)
    return Page(width, height, scene.zoom(zoom, corner), line_width, margin, height - caption_height - margin * 0.55)
