from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import ropewalk
from ropewalk.diagrams import DiagramOptions, draw
from ropewalk.diagrams.geometry import Camera
from ropewalk.diagrams.themes import THEMES
from tests.support.pictures import (
    EVERY_VIEW,
    SVG,
    build_diagram,
    build_midgame,
    find_layer,
    list_corners,
    list_values,
    list_views,
    parse_svg,
    play_random_moves,
    play_to_end,
)

every_view = pytest.mark.parametrize(("spec", "view"), EVERY_VIEW)
every_theme = pytest.mark.parametrize("theme", THEMES)


@every_view
@every_theme
def test_a_picture_is_xml_without_broken_numbers_and_without_fonts(spec: str, view: str, theme: str) -> None:
    svg = draw(build_midgame(spec), DiagramOptions(view=view, theme=theme))
    picture = parse_svg(svg)
    assert picture.tag == f"{SVG}svg"
    assert not re.search(r"\b(nan|inf|none\))", svg, re.IGNORECASE)
    assert not picture.findall(f".//{SVG}text")
    references = set(re.findall(r"url\(#(\w+)\)", svg))
    assert references <= set(list_values(picture, "id"))


@every_view
def test_a_picture_names_game_designer_and_position(spec: str, view: str) -> None:
    position = build_midgame(spec)
    picture = parse_svg(draw(position, DiagramOptions(view=view)))
    title, description = picture.findtext(f"{SVG}title"), picture.findtext(f"{SVG}desc")
    assert title == f"{position.game.name}, by {position.game.designer} ({position.game.year})"
    assert description is not None
    assert spec in description
    assert str(position) in description
    assert set(picture.attrib["aria-labelledby"].split()) <= set(list_values(picture, "id"))


@every_view
def test_every_cell_and_every_piece_in_sight_is_drawn(spec: str, view: str) -> None:
    position = build_midgame(spec)
    pictures = [parse_svg(draw(position, DiagramOptions(view=view)))]
    if view == "solid":  # all round, from above and from below
        pictures = [
            parse_svg(draw(position, DiagramOptions(view=view, yaw=turn, pitch=tilt)))
            for turn in (20, 110, 200, 290)
            for tilt in (30, -30)
        ]
    cells = {name for picture in pictures for name in list_values(picture, "data-cell")}
    pieces = {name for picture in pictures for name in list_values(picture, "data-piece")}
    assert cells == set(position.game.board.names)
    assert pieces == set(position.contents)


@pytest.mark.parametrize("turn", [10, 95, 190, 300])
def test_the_half_of_a_wall_that_looks_away_is_hidden(turn: int) -> None:
    board, camera = build_midgame("lariat-2x10").game.board, Camera(turn, 0)
    seen = set(
        list_values(
            parse_svg(draw(build_midgame("lariat-2x10"), DiagramOptions(view="solid", yaw=turn, pitch=0))), "data-cell"
        )
    )
    for ring in board.rows:
        for cell in ring:
            facing = camera.compute_facing(board.centres[cell] * [1, 1, 0]) / (board.size[0] + 0.5)
            on_wall = len(ring) == 12 and board.centres[cell, 2] < 0
            if not on_wall or abs(facing) > 0.3:  # the horizon goes through the others
                assert (board.names[cell] in seen) == (on_wall and facing > 0), board.names[cell]


@pytest.mark.parametrize(
    ("turn", "tilt", "faces"),
    [
        (-32, 27, "UFR"),
        (32, 27, "UFL"),
        (150, 27, "UBL"),
        (-32, -27, "DFR"),
        (0, 0, "F"),
        (0, 90, "U"),
        (90, 0, "L"),
        (0, 30, "UF"),
    ],
)
def test_one_to_three_faces_of_a_cube_are_seen(turn: int, tilt: int, faces: str) -> None:
    position = build_midgame("cube-lariat-2")
    cells = list_values(parse_svg(draw(position, DiagramOptions(view="solid", yaw=turn, pitch=tilt))), "data-cell")
    octagons = [name for name in cells if position.game.board.degrees[position.game.board.index[name]] == 8]
    assert {name[0] for name in octagons} == set(faces)


@every_view
@pytest.mark.parametrize("coordinates", ["edge", "all"])
def test_cells_pieces_and_names_lie_inside_the_frame(spec: str, view: str, coordinates: str) -> None:
    created = build_diagram(build_midgame(spec), DiagramOptions(view=view, coordinates=coordinates))
    picture = parse_svg(created.to_svg())
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for element in picture.iter():
        if "data-cell" in element.attrib:
            assert all(0 < x < width and 0 < y < height for x, y in list_corners(element.attrib["d"]))
    for round_ in (element for group in find_layer(picture, "pieces") for element in group if "cx" in element.attrib):
        x, y = float(round_.attrib["cx"]), float(round_.attrib["cy"])
        reach = float(round_.get("r") or round_.get("rx") or 0) * 0.6
        assert reach < x < width - reach
        assert reach < y < height - reach
    for label in created.page.scene.labels:
        assert (label.list_corners() > 0).all()
        assert (label.list_corners() < np.array([width, height])).all()


@every_view
def test_names_in_the_margins_keep_clear_of_cells_and_of_each_other(spec: str, view: str) -> None:
    created = build_diagram(build_midgame(spec), DiagramOptions(view=view))
    labels = [label for label in created.page.scene.labels if label.role == "faint"]
    assert labels
    boxes = [(label.list_corners().min(axis=0), label.list_corners().max(axis=0)) for label in labels]
    centres = [spot.origin for spots in created.page.scene.placements.values() for spot in spots]
    for number, (low, high) in enumerate(boxes):
        assert not any(((low < centre) & (centre < high)).all() for centre in centres)
        for other_low, other_high in boxes[:number]:
            overlap = np.minimum(high, other_high) - np.maximum(low, other_low)
            assert (overlap < 0.35 * (high - low)).any()


@pytest.mark.parametrize(("spec", "view"), EVERY_VIEW)
@pytest.mark.parametrize("size", [64, 301, 1200])
def test_the_longer_side_is_as_asked(spec: str, view: str, size: int) -> None:
    picture = parse_svg(draw(build_midgame(spec), DiagramOptions(view=view, size=size)))
    assert max(int(picture.attrib["width"]), int(picture.attrib["height"])) == size


@every_view
def test_start_and_end_are_drawn_too(spec: str, view: str) -> None:
    start = ropewalk.game(spec).start()
    assert "to move" in (parse_svg(draw(start, DiagramOptions(view=view))).findtext(f"{SVG}desc") or "")
    if spec not in ("laocoon-weave", "liger-8"):  # their random games are long
        over = play_to_end(spec)
        assert "wins" in (parse_svg(draw(over, DiagramOptions(view=view, witness=True))).findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize("spec", ["lariat-6x24", "lariat-1x1", "cube-lariat-8", "tether-19", "tether-3", "liger-10"])
def test_the_largest_and_smallest_boards_are_drawn(spec: str) -> None:
    position = play_random_moves(spec, 3)[0]
    for view in list_views(spec):
        picture = parse_svg(draw(position, DiagramOptions(view=view)))
        assert set(list_values(picture, "data-cell")) <= set(position.game.board.names)
        assert list_values(picture, "data-piece") or view == "solid"


@pytest.mark.parametrize("tilt", [-90, -45, 0, 45, 90])
@pytest.mark.parametrize("turn", [-360, -90, 0, 45, 360])
@pytest.mark.parametrize("spec", ["lariat-1x6", "cube-lariat-2"])
def test_a_solid_can_be_seen_from_anywhere(spec: str, turn: int, tilt: int) -> None:
    svg = draw(build_midgame(spec), DiagramOptions(view="solid", yaw=turn, pitch=tilt))
    assert "nan" not in svg
    assert parse_svg(svg).attrib["width"]


def test_a_whole_turn_changes_nothing() -> None:
    style = DiagramOptions(view="solid", yaw=0)
    assert draw(build_midgame("cube-lariat-2"), style) == draw(build_midgame("cube-lariat-2"), replace(style, yaw=360))
