from __future__ import annotations

import numpy as np
import pytest

from ropewalk.diagrams.geometry import (
    UP,
    Camera,
    clip,
    clip_to_polygon,
    convex_hull,
    distance_to_sides,
    expand_polygon,
    project_ball,
)
from ropewalk.diagrams.stroke_font import GLYPHS, build_strokes, measure_width, parse_path
from ropewalk.diagrams.svg import format_number, format_sector

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def test_a_camera_from_above_sees_the_board_as_its_map() -> None:
    camera = Camera(yaw=0, pitch=90)
    assert camera.project(np.array([2.0, 3.0, 7.0])) == pytest.approx([2, -3])
    assert camera.compute_facing(UP) == pytest.approx(1)


def test_a_camera_from_the_side_sees_height() -> None:
    camera = Camera(yaw=0, pitch=0)
    assert camera.project(np.array([2.0, 3.0, 7.0])) == pytest.approx([2, -7])
    assert camera.compute_facing(np.array([0.0, -1.0, 0.0])) == pytest.approx(1)


def test_axes_of_any_camera_are_square_to_each_other() -> None:
    axes = Camera(yaw=33, pitch=-21).axes
    assert axes @ axes.T == pytest.approx(np.eye(3))


def test_the_outline_of_a_ball_is_a_circle_from_everywhere() -> None:
    camera = Camera(yaw=33, pitch=21)
    wide, high, _ = project_ball([camera.project(axis) for axis in np.eye(3)])
    assert (wide, high) == pytest.approx((1, 1))


def test_a_disc_seen_from_aside_is_an_ellipse() -> None:
    camera = Camera(yaw=70, pitch=30)
    wide, high, turned = project_ball([camera.project(axis) for axis in np.eye(3)[:2]])
    assert (wide, high) == pytest.approx((1, 0.5))
    assert turned % 180 == pytest.approx(0, abs=1e-6)


def test_polygons_are_widened_clipped_and_cut_to_a_frame() -> None:
    assert expand_polygon(SQUARE, 1.0).tolist() == [[-1, -1], [2, -1], [2, 2], [-1, 2]]
    assert clip(SQUARE, np.array([0.25, 0.0]), np.array([1.0, 0.0]))[:, 0].min() == 0.25
    assert len(clip(SQUARE, np.array([2.0, 0.0]), np.array([1.0, 0.0]))) == 0
    assert clip_to_polygon(expand_polygon(SQUARE, 1.0), SQUARE).min(axis=0).tolist() == [0, 0]
    assert convex_hull(np.array([*SQUARE, (0.5, 0.5)])).tolist() == SQUARE.tolist()
    assert distance_to_sides(np.array([0.5, 0.25]), SQUARE) == 0.25


def test_numbers_are_short_and_never_minus_nothing() -> None:
    assert [format_number(value) for value in (1.0, -0.001, 2.504, 10, 0.126)] == ["1", "0", "2.5", "10", "0.13"]


def test_half_and_quarter_discs_turn_the_right_way() -> None:
    east, north = np.array([1.0, 0.0]), np.array([0.0, -1.0])
    assert format_sector(np.zeros(2), 2.0, east, north) == "M0 0L2 0A2 2 0 0 0 0 -2Z"
    assert format_sector(np.zeros(2), 2.0, north, east) == "M0 0L0 -2A2 2 0 1 0 2 0Z"


def test_every_letter_lies_in_its_box() -> None:
    for letter, (width, path) in GLYPHS.items():
        for command, numbers in parse_path(path):
            across = numbers if command == "H" else [] if command == "V" else numbers[::2]
            assert all(-0.5 <= x <= width + 0.5 for x in across), letter
            down = numbers if command == "V" else [] if command == "H" else numbers[1::2]
            assert all(-7.9 <= y <= 2.4 for y in down), letter


def test_a_text_is_centred() -> None:
    assert build_strokes("H").startswith("M-2.25 0")
    assert measure_width("HH") > 2 * measure_width("H")
