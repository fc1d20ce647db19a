from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.support.command_runner import call_ropewalk, run_ropewalk
from tests.support.pictures import list_values, parse_svg


def test_a_picture_without_a_file_is_printed() -> None:
    result = call_ropewalk("diagram", "tether-5", "c3", "d3")
    assert (result.code, result.err) == (0, "")
    assert list_values(parse_svg(result.out), "data-piece") == ["c3", "d3"]


@pytest.mark.parametrize("ending", ["svg", "png", "gif", "PNG"])
def test_the_ending_says_the_format(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"board.{ending}"
    result = call_ropewalk("diagram", "tether-5", "c3", "-o", str(path), "--size", "128")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{path}: {path.stat().st_size:,} bytes\n"
    if ending == "svg":
        assert parse_svg(path.read_text()).attrib["width"] == "128"
    else:
        with Image.open(path) as image:
            assert (image.format, max(image.size)) == (ending.upper(), 128)
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "nothing else is left behind"


def test_options_reach_the_picture(tmp_path: Path) -> None:
    plain = call_ropewalk("diagram", "cube-lariat-2", "Ua1").out
    for options in (
        ["--view", "solid"], ["--theme", "dark"], ["--coordinates", "all"], ["--last-move"], ["--numbers"],
        ["--mark", "Fa1=circle"], ["--heat", "Fa1=0.5"], ["--no-caption"], ["--numbers-from", "1"], ["--size", "300"],
    ):  # fmt: skip
        result = call_ropewalk("diagram", "cube-lariat-2", "Ua1", *options)
        assert (result.code, result.err) == (0, "")
        assert result.out != plain, options
    turned = [
        call_ropewalk("diagram", "lariat-1x2", "--view", "solid", "--yaw", turn, "--pitch", "-5").out
        for turn in ("-20", "40.5")
    ]
    assert turned[0] != turned[1]


def test_a_position_can_be_given_as_text() -> None:
    result = call_ropewalk("diagram", "tether-5", "--position", "5/1r1b1/1r1b1/5/5 red", "--territory")
    assert sorted(list_values(parse_svg(result.out), "data-piece")) == ["b2", "b3", "d2", "d3"]
    piped = call_ropewalk("diagram", "tether-5", "--position", "-", "--territory", typed="5/1r1b1/1r1b1/5/5 red\n")
    assert piped.out == result.out


def test_a_game_is_animated(tmp_path: Path) -> None:
    path = tmp_path / "game.gif"
    options = ["--animate", "--view", "solid", "--spin", "6", "--size", "90", "-o", str(path)]
    result = call_ropewalk("diagram", "lariat-1x2", "b1", "b2", "c1", *options)
    assert (result.code, result.err) == (0, "")
    with Image.open(path) as image:
        assert image.n_frames == 4  # type: ignore[attr-defined]
    assert "<animate" in call_ropewalk("diagram", "lariat-1x2", "b1", "--animate").out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["tether-5", "-o", "x.bmp"], "unknown file type 'x.bmp'; the name must end in .svg, .png or .gif"),
        (["tether-5", "--size", "63"], "'63' is not an integer from 64 to 8000"),
        (["tether-5", "--size", "huge"], "'huge' is not an integer from 64 to 8000"),
        (["tether-5", "--yaw", "400"], "'400' is not a yaw from -360 to 360 degrees"),
        (["lariat", "--view", "solid", "--pitch", "nan"], "'nan' is not a pitch from -90 to 90 degrees"),
        (["tether-5", "--mark", "a1"], "invalid mark 'a1'; expected CELL=SHAPE or CELL=LABEL, such as d4=triangle"),
        (["tether-5", "--mark", "z1=cross"], "unknown cell 'z1'"),
        (["tether-5", "--heat", "a1=2"], "invalid heat 'a1=2'; expected CELL=VALUE"),
        (["tether-5", "--seconds-per-move", "0"], "'0' is not a number of seconds from 0.05 to 60"),
        (["tether-5", "--view", "round"], "unknown view 'round'; allowed are flat, solid, table"),
        (["tether-5", "c3", "c3"], "move 2 (c3): c3 already has a red stone"),
        (["tether-5", "--position", "5/5"], "ropewalk: "),
        (["tether-6"], "size 6 is even"),
        (["tether-5", "--animate", "-o", "x.png"], "a PNG file cannot be animated; use .gif or .svg"),
        (["tether-5", "-o", "no/such/folder/x.svg"], "cannot write 'no/such/folder/x.svg': "),
    ],
)
def test_a_wrong_command_says_what_would_be_right(
    argv: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call_ropewalk("diagram", *argv)
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert "Traceback" not in result.err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_an_old_picture_survives_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "old.svg"
    path.write_text("old")
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); from ropewalk.cli.main import run; run()"
    )
    command = [sys.executable, "-c", limited, "diagram", "tether-5", "-o", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, "Traceback" in result.stderr) == (2, False)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_diagram_from_end_to_end(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    result = run_ropewalk("diagram", "liger-4", "c1-d2", "--view", "table", "-o", str(path), "--size", "100")
    assert (result.code, result.err) == (0, "")
    assert path.read_bytes().startswith(b"\x89PNG")
