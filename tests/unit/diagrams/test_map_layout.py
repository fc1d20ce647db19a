"""The layout of a flat map as plain data: complete, inside its box, and the same as the diagrams show."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

import ropewalk
from ropewalk.diagrams import DiagramOptions
from ropewalk.diagrams.geometry import distance_to_sides
from ropewalk.diagrams.map_layout import MapCell, MapLayout, Point, Polygon, build_map_layout
from tests.support.pictures import BOARDS, build_diagram, build_midgame

every_board = pytest.mark.parametrize("spec", [*BOARDS, "lariat-1x1", "cube-lariat-8", "tether-3"])


def layout_of(spec: str) -> MapLayout:
    return build_map_layout(ropewalk.game(spec))


def find_cell(layout: MapLayout, name: str) -> MapCell:
    return next(cell for cell in layout.cells if cell.name == name)


def is_inside(point: Point, polygon: Polygon) -> bool:
    """Return whether a point lies in a polygon, by the crossings of a ray."""
    x, y = point
    crossings = 0
    for (x1, y1), (x2, y2) in pairwise([*polygon, polygon[0]]):
        crossings += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossings % 2 == 1


@every_board
def test_every_cell_is_there_once_in_the_order_of_the_board(spec: str) -> None:
    assert [cell.name for cell in layout_of(spec).cells] == list(ropewalk.game(spec).board.names)


@every_board
def test_everything_lies_inside_the_box(spec: str) -> None:
    layout = layout_of(spec)
    box = layout.box
    points = [point for cell in layout.cells for polygon in cell.polygons for point in polygon]
    points += [point for decoration in layout.decorations for point in decoration.polygon]
    points += [point for line in layout.lines for point in line.points]
    points += [(label.centre[0] + side * label.height / 2, label.centre[1]) for label in layout.labels for side in (-1, 1)]
    assert all(box.x < x < box.x + box.width and box.y < y < box.y + box.height for x, y in points)


@every_board
def test_pieces_and_text_fit_into_their_cells(spec: str) -> None:
    for cell in layout_of(spec).cells:
        assert len(cell.placements) == len(cell.polygons)
        for placement, polygon in zip(cell.placements, cell.polygons, strict=True):
            assert is_inside(placement.text_centre, polygon), cell.name
            assert placement.max_radius > 0.05
            if placement.sector is None:
                distance = distance_to_sides(np.array(placement.centre), np.array(polygon))
                assert placement.max_radius <= distance + 1e-3, cell.name
                assert placement.text_centre == placement.centre


@every_board
def test_the_layout_is_plain_data(spec: str) -> None:
    layout = layout_of(spec)
    data = json.loads(json.dumps(layout.as_json()))
    assert len(data["cells"]) == len(layout.cells)
    assert set(data) == {
        "cells", "decorations", "lines", "labels", "box", "stack_offset", "max_stack_offset", "tints_occupied_cells",
        "piece_sizes",
    }  # fmt: skip
    assert set(data["cells"][0]) == {"name", "role", "polygons", "placements", "is_outlined"}
    assert set(data["piece_sizes"]["radii"]) == {"stone", "checker", "disc", "ring"}


@pytest.mark.parametrize("spec", BOARDS)
def test_the_layout_is_that_of_the_diagrams_in_another_scale(spec: str) -> None:
    layout, page = layout_of(spec), build_diagram(build_midgame(spec), DiagramOptions()).page
    scale = page.scene.unit
    corner = page.scene.placements[0][0].origin - scale * np.array(layout.cells[0].placements[0].centre)
    for number, cell in enumerate(layout.cells):
        for placement, drawn in zip(cell.placements, page.scene.placements[number], strict=True):
            assert np.allclose(corner + scale * np.array(placement.centre), drawn.origin, atol=0.02)
    assert [label.text for label in layout.labels if label.kind != "cell"] == [label.text for label in page.scene.labels]
    assert [decoration.role for decoration in layout.decorations] == [area.role for area in page.scene.areas]


def test_only_the_net_of_the_cube_cuts_cells_and_has_lines() -> None:
    for spec in BOARDS:
        layout = layout_of(spec)
        is_cube = spec.startswith("cube")
        assert any(placement.sector for cell in layout.cells for placement in cell.placements) == is_cube
        assert {line.kind for line in layout.lines} == ({"edge", "fold"} if is_cube else set())
    layout = layout_of("cube-lariat-2")
    assert len([line for line in layout.lines if line.kind == "fold"]) == 2 * 5, "each fold is a border of two faces"
    assert len([line for line in layout.lines if line.kind == "edge"]) == 6 * 4 - 2 * 5
    assert {label.text for label in layout.labels if label.kind == "watermark"} == set("UDFBLR")


def test_decorations_are_the_sides_of_a_rhombus_and_the_light_squares() -> None:
    assert [item.role for item in layout_of("tether-5").decorations] == ["blue side", "red side", "blue side", "red side"]
    assert [item.role for item in layout_of("liger-4").decorations] == ["light square"] * 8
    assert not layout_of("laocoon").decorations


def test_marked_cells_are_outlined_and_rings_named() -> None:
    layout = layout_of("lariat-1x6")
    board = ropewalk.game("lariat-1x6").board
    centre = {board.names[cell] for cell in board.marked_cells["centre"]}
    assert {cell.name for cell in layout.cells if cell.is_outlined} == centre
    assert {cell.name for cell in layout.cells if cell.role == "marked"} == centre
    named = [label for label in layout.labels if label.kind == "cell"]
    assert [label.text for label in named] == [board.names[ring[0]] for ring in board.rows[:-1]]
    assert all(label.centre == find_cell(layout, label.text).placements[0].text_centre for label in named)


def test_only_boards_with_stacks_shift_pieces_by_their_height() -> None:
    stacked = {spec for spec in BOARDS if layout_of(spec).stack_offset != (0.0, 0.0)}
    assert stacked == {spec for spec in BOARDS if spec.startswith(("laocoon", "liger"))}
    assert {spec for spec in BOARDS if layout_of(spec).tints_occupied_cells} == {"lariat-1x6", "lariat-2x10"}
