"""`ropewalk arena` as people use it: interrupted, killed, gone on with."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ropewalk.arena.openings import MIN_OPENINGS
from ropewalk.bots.bot_spec import parse_bot_spec
from ropewalk.bots.ugi_client import GRACE_SECONDS, MAX_MOVE_SECONDS

from ..cli.commands import ropewalk
from .engines import GAME, engine, is_running, started

LISTENING = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from ropewalk.cli.main import run; run()"
)


def start(*words: str) -> subprocess.Popen[str]:
    """The command in a process of its own that hears Ctrl-C."""
    command = [sys.executable, "-c", LISTENING, "arena", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_games(path: Path, games: int) -> None:
    """Wait until so many games are in a file."""
    until = time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") <= games:
        assert time.monotonic() < until
        time.sleep(0.02)


def wait_until_gone(pids: list[int]) -> None:
    until = time.monotonic() + 30
    while any(map(is_running, pids)):
        assert time.monotonic() < until
        time.sleep(0.05)


def games_of(path: Path) -> list[tuple[int, ...]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [(*line["pairing"], line["pair"], line["exchanged"]) for line in lines]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL to send")
def test_a_contest_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = [GAME, f"ugi:{engine(tmp_path, 'tire')}@60s", "random", "--games", "20", "-o", str(path)]
    with start(*words, "--workers", "2") as running:
        wait_for_games(path, 6)  # both engines hang after three games each
        refused = ropewalk("arena", *words)
        running.kill()
        running.communicate(timeout=60)
    assert (refused.code, refused.out) == (2, "")
    assert "another arena writes to" in refused.err
    wait_until_gone(started(tmp_path))
    before = path.read_bytes()
    assert len(games_of(path)) == 6
    path.write_bytes(before[:-20])  # as a crash of the whole machine may leave it
    (tmp_path / "coffee").touch()
    done = ropewalk("arena", *words)
    assert done.code == 0
    assert "the last line was cut off" in done.err
    assert len(games_of(path)) == len(set(games_of(path))) == 20
    assert path.read_bytes().startswith(before[: before.rindex(b"\n", 0, -1) + 1])
    assert " 20 " in done.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_leaves_the_file_whole_and_prints_the_table_so_far(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with start(GAME, f"ugi:{engine(tmp_path, 'tire')}@60s", "random", "--games", "40", "-o", str(path)) as running:
        wait_for_games(path, 3)
        time.sleep(0.5)  # the engine hangs by now, which keeps nobody
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.endswith("ropewalk: interrupted after 3 of 40 games; the same command goes on from there\n")
    assert "Traceback" not in err
    assert "pairs by points" in out
    assert path.read_bytes().endswith(b"}\n")
    assert games_of(path) == [(0, 1, 0, False), (0, 1, 0, True), (0, 1, 1, False)]
    wait_until_gone(started(tmp_path))


def test_three_bots_get_two_tables_json_and_a_plot(tmp_path: Path) -> None:
    path, picture = tmp_path / "games.jsonl", tmp_path / "elo.svg"
    words = ["arena", GAME, "random", "greedy@9", "random", "--ladder", "--games", "4", "-o", str(path)]
    done = ropewalk(*words, "--plot", str(picture))
    assert (done.code, done.err) == (0, "")
    assert "Lariat, by Mark Steere: lariat-1x2, ladder, openings of" in done.out
    assert [line.split()[0] for line in done.out.splitlines() if line.startswith(("bot ", "pairing "))] == ["bot", "pairing"]
    assert "random #2" in done.out
    texts = [element.text for element in ElementTree.parse(picture).iter() if element.tag.endswith("text")]
    assert {"random", "greedy@9", "random #2", "Lariat, by Mark Steere (2008)"} <= set(texts)
    found = json.loads(ropewalk(*words, "--json").out)
    assert [(pairing["bots"], pairing["games"]) for pairing in found["pairings"]] == [
        (["random", "greedy@9"], 4),
        (["greedy@9", "random #2"], 4),
    ]
    assert sum(found["pairings"][0]["pairs"]) == 2
    assert found["bots"][0]["elo"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    other = ropewalk(*[word.replace("greedy@9", "greedy@10") for word in words])
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert "has bots random greedy@9 random rather than random greedy@10 random" in other.err


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["tether-5", "random"], "an arena takes 2 to 64 bots, not 1"),
        (["tether-5", "random", "rnadom"], "did you mean random"),
        (["tether-5", "random", "level-9"], "Tether has levels 1 to 8, not 9"),
        (["tether-5", "random", "random", "--games", "5"], "5 is odd: every opening is played twice"),
        (["tether-5", "random", "random", "--games", "0"], "is not a whole number from 2 to"),
        (["tether-5", "random", "random", "--ladder", "--gauntlet"], "--ladder and --gauntlet cannot both be"),
        (["tether-5", "random", "random", "--plot", "/no/such/folder/elo.svg"], "is no file that can be written"),
        (["tether-5", "random", "random", "-o", "/no/such/folder/games"], "cannot write to /no/such/folder/games"),
        (["tether-3", "random", "random", "--opening-plies", "20"], "choose fewer with --opening-plies"),
    ],
)
def test_wrong_words_get_one_line(words: list[str], wrong: str) -> None:
    done = ropewalk("arena", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert wrong in done.err


def test_the_help_has_the_numbers_that_hold() -> None:
    said = import_module("ropewalk.cli.arena").DESCRIPTION
    assert (
        f"takes {GRACE_SECONDS:g} seconds longer than its limit ({MAX_MOVE_SECONDS:g} seconds where visits are the limit)"
        in said
    )
    assert f"played in {MIN_OPENINGS} ways" in " ".join(ropewalk("arena", "--help").out.split())


def test_the_examples_name_bots() -> None:
    lines = [shlex.split(line)[3:] for line, _ in import_module("ropewalk.cli.arena").EXAMPLES]
    assert all(parse_bot_spec(word) for line in lines for word in line[:2])
