"""Outlines and flat maps of every kind of board: they have no gaps or overlaps and agree with adjacency."""

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from ropewalk.boards import NO_CELL, Board
from ropewalk.boards.geometry import Points

Step = tuple[int, int]  # from vertex to vertex
Flags = NDArray[np.bool_]


def sides(board: Board) -> dict[Step, int]:
    """Return the cell of each directed side; a cell traverses its sides counter-clockwise."""
    found: dict[Step, int] = {}
    for cell, corners in enumerate(board.shape.cell_vertices):
        for side in zip(corners, corners[1:] + corners[:1], strict=True):
            assert side not in found
            found[side] = cell
    return found


def meetings(board: Board) -> list[list[int]]:
    """Return the cells that meet at each vertex."""
    meeting: list[list[int]] = [[] for _ in board.shape.vertices]
    for cell, corners in enumerate(board.shape.cell_vertices):
        for point in corners:
            meeting[point].append(cell)
    return meeting


def neighbours(board: Board) -> set[tuple[int, int]]:
    return {(a, b) for a, slots in enumerate(board.neighbours.tolist()) for b in slots if b != NO_CELL}


def outward(board: Board, cell: int) -> Points:
    """Return a direction that points away from the surface at a cell."""
    x, y, z = board.centres[cell]
    if board.kind == "cylinder":
        return np.array([x, y, 0.0] if cell >= board.rows[board.size[0] + 1][0] else [0.0, 0.0, 1.0])
    return np.array([x, y, z] if board.kind == "cube" else [0.0, 0.0, 1.0])


def fan(board: Board, cell: int) -> Points:
    """Return the area vectors of the triangles from a cell's centre to its sides."""
    spokes = board.outlines[cell] - board.centres[cell]
    area_vectors: Points = np.cross(spokes, np.roll(spokes, -1, axis=0)) / 2
    return area_vectors


def flattened(outline: Points, direction: Points) -> Points:
    """Project an outline onto the plane perpendicular to a direction, as seen from there."""
    towards = direction / np.linalg.norm(direction)
    right = np.cross([0.3, 0.5, 0.8], towards)
    right /= np.linalg.norm(right)
    return np.column_stack([outline @ right, outline @ np.cross(towards, right)])


def doubled_area(polygon: Points) -> float:
    x, y = polygon.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def inside(polygon: Points, points: Points) -> Flags:
    """Return which points lie inside a polygon (even-odd rule, ray to the right)."""
    crossings = np.zeros(len(points), dtype=int)
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        spans = (start[1] > points[:, 1]) != (end[1] > points[:, 1])
        if spans.any():
            reach = start[0] + (points[:, 1] - start[1]) * (end[0] - start[0]) / (end[1] - start[1] or 1)
            crossings += spans & (points[:, 0] < reach)
    odd: Flags = crossings % 2 == 1
    return odd


def self_crossing(polygon: Points) -> bool:
    """Return whether two non-adjacent sides of a polygon cross."""
    count = len(polygon)
    for first in range(count):
        for second in range(first + 2, count - (first == 0)):
            a, b = polygon[first], polygon[(first + 1) % count]
            c, d = polygon[second], polygon[(second + 1) % count]
            if turn(a, b, c) * turn(a, b, d) < -1e-12 and turn(c, d, a) * turn(c, d, b) < -1e-12:
                return True
    return False


def turn(a: Points, b: Points, c: Points) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def test_no_two_corner_points_lie_in_one_place(board: Board) -> None:
    assert len(np.unique(board.shape.vertices.round(6), axis=0)) == len(board.shape.vertices)


def test_cells_are_neighbours_exactly_when_their_outlines_share_an_edge(edged_board: Board) -> None:
    walked = sides(edged_board)
    shared = {(cell, walked[end, start]) for (start, end), cell in walked.items() if (end, start) in walked}
    assert edged_board.adjacency == "edge"
    assert shared == neighbours(edged_board)


def test_squares_are_neighbours_exactly_when_their_outlines_share_a_corner(square_board: Board) -> None:
    shared = {(a, b) for cells in meetings(square_board) for a in cells for b in cells if a != b}
    assert square_board.adjacency == "corner"
    assert shared == neighbours(square_board)


def test_three_cells_meet_at_every_inner_corner(edged_board: Board) -> None:
    walked = sides(edged_board)
    rim = {point for start, end in walked if (end, start) not in walked for point in (start, end)}
    for point, cells in enumerate(meetings(edged_board)):
        assert len(cells) == 3 or (len(cells) < 3 and point in rim)


def test_a_closed_surface_has_no_rim(edged_board: Board) -> None:
    walked = sides(edged_board)
    has_rim = any((end, start) not in walked for start, end in walked)
    assert has_rim == (edged_board.kind != "cube")


def test_the_slots_follow_the_outline_counter_clockwise(edged_board: Board) -> None:
    walked = sides(edged_board)
    for cell, corners in enumerate(edged_board.shape.cell_vertices):
        across = [walked.get((end, start)) for start, end in zip(corners, corners[1:] + corners[:1], strict=True)]
        passed = [other for other in across if other is not None]
        slots = [other for other in edged_board.neighbours[cell].tolist() if other != NO_CELL]
        start = passed.index(slots[0])
        assert passed[start:] + passed[:start] == slots


def test_outlines_run_counter_clockwise_seen_from_outside(board: Board) -> None:
    for cell in range(len(board)):
        assert fan(board, cell).sum(axis=0) @ outward(board, cell) > 0.05


def test_the_fan_from_the_centre_to_the_outline_faces_outward_everywhere(board: Board) -> None:
    for cell in range(len(board)):
        assert (fan(board, cell) @ outward(board, cell) > 0.005).all()


def test_outlines_do_not_cross_themselves(board: Board) -> None:
    for cell, outline in enumerate(board.outlines):
        assert not self_crossing(flattened(outline, outward(board, cell)))


def test_centres_lie_inside_their_outlines(board: Board) -> None:
    for cell, outline in enumerate(board.outlines):
        direction = outward(board, cell)
        centre = flattened(board.centres[cell : cell + 1], direction)
        assert inside(flattened(outline, direction), centre).all()


def test_cells_of_one_form_are_of_similar_size(board: Board) -> None:
    sizes = defaultdict(list)
    for cell in range(len(board)):
        form = board.degrees[cell] if board.kind == "cube" else 0
        sizes[form].append(np.linalg.norm(fan(board, cell), axis=1).sum())
    for areas in sizes.values():
        assert max(areas) < 2.2 * min(areas)


def test_flat_pieces_run_counter_clockwise_for_the_eye_and_do_not_cross_themselves(board: Board) -> None:
    for pieces in board.flat_outlines:
        for piece in pieces:
            assert doubled_area(piece) < 0
    assert not any(self_crossing(piece) for pieces in board.flat_outlines[:200] for piece in pieces)


def test_flat_pieces_do_not_overlap(board: Board) -> None:
    pieces = [piece for pieces in board.flat_outlines for piece in pieces]
    every = np.concatenate(pieces)
    points = np.random.default_rng(5).uniform(every.min(axis=0), every.max(axis=0), size=(1000, 2))
    covered = sum(inside(piece, points).astype(int) for piece in pieces)
    assert np.max(covered) == 1


def test_the_flat_map_shows_the_whole_board(board: Board) -> None:
    area = -sum(doubled_area(piece) for pieces in board.flat_outlines for piece in pieces) / 2
    side = board.size[0]
    cells = len(board)
    whole = {
        "cylinder": np.pi * (sum(board.size) + 0.5) ** 2,
        "cube": 6 * side**2,
        "rhombus": cells * np.sqrt(3) / 2,
        "squares": cells,
        "dark squares": cells,
    }
    assert area == pytest.approx(whole[board.kind], rel=0.002)


def test_flat_centres_lie_inside_their_cells(board: Board) -> None:
    for cell, pieces in enumerate(board.flat_outlines):
        assert any(inside(piece, board.flat_centres[cell : cell + 1]).all() for piece in pieces)
