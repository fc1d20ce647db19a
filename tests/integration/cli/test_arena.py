"""The command `ropewalk arena`: interrupted, killed and resumed runs, output, errors."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ropewalk.arena.openings import MIN_OPENINGS
from ropewalk.bots.bot_spec import parse_bot_spec
from ropewalk.bots.ugi_client import GRACE_SECONDS, MAX_MOVE_SECONDS
from tests.support.command_runner import call_ropewalk, start_ropewalk
from tests.support.ugi_engines import GAME, engine_command, is_running, list_pids


def wait_for_games(path: Path, games: int) -> None:
    """Wait while the results file has fewer games."""
    deadline = time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") <= games:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 30
    while any(map(is_running, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def read_game_keys(path: Path) -> list[tuple[int, ...]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [(*line["pairing"], line["pair"], line["exchanged"]) for line in lines]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL to send")
def test_a_contest_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = [GAME, f"ugi:{engine_command(tmp_path, 'hang-later')}@60s", "random", "--games", "20", "-o", str(path)]
    with start_ropewalk("arena", *arguments, "--concurrency", "2") as running:
        wait_for_games(path, 6)  # both engines block after three games each
        error = call_ropewalk("arena", *arguments)
        running.kill()
        running.communicate(timeout=60)
    assert (error.code, error.out) == (2, "")
    assert "is in use by another arena" in error.err
    wait_until_gone(list_pids(tmp_path))
    before = path.read_bytes()
    assert len(read_game_keys(path)) == 6
    path.write_bytes(before[:-20])  # as after a crash of the machine
    (tmp_path / "awake").touch()
    result = call_ropewalk("arena", *arguments)
    assert result.code == 0
    assert "the last line was incomplete" in result.err
    assert len(read_game_keys(path)) == len(set(read_game_keys(path))) == 20
    assert path.read_bytes().startswith(before[: before.rindex(b"\n", 0, -1) + 1])
    assert " 20 " in result.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_leaves_the_file_whole_and_prints_the_table_so_far(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with start_ropewalk(
        "arena", GAME, f"ugi:{engine_command(tmp_path, 'hang-later')}@60s", "random", "--games", "40", "-o", str(path)
    ) as running:
        wait_for_games(path, 3)
        time.sleep(0.5)  # the engine is blocked by now
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.endswith("ropewalk: interrupted after 3 of 40 games; run the same command to resume\n")
    assert "Traceback" not in err
    assert "pairs by points" in out
    assert path.read_bytes().endswith(b"}\n")
    assert read_game_keys(path) == [(0, 1, 0, False), (0, 1, 0, True), (0, 1, 1, False)]
    wait_until_gone(list_pids(tmp_path))


def test_three_bots_get_two_tables_json_and_a_plot(tmp_path: Path) -> None:
    path, picture = tmp_path / "games.jsonl", tmp_path / "elo.svg"
    arguments = ["arena", GAME, "random", "flat-mc@9", "random", "--format", "ladder", "--games", "4", "-o", str(path)]
    result = call_ropewalk(*arguments, "--elo-plot", str(picture))
    assert (result.code, result.err) == (0, "")
    assert "Lariat, by Mark Steere: lariat-1x2, ladder, openings of" in result.out
    assert [line.split()[0] for line in result.out.splitlines() if line.startswith(("bot ", "pairing "))] == [
        "bot",
        "pairing",
    ]
    assert "random #2" in result.out
    texts = [element.text for element in ElementTree.parse(picture).iter() if element.tag.endswith("text")]
    assert {"random", "flat-mc@9", "random #2", "Lariat, by Mark Steere (2008)"} <= set(texts)
    results = json.loads(call_ropewalk(*arguments, "--json").out)
    assert [(pairing["bots"], pairing["games"]) for pairing in results["pairings"]] == [
        (["random", "flat-mc@9"], 4),
        (["flat-mc@9", "random #2"], 4),
    ]
    assert sum(results["pairings"][0]["pairs"]) == 2
    assert results["bots"][0]["elo"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    other = call_ropewalk(*[argument.replace("flat-mc@9", "flat-mc@10") for argument in arguments])
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert "other settings: bots random flat-mc@9 random instead of random flat-mc@10 random" in other.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tether-5", "random"], "expected 2 to 64 bots, not 1"),
        (["tether-5", "random", "rnadom"], "did you mean random"),
        (["tether-5", "random", "level-9"], "invalid level 9; Tether has levels 1 to 8"),
        (["tether-5", "random", "random", "--games", "5"], "5 is odd; the number of games must be even"),
        (["tether-5", "random", "random", "--games", "0"], "is not an integer from 2 to"),
        (["tether-5", "random", "random", "--format", "swiss"], "argument --format: invalid choice: 'swiss'"),
        (["tether-5", "random", "random", "--ladder"], "unrecognized arguments: --ladder"),
        (
            ["tether-5", "random", "random", "--elo-plot", "/no/such/folder/elo.svg"],
            "it must be a file in an existing folder",
        ),
        (["tether-5", "random", "random", "-o", "/no/such/folder/games"], "cannot write to /no/such/folder/games"),
        (["tether-3", "random", "random", "--opening-plies", "20"], "use a smaller --opening-plies"),
    ],
)
def test_wrong_words_get_one_line(arguments: list[str], message: str) -> None:
    result = call_ropewalk("arena", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert message in result.err


def test_the_help_has_the_numbers_that_hold() -> None:
    description = import_module("ropewalk.cli.commands.arena").DESCRIPTION
    assert (
        f"takes {GRACE_SECONDS:g} seconds longer than its limit ({MAX_MOVE_SECONDS:g} seconds where visits are the limit)"
        in description
    )
    assert f"played in {MIN_OPENINGS} ways" in " ".join(call_ropewalk("arena", "--help").out.split())


def test_the_examples_name_bots() -> None:
    lines = [shlex.split(line)[3:] for line, _ in import_module("ropewalk.cli.commands.arena").EXAMPLES]
    assert all(parse_bot_spec(text) for line in lines for text in line[:2])
