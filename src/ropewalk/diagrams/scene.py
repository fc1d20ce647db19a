"""A scene: where a view puts cells, pieces and labels on the paper, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from ..boards.geometry import Points
from .geometry import HALFWAY, UP, Camera, Vector, ellipse_of
from .stroke_font import CAPITAL, width_of

Bounds: TypeAlias = tuple[Vector, Vector]  # the upper left and the lower right corner

LETTERING, LARGEST = 0.024, 0.75  # the height of names in the margins: of the longer side of the board, at most in units
MARGIN = 0.035  # of the picture's size, on all four sides
FINE, FINEST, BROADEST = 0.021, 0.4, 0.003  # a fine line: of a cell, at least in pixels, at most of the picture's size
GRID = np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], float)
FLAT_SHINE = np.array([HALFWAY[0], -HALFWAY[1], HALFWAY[2]])


@dataclass(frozen=True)
class Spot:
    """A place for pieces or letters: a point, and what one unit along the cell and away from it looks like."""

    origin: Vector
    across: Vector  # to the right along the cell
    down: Vector
    rise: Vector  # away from the cell
    shine: Vector = field(default_factory=lambda: FLAT_SHINE)  # where surfaces gleam: across, down, away
    room: float = 0.5  # the radius of a piece that fits
    sector: tuple[Vector, Vector] | None = None  # where a map cuts the cell: the directions between which a part is
    turned_away: bool = False  # lies on the far side, and only what is tall looks over the edge
    lies_flat: bool = True  # seen from straight above

    def at(self, height: float = 0.0, across: float = 0.0, down: float = 0.0) -> Vector:
        """The place of a point on or above the cell."""
        return self.origin + across * self.across + down * self.down + height * self.rise

    def raised(self, height: float) -> Spot:
        """The same place on top of something."""
        return replace(self, origin=self.at(height))

    def shifted(self, across: float, down: float) -> Spot:
        """A place beside this one."""
        return replace(self, origin=self.at(0, across, down))

    def zoomed(self, zoom: float, corner: Vector) -> Spot:
        """The same place on a larger sheet whose upper left corner was at `corner`."""
        grown = {name: getattr(self, name) * zoom for name in ("across", "down", "rise")}
        return replace(self, origin=(self.origin - corner) * zoom, **grown)

    def reach(self, height: float) -> Points:
        """The corners of what a piece can fill, or the top of a stack of this height."""
        tall = 0.0 if self.lies_flat else max(height, 0.6 * self.room)
        wide, high, _ = ellipse_of([0.85 * self.room * self.across, 0.85 * self.room * self.down])
        return np.array([self.at(tall) + np.array([x, y]) for x in (-wide, wide) for y in (-high, high)])

    @property
    def scale(self) -> float:
        """How long the longer one of a unit across and a unit down looks."""
        return ellipse_of([self.across, self.down])[0]


def lettering(points: Points) -> float:
    """How high the names in the margins of a board with these points are."""
    return min(LARGEST, LETTERING * float(np.ptp(points[:, :2], axis=0).max()))


def flat_spot(origin: Vector, room: float = 0.5, rise: Vector | None = None) -> Spot:
    """A place on a map."""
    level = np.zeros(2) if rise is None else rise
    return Spot(np.asarray(origin, float), np.array([1.0, 0.0]), np.array([0.0, 1.0]), level, room=room)


def turned_spot(camera: Camera, centre: Vector, normal: Vector, room: float, *, gridded: bool = True) -> Spot:
    """A place on a solid; letters stand upright on walls, and on top they follow the grid or the viewer."""
    level = np.cross(UP, normal)
    if np.linalg.norm(level) > 1e-6:
        across = level / np.linalg.norm(level)
    else:
        across = max(GRID, key=lambda way: round(float(way @ camera.right), 6)) if gridded else camera.right
    down = np.cross(across, normal)
    halfway = HALFWAY @ camera.axes
    facing = camera.facing(normal)
    return Spot(
        origin=camera.on_paper(centre),
        across=camera.on_paper(across),
        down=camera.on_paper(down),
        rise=camera.on_paper(normal),
        shine=np.array([halfway @ across, halfway @ down, halfway @ normal]),
        room=room,
        turned_away=facing <= 0.0,
        lies_flat=False,
    )


@dataclass(frozen=True)
class Patch:
    """A visible part of a cell's surface."""

    points: Points
    light: float | None = 1.0  # how bright it is; None on a round wall, which is brighter in its middle
    folded: bool = False  # whether it begins with the middle of its cell, where a fold or a cut goes through

    def rim(self) -> tuple[Points, bool]:
        """The outline of the cell as far as this part has it, and whether that is closed."""
        return (self.points[1:], False) if self.folded else (self.points, True)


@dataclass(frozen=True)
class Area:
    """A part of the picture that is no cell: the sides of a slab, a light square, the bar of a side."""

    points: Points
    role: str  # its colour in the theme
    light: float = 1.0
    outlined: bool = False


@dataclass(frozen=True)
class Label:
    """A name in the margin, `height` units high."""

    text: str
    spot: Spot
    height: float
    role: str = "faint"

    def corners(self) -> Points:
        """What the letters fill."""
        wide, high = width_of(self.text) * self.height / CAPITAL / 2, self.height * 0.7
        return np.array([self.spot.at(0, x, y) for x in (-wide, wide) for y in (-high, high)])


@dataclass(frozen=True)
class Scene:
    """All of a view; cells that are not in sight have no patches and no spots."""

    patches: Mapping[int, Sequence[Patch]]
    spots: Mapping[int, Sequence[Spot]]
    under: Sequence[Area] = ()  # lies beneath the cells
    edges: Sequence[Points] = ()  # strong lines: the edges of a solid
    labels: Sequence[Label] = ()
    named: Sequence[int] = ()  # cells that bear their names wherever there are coordinates
    folds: Sequence[Points] = ()  # fine dashed lines
    shadow: Points | None = None  # of the solid on the ground
    wall: tuple[float, float, Camera] | None = None  # a round wall from left to right, seen so
    unit: float = 1.0  # pixels a unit

    def points(self, heights: Mapping[int, float]) -> Iterator[Points]:
        """Everything that must be inside the frame, with stacks of these heights on the cells."""
        for patches in self.patches.values():
            yield from (patch.points for patch in patches)
        yield from (area.points for area in self.under)
        yield from (label.corners() for label in self.labels)
        for cell, spots in self.spots.items():
            yield from (spot.reach(heights.get(cell, 0.0)) for spot in spots)

    def bounds(self, heights: Mapping[int, float]) -> Bounds:
        """The upper left and the lower right corner, with stacks of these heights on the cells."""
        everything = np.concatenate(list(self.points(heights)))
        return everything.min(axis=0), everything.max(axis=0)

    def zoomed(self, zoom: float, corner: Vector) -> Scene:
        """The scene on a larger sheet whose upper left corner was at `corner`."""

        def moved(points: Points) -> Points:
            return (points - corner) * zoom

        return Scene(
            patches={
                cell: [replace(patch, points=moved(patch.points)) for patch in patches]
                for cell, patches in self.patches.items()
            },
            spots={cell: [spot.zoomed(zoom, corner) for spot in spots] for cell, spots in self.spots.items()},
            under=[replace(area, points=moved(area.points)) for area in self.under],
            edges=[moved(edge) for edge in self.edges],
            labels=[replace(label, spot=label.spot.zoomed(zoom, corner)) for label in self.labels],
            named=self.named,
            folds=[moved(fold) for fold in self.folds],
            shadow=None if self.shadow is None else moved(self.shadow),
            wall=None
            if self.wall is None
            else ((self.wall[0] - corner[0]) * zoom, (self.wall[1] - corner[0]) * zoom, self.wall[2]),
            unit=self.unit * zoom,
        )


@dataclass(frozen=True)
class Sheet:
    """One picture's size and scene, and the width of its fine lines."""

    width: int
    height: int
    scene: Scene
    line: float
    margin: float
    foot: float  # where the caption begins


def fitted(scene: Scene, frame: Bounds, size: int, foot: float) -> Sheet:
    """What lies in the frame, as large as a picture with this longer side allows, with a foot below."""
    low, high = frame
    wide, tall = high - low
    margin = MARGIN * size
    zoom = float(min((size - 2 * margin) / wide, (size - 2 * margin - foot) / tall))
    width, height = round(wide * zoom + 2 * margin), round(tall * zoom + 2 * margin + foot)
    width, height = (size, height) if width >= height else (width, size)
    corner = low - np.array([(width / zoom - wide) / 2, margin / zoom])
    line = min(max(FINE * zoom, FINEST), BROADEST * size)
    return Sheet(width, height, scene.zoomed(zoom, corner), line, margin, height - foot - margin * 0.55)
