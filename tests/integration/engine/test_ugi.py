"""The command `ropewalk ugi`: the UGI protocol over standard input and output."""

from __future__ import annotations

import json
import random
import re
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

import ropewalk
from ropewalk.bots.bot import Limit
from ropewalk.bots.ugi_client import parse_info
from ropewalk.engine.ugi import format_wdl
from ropewalk.engine.ugi_commands import UNLIMITED_VISITS, GoCommand, UgiError, parse_limit
from tests.support.command_runner import call_ropewalk as command
from tests.support.engine_process import EngineProcess, exit_after_broken_pipe

TETHER = ropewalk.game("tether-5")
EXAMPLE = Path(__file__).parents[3] / "examples" / "one_ply.py"
INFO = re.compile(r"info depth \d+ score wdl \d+ \d+ \d+ (proven|table|estimate) nodes \d+ nps \d+ time \d+ pv( \w+)+")
MAX_DELAY_SECONDS = 5.0  # on an idle machine it is a hundredth of a second


@pytest.fixture(scope="module")
def engine_process() -> Iterator[EngineProcess]:
    with EngineProcess("ugi", "tether-5", "--level", "4") as engine:
        yield engine


@pytest.fixture
def engine(engine_process: EngineProcess) -> EngineProcess:
    engine_process.send("stop", "uginewgame", "isready")
    engine_process.read_until("readyok")
    return engine_process


def send_queries(engine: EngineProcess, *names: str) -> list[str]:
    engine.send(*(f"query {name}" for name in names))
    return [engine.read_line().removeprefix("response ") for _ in names]


def test_it_introduces_itself(engine: EngineProcess) -> None:
    engine.send("ugi")
    lines = engine.read_until("ugiok")
    assert lines[:2] == [f"id name Ropewalk {ropewalk.__version__}, level 4", "id author The Ropewalk authors"]
    assert "option name Level type spin default 4 min 1 max 8" in lines
    assert all(line.startswith("option name ") for line in lines[2:-1])


def test_it_thinks_and_plays_a_legal_step(engine: EngineProcess) -> None:
    engine.send("position startpos moves c3", "go nodes 300")
    *infos, best = engine.read_until("bestmove")
    assert best.split()[1] in TETHER.start().play("c3").moves()
    assert len(best.split()) == 2
    assert all(INFO.fullmatch(line) for line in infos)
    assert " nodes 300 " in infos[-1]
    value, nodes = parse_info(infos)
    assert 0 < value < 1
    assert nodes == 300


@pytest.mark.parametrize("order", ["go", "go movetime 30", "go p1time 1000 p2time 1000 p1inc 10 p2inc 10", "go depth 4"])
def test_every_limit_leads_to_a_move(engine: EngineProcess, order: str) -> None:
    engine.send("position startpos", order)
    assert engine.read_until("bestmove")[-1].split()[1] in TETHER.start().moves()


def test_a_depth_ends_the_search_when_the_best_line_is_as_long(engine: EngineProcess) -> None:
    engine.send("setoption name Level value 7", "isready")
    engine.read_until("readyok")
    engine.send("position startpos", "go depth 1")
    lines = engine.read_until("bestmove")
    engine.send("setoption name Level value 4", "isready")
    engine.read_until("readyok")
    assert int(lines[-2].split()[2]) >= 1
    assert parse_info(lines)[1] < 16_000, "the budget of the level"
    engine.send("go depth 0")
    assert engine.read_line() == "info string error: go depth N: expected an integer of at least 1, not 0"


def test_only_the_moves_of_searchmoves_are_searched(engine: EngineProcess) -> None:
    engine.send("setoption name MultiPV value 5", "position startpos moves c3", "go searchmoves b2 a1 nodes 60")
    *infos, best = engine.read_until("bestmove")
    engine.send("setoption name MultiPV value 1")
    first_moves = {line.partition(" pv ")[2].split()[0] for line in infos}
    assert first_moves == {"a1", "b2"}
    assert best.split()[1] in first_moves


def play_first_moves(engine: EngineProcess, games: int) -> list[str]:
    """Return the lines of the first moves of several new games."""
    first_lines = []
    for _ in range(games):
        engine.send("uginewgame", "position startpos", "go nodes 30")
        first_lines.append(engine.read_until("bestmove")[-2].partition(" nps ")[0])
    return first_lines


def test_games_of_different_seeds_differ_and_a_seed_begins_again(engine: EngineProcess) -> None:
    games: dict[int, list[list[str]]] = {}
    for seed in (7, 8, 7):
        engine.send(f"setoption name Seed value {seed}")
        games.setdefault(seed, []).append(play_first_moves(engine, 4))
    assert games[7][0] == games[7][1]
    assert games[7][0][1:] != games[8][0][:3], "game 2 of seed 7 is not game 1 of seed 8"


def test_a_position_can_be_given_by_its_text(engine: EngineProcess) -> None:
    engine.send("position fen 5/5/2r2/5/5 blue moves d3", "go nodes 50")
    assert engine.read_until("bestmove")[-1].split()[1] not in ("c3", "d3")
    assert send_queries(engine, "p1turn") == ["true"]


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ("startpos moves c3 d3 c3", "move 3 (c3): c3 already has a red stone; the position is unchanged"),
        ("startpos moves c3 z9", "move 2 (z9): 'z9' is not a move of Tether"),
        ("fen 5/5/5 red", "the position is unchanged"),
        ("fen", "invalid position command; expected position startpos"),
        ("", "invalid position command; expected position startpos"),
        ("starpos moves c3", "invalid position command; expected position startpos"),
    ],
)
def test_a_wrong_position_changes_nothing(engine: EngineProcess, arguments: str, wrong: str) -> None:
    engine.send("position startpos moves c3", f"position {arguments}")
    line = engine.read_line()
    assert line.startswith("info string error: ")
    assert wrong in line
    assert send_queries(engine, "p1turn", "gameover") == ["false", "false"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("go movetim 5", "did you mean movetime?"),
        ("go nodes", "go nodes N: expected an integer"),
        ("go nodes 0", "the limit of visits must be at least 1, not 0"),
        ("go movetime soon", "go movetime MS: expected an integer of at most 15 digits, not 'soon'"),
        ("go searchmoves", "go searchmoves MOVE ...: expected at least one move"),
        ("go searchmoves c3 z9 nodes 5", "z9 cannot be searched: it is not a legal move of the position"),
        ("go p2time 1000", "missing parameter p1time: player 1 is to move"),
        ("setoption name Level value 9", "option Level must be an integer from 1 to 8, not '9'"),
        ("setoption name Lvel value 3", "did you mean Level?"),
        ("setoption Level 3", "invalid setoption command; expected setoption name NAME value VALUE"),
        ("query winner", "unknown query 'winner'; allowed are gameover, p1turn, result"),
        ("positon startpos", "did you mean position?"),
        (b"\xff\xfe\x00\x1b[31m", "allowed are ugi, isready,"),
        ("x" * (1 << 21), "at most 1048576 bytes are allowed"),
    ],
)
def test_what_it_does_not_understand_it_says_in_one_line(engine: EngineProcess, line: str | bytes, wrong: str) -> None:
    engine.send(line)
    error = engine.read_line()
    assert error.startswith("info string error: ")
    assert wrong in error
    assert error.isprintable()
    engine.send("isready")
    assert engine.read_line() == "readyok"


def test_whatever_is_said_it_goes_on(engine: EngineProcess) -> None:
    rng = random.Random(0)
    words = "position startpos fen moves 5/5/5/5/5 red go nodes movetime infinite p1time query gameover setoption name Level"
    known = [*words.split(), "value", "c3", "d4", "1", "-1", "30", "uginewgame", "isready", "\u20ac", "\x00", "x" * 5000]
    for _ in range(300):
        engine.send(" ".join(rng.choices(known, k=rng.randrange(6))), "stop")
    engine.send("ugi")
    lines = engine.read_until("ugiok")
    assert {line.split()[0] for line in lines} <= {"info", "bestmove", "readyok", "response", "id", "option", "ugiok"}
    engine.send("setoption name Level value 4", "setoption name MultiPV value 1", "setoption name Threads value 1")


def test_empty_lines_are_passed_over(engine: EngineProcess) -> None:
    engine.send("", "   ", "\r", "isready")
    assert engine.read_line() == "readyok"


def test_stop_ends_an_infinite_search_soon(engine: EngineProcess) -> None:
    engine.send("position startpos", "go infinite")
    assert INFO.fullmatch(engine.read_line())
    sent_at = engine.send("stop")
    assert engine.read_until("bestmove")[-1].split()[1] in TETHER.start().moves()
    assert engine.received_at - sent_at < MAX_DELAY_SECONDS


def test_an_infinite_search_of_a_decided_position_waits_for_stop(engine: EngineProcess) -> None:
    engine.send("position fen rb2b/rbb1b/b1rrb/rr1r1/r1rrb red", "go infinite")
    assert " proven " in engine.read_until("info depth")[-1]
    time.sleep(0.3)
    assert engine.has_no_output()
    engine.send("stop")
    assert engine.read_line().startswith("bestmove ")


def test_while_it_thinks_isready_is_answered_and_the_rest_waits(engine: EngineProcess) -> None:
    engine.send("position startpos", "go infinite", "position startpos moves c3", "query p1turn", "isready")
    assert not [line for line in engine.read_until("readyok") if line.startswith(("bestmove", "response"))]
    engine.send("stop")
    engine.read_until("bestmove")
    assert engine.read_line() == "response false"


def test_stop_is_for_all_that_was_asked_before_it_and_nothing_after(engine: EngineProcess) -> None:
    engine.send("go infinite", "go infinite", "stop", "go nodes 40", "stop", "isready")
    assert sum(line.startswith("bestmove") for line in [*engine.read_until("bestmove"), *engine.read_until("bestmove")]) == 2
    engine.read_until("bestmove")
    engine.send("stop", "isready")
    engine.read_until("readyok")


def test_options_take_effect(engine: EngineProcess) -> None:
    engine.send(
        "setoption name multipv value 3", "setoption name Threads value 2", "setoption name Level value 5", "go nodes 400"
    )
    *infos, _ = engine.read_until("bestmove")
    assert [line.split()[3:5] for line in infos[-3:]] == [["multipv", "1"], ["multipv", "2"], ["multipv", "3"]]
    engine.send("setoption name MultiPV value 1", "setoption name Threads value 1", "setoption name Level value 4")


def test_it_remembers_its_thoughts_when_the_game_goes_on(engine: EngineProcess) -> None:
    engine.send("position startpos", "go nodes 3000")
    first, reply = engine.read_until("bestmove")[-2].split(" pv ")[1].split()[:2]
    engine.send(f"position startpos moves {first} {reply}", "go nodes 1")
    assert parse_info(engine.read_until("bestmove"))[1] > 1
    engine.send("uginewgame", f"position startpos moves {first} {reply}", "go nodes 1")
    assert parse_info(engine.read_until("bestmove"))[1] == 1


def test_a_game_by_the_dialogue_of_a_tournament_program(engine: EngineProcess) -> None:
    moves: list[str] = []
    while send_queries(engine, "gameover") == ["false"]:
        assert send_queries(engine, "p1turn", "result") == ["false" if len(moves) % 2 else "true", "none"]
        engine.send("isready", "go p1time 300 p2time 300 p1inc 5 p2inc 5")
        moves.append(engine.read_until("bestmove")[-1].split()[1])
        engine.send(f"position startpos moves {' '.join(moves)}")
    position = TETHER.start()
    for move in moves:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is not None
    assert send_queries(engine, "result", "p1turn") == [f"p{position.outcome.winner + 1}win", "false"]
    engine.send("go")
    assert engine.read_line().startswith("info string error: the game is over: ")
    assert engine.read_line() == "bestmove none"


def test_steps_and_whole_turns_of_laocoon() -> None:
    with EngineProcess("ugi", "laocoon", "--level", "4") as engine:
        engine.send("position startpos moves d4 e6 g2 b8 d4-e5 e6-f6")
        assert send_queries(engine, "p1turn") == ["false"], "black has a disc to place yet"
        engine.send("go nodes 60")
        assert re.fullmatch(r"bestmove /[a-h][1-8]", engine.read_until("bestmove")[-1])
        engine.send("position startpos moves d4 e6 g2 b8 d4-e5 e6-f6/a1")
        assert send_queries(engine, "p1turn") == ["true"]


@pytest.mark.parametrize("level", ["7", "8"])  # alpha-beta, and a net after a proof
def test_other_searches_stop_too(level: str) -> None:
    with EngineProcess("ugi", "liger", "--level", level) as engine:
        engine.send("isready")
        engine.read_until("readyok")
        engine.send("go infinite")
        engine.read_until("info depth 4")
        sent_at = engine.send("stop")
        assert engine.read_until("bestmove")[-1].split()[1] in ropewalk.game("liger").start().moves()
        assert engine.received_at - sent_at < MAX_DELAY_SECONDS


# How it ends


def test_at_the_end_of_input_it_answers_what_was_asked() -> None:
    with EngineProcess("ugi", "tether-5") as engine:
        engine.send("position startpos moves c3", "go nodes 500", "position startpos", "go infinite")
        lines = engine.close_input()
        assert (engine.exit_code, engine.read_stderr()) == (0, "")
        assert sum(line.startswith("bestmove") for line in lines) == 2
        assert any(" nodes 500 " in line for line in lines)


def test_quit_ends_a_search_and_what_waits() -> None:
    with EngineProcess("ugi", "tether-5") as engine:
        engine.send("go infinite")
        engine.read_until("info")
        engine.send("go infinite", "quit")
        engine.read_to_end()
        assert (engine.exit_code, engine.read_stderr()) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_ends_it_with_a_word() -> None:
    with EngineProcess("ugi", "tether-5") as engine:
        engine.send("go infinite")
        engine.read_until("info")
        engine.process.send_signal(signal.SIGINT)
        engine.read_to_end()
        assert (engine.exit_code, engine.read_stderr()) == (130, "ropewalk: interrupted")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently there")
def test_it_ends_when_nobody_listens() -> None:
    assert exit_after_broken_pipe("go infinite", "ugi", "tether-5") == (141, "")


@pytest.mark.parametrize("argv", [["tehter"], ["tether-5", "--level", "9"], ["tether-5", "--threads", "0"]])
def test_wrong_arguments_on_the_command_line(argv: list[str]) -> None:
    result = command("ugi", *argv)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


# A match


@pytest.mark.skipif(sys.platform == "win32", reason="spelt for a Unix shell")
def test_a_match_against_the_example_engine() -> None:
    ours = shlex.join([sys.executable, "-m", "ropewalk", "ugi", "{spec}"])
    other = shlex.join([sys.executable, str(EXAMPLE), "{spec}"])
    result = command("arena", "tether-5", f"ugi:{ours}@100", f"ugi:{other}", "--games", "20", "--json")
    assert result.code == 0
    results = json.loads(result.out)
    (pairing,) = results["pairings"]
    assert pairing["games"] == 20
    assert pairing["score"]["value"] > 0.7
    assert [bot["faults"] for bot in results["bots"]] == [{}, {}]


def test_the_example_engine_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 65


# Limits of `go`, scores of `info`


def limit(arguments: str, seat: int = 0) -> Limit:
    return parse_limit(GoCommand(arguments.split(), Event()), seat)


def test_limits() -> None:
    assert limit("") == Limit()
    assert limit("movetime 250 nodes 9") == Limit(seconds=0.25, visits=9)
    assert limit("infinite") == Limit(visits=UNLIMITED_VISITS)
    assert limit("p1time 10000 p2time 50000 p1inc 1000", seat=0) == Limit(seconds=0.4 + 0.75)
    assert limit("p1time 10000 p2time 50000 p1inc 1000", seat=1) == Limit(seconds=2.0)
    assert limit("p1time 100 p1inc 5000") == Limit(seconds=0.05), "never more than there is"
    assert limit("p1time -20") == Limit(seconds=0.01)
    assert limit("p1time 10000 movetime 100") == Limit(seconds=0.1)
    assert limit("nodes 9 searchmoves c3 b2 movetime 100") == Limit(seconds=0.1, visits=9, moves=("c3", "b2"))
    assert limit("searchmoves c3 infinite") == Limit(visits=UNLIMITED_VISITS, moves=("c3",))
    with pytest.raises(UgiError, match="p1time"):
        limit("p2time 5")


def test_scores() -> None:
    assert format_wdl(0.25, "estimate") == "250 0 750"
    assert format_wdl(0.5, "estimate") == "500 0 500"
    assert format_wdl(0.5, "proven") == "0 1000 0"
    assert format_wdl(1.0, "proven") == "1000 0 0"
