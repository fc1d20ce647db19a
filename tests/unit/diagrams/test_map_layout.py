"""The layout of a flat map as plain data: complete, inside its box, and the same as the diagrams show."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest

import ropewalk
from ropewalk.diagrams import DiagramOptions
from ropewalk.diagrams.geometry import distance_to_sides
from ropewalk.diagrams.looks import find_look
from ropewalk.diagrams.map_layout import MapCell, MapLayout, Point, Polygon, build_map_layout
from tests.support.pictures import BOARDS, build_diagram, build_midgame

every_board = pytest.mark.parametrize("spec", [*BOARDS, "lariat-1x1", "cube-lariat-8", "tether-3"])


def layout_of(spec: str) -> MapLayout:
    return build_map_layout(ropewalk.game(spec))


def find_cell(spec: str, name: str) -> MapCell:
    return layout_of(spec).cells[ropewalk.game(spec).board.cell(name)]


def is_inside(point: Point, polygon: Polygon) -> bool:
    """Return whether a point lies in a polygon, by the crossings of a ray."""
    x, y = point
    crossings = 0
    for (x1, y1), (x2, y2) in pairwise([*polygon, polygon[0]]):
        crossings += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossings % 2 == 1


@every_board
def test_every_cell_is_there_once_in_the_order_of_the_board(spec: str) -> None:
    layout, board = layout_of(spec), ropewalk.game(spec).board
    scene = find_look(ropewalk.game(spec)).build_map(board, "edge")
    assert len(layout.cells) == len(board)
    for number, cell in enumerate(layout.cells):
        assert np.allclose(cell.placements[0].centre, scene.placements[number][0].origin, atol=1e-3), board.names[number]


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
def test_the_inner_box_lies_inside_the_box_and_contains_the_cells(spec: str) -> None:
    layout = layout_of(spec)
    box, inner = layout.box, layout.inner_box
    assert box.x <= inner.x < inner.x + inner.width <= box.x + box.width + 2e-3
    assert box.y <= inner.y < inner.y + inner.height <= box.y + box.height + 2e-3
    points = [point for cell in layout.cells for polygon in cell.polygons for point in polygon]
    assert all(inner.x < x < inner.x + inner.width and inner.y < y < inner.y + inner.height for x, y in points)


@every_board
def test_pieces_and_text_fit_into_their_cells(spec: str) -> None:
    for name, cell in zip(ropewalk.game(spec).board.names, layout_of(spec).cells, strict=True):
        assert len(cell.placements) == len(cell.polygons)
        for placement, polygon in zip(cell.placements, cell.polygons, strict=True):
            assert placement.max_radius > 0.05
            if placement.sector is None:
                assert is_inside(placement.centre, polygon), name
                distance = distance_to_sides(np.array(placement.centre), np.array(polygon))
                assert placement.max_radius <= distance + 2e-3, name
            else:
                assert is_inside(placement.sector.middle, polygon), name
                assert np.hypot(*placement.sector.start) == pytest.approx(1, abs=2e-3)


@every_board
def test_the_layout_is_plain_data(spec: str) -> None:
    layout = layout_of(spec)
    data = json.loads(json.dumps(asdict(layout)))
    assert len(data["cells"]) == len(layout.cells)
    assert set(data) == {
        "cells", "outlined_cells", "decorations", "lines", "labels", "box", "inner_box", "stack_offset",
        "max_stack_offset", "tints_occupied_cells", "piece_sizes",
    }  # fmt: skip
    assert set(data["cells"][0]) == {"polygons", "placements"}
    assert {"stone", "checker", "disc", "ring"} < set(data["piece_sizes"])


@pytest.mark.parametrize("spec", BOARDS)
def test_the_layout_is_that_of_the_diagrams_in_another_scale(spec: str) -> None:
    layout, page = layout_of(spec), build_diagram(build_midgame(spec), DiagramOptions()).page
    scale = page.scene.unit
    corner = page.scene.placements[0][0].origin - scale * np.array(layout.cells[0].placements[0].centre)
    for number, cell in enumerate(layout.cells):
        for placement, drawn in zip(cell.placements, page.scene.placements[number], strict=True):
            assert np.allclose(corner + scale * np.array(placement.centre), drawn.origin, atol=0.1)
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
    assert set(layout.outlined_cells) == centre
    named = [label for label in layout.labels if label.kind == "cell"]
    assert [label.text for label in named] == [board.names[ring[0]] for ring in board.rows[:-1]]
    assert all(label.centre == find_cell("lariat-1x6", label.text).placements[0].centre for label in named)


def test_only_boards_with_stacks_shift_pieces_by_their_height() -> None:
    stacked = {spec for spec in BOARDS if layout_of(spec).stack_offset != (0.0, 0.0)}
    assert stacked == {spec for spec in BOARDS if spec.startswith(("laocoon", "liger"))}
    assert {spec for spec in BOARDS if layout_of(spec).tints_occupied_cells} == {"lariat-1x6", "lariat-2x10"}
