from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

import ropewalk
from ropewalk.diagrams import AnimationTiming, DiagramError, DiagramOptions, animate_gif, animate_svg, draw, render_png
from ropewalk.diagrams.raster import MAX_FRAMES, iter_frames, read_png_size
from tests.support.pictures import EVERY_VIEW, SVG, build_midgame, list_values, parse_svg, play_random_moves

MOVES = ("c3", "d3", "b2", "d4")


def opened(image: bytes) -> Image.Image:
    return Image.open(io.BytesIO(image))


@pytest.mark.parametrize(("spec", "view"), EVERY_VIEW)
def test_a_png_has_the_size_asked_for(spec: str, view: str) -> None:
    svg = draw(build_midgame(spec), DiagramOptions(view=view, size=240))
    picture = parse_svg(svg)
    image = render_png(svg)
    assert read_png_size(image) == (int(picture.attrib["width"]), int(picture.attrib["height"]))
    assert max(read_png_size(image)) == 240
    assert opened(image).size == read_png_size(image)


def test_letters_are_drawn_without_any_font() -> None:
    style = DiagramOptions(theme="print", size=400)
    start = ropewalk.game("tether-5").start()
    plain, captioned = (
        opened(render_png(draw(start, DiagramOptions(theme="print", size=400, caption=caption))))
        for caption in (False, True)
    )
    assert plain.width == captioned.width == style.size
    foot = captioned.convert("L").crop((0, plain.height, captioned.width, captioned.height))
    assert min(foot.tobytes()) < 60, "the caption is written in black"


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_a_print_is_grey_and_the_others_are_not(theme: str) -> None:
    image = opened(render_png(draw(build_midgame("laocoon-weave"), DiagramOptions(theme=theme, size=300)))).convert("RGB")
    colours = image.getcolors(300 * 400)
    assert colours is not None
    hues = [colour for _, colour in colours if isinstance(colour, tuple) and max(colour) - min(colour) > 2]
    assert bool(hues) == (theme != "print")


def test_a_gif_has_a_frame_a_move_and_stays_longer_at_the_end() -> None:
    start = ropewalk.game("tether-5").start()
    image = opened(animate_gif(start, MOVES, DiagramOptions(size=200), AnimationTiming(seconds_per_move=0.5)))
    durations = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert durations == [500, 500, 500, 500, 1500]
    assert max(image.size) == 200
    assert image.info["loop"] == 0


def test_only_the_last_frame_of_a_finished_game_shows_the_deciding_cells() -> None:
    position, moves = ropewalk.game("tether-3").start(), list[str]()
    while position.seat is not None:
        moves.append(position.moves()[0])
        position = position.play(moves[-1])
    for played in (moves, moves[:-1]):
        drawn = list(iter_frames(ropewalk.game("tether-3").start(), played, DiagramOptions(size=64), AnimationTiming()))
        is_over = played == moves
        assert [bool(drawing.find_witness()) for drawing in drawn] == [False] * len(moves) + [is_over] * is_over
    assert animate_gif(ropewalk.game("tether-3").start(), moves, DiagramOptions(size=64)).startswith(b"GIF89a")


def test_a_solid_can_spin_and_all_frames_are_of_one_size() -> None:
    start, moves = ropewalk.game("cube-lariat-2").start(), play_random_moves("cube-lariat-2", 5)[1]
    turned = list(iter_frames(start, moves, DiagramOptions(view="solid", size=200), AnimationTiming(degrees_per_move=10)))
    assert len({(drawing.page.width, drawing.page.height, drawing.page.scene.unit) for drawing in turned}) == 1
    assert len({tuple(drawing.compute_bounds([drawing.position])[1].tolist()) for drawing in turned}) > 1, (
        "alone, they would differ"
    )
    assert [drawing.options.yaw for drawing in turned[1:]] == [338.0, 348.0, 358.0, 8.0, 18.0]
    image = opened(animate_gif(start, moves, DiagramOptions(view="solid", size=200), AnimationTiming(degrees_per_move=10)))
    assert sum(1 for _ in ImageSequence.Iterator(image)) == 6


def test_growing_stacks_do_not_change_the_size_of_frames() -> None:
    _, moves = play_random_moves("liger-4", 5)
    drawn = list(
        iter_frames(ropewalk.game("liger-4").start(), moves, DiagramOptions(view="table", size=200), AnimationTiming())
    )
    assert len({(drawing.page.width, drawing.page.height) for drawing in drawn}) == 1


def test_progress_is_reported() -> None:
    told: list[tuple[int, int]] = []
    animate_gif(
        ropewalk.game("tether-5").start(), MOVES[:2], DiagramOptions(size=64), report=lambda *done: told.append(done)
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_moving_svg_draws_the_board_once() -> None:
    svg = animate_svg(ropewalk.game("tether-5").start(), MOVES, DiagramOptions(), AnimationTiming(seconds_per_move=1))
    picture = parse_svg(svg)
    assert len(list_values(picture, "data-cell")) == 25
    groups = [group for group in picture if group.get("data-layer") == "pieces"]
    assert [len([piece for piece in group if "data-piece" in piece.attrib]) for group in groups] == [1, 2, 3, 4]
    clocks = [group.find(f"{SVG}animate") for group in groups]
    assert [clock.attrib["keyTimes"] for clock in clocks if clock is not None] == [
        "0;0.142857;0.285714", "0;0.285714;0.428571", "0;0.428571;0.571429", "0;0.571429",
    ]  # fmt: skip


def test_animations_have_limits() -> None:
    with pytest.raises(DiagramError, match="the flat view cannot spin"):
        animate_svg(ropewalk.game("tether-5").start(), MOVES, DiagramOptions(), AnimationTiming(degrees_per_move=5))
    dance = ["c3=b4", "a3-b4", "c3-d4", "b4=c3", "d4-c3", "b4-a3"]
    liger = ropewalk.game("liger-4x2-norepetition").position("2/b,rbr/2/2 red")
    with pytest.raises(DiagramError, match=f"an animation may have at most {MAX_FRAMES} frames; this game has 721"):
        animate_svg(liger, 120 * dance)


def test_the_same_position_is_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib, ropewalk; from ropewalk.diagrams import DiagramOptions, draw, render_png\n"
        "start = ropewalk.game('tether-5').start()\n"
        f"svg = draw(start, DiagramOptions(numbers_from=1, territory=True, marks={{'e5': 'A'}}), {MOVES!r})\n"
        "print(hashlib.sha256(svg.encode() + render_png(svg)).hexdigest())"
    )
    start = ropewalk.game("tether-5").start()
    svg = draw(start, DiagramOptions(numbers_from=1, territory=True, marks={"e5": "A"}), MOVES)
    ours = hashlib.sha256(svg.encode() + render_png(svg)).hexdigest()
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.strip() == ours


def test_gifs_are_the_same_bytes_too() -> None:
    start = ropewalk.game("tether-5").start()
    assert animate_gif(start, MOVES, DiagramOptions(size=120)) == animate_gif(start, MOVES, DiagramOptions(size=120))


def test_the_picture_of_the_readme_is_drawn_by_the_program() -> None:
    root = Path(__file__).resolve().parents[3]
    space: dict[str, object] = {"__name__": "picture", "__file__": str(root / "docs" / "picture.py")}
    exec((root / "docs" / "picture.py").read_text(encoding="utf-8"), space)
    assert (root / "docs" / "picture.svg").read_text(encoding="utf-8") == space["picture"]()  # type: ignore[operator]
