"""One game of the arena: seats, seeds, time keeping, and the faults of bots."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ropewalk
from ropewalk.arena import match
from ropewalk.arena.match import ArenaPlayer, GameProgress, GameResult, play_game
from ropewalk.arena.schedule import GameTask
from ropewalk.bots import ugi_client
from ropewalk.bots.bot import Bot, Limit, Line, Report
from ropewalk.bots.bot_spec import BotSpec, parse_bot_spec
from tests.support.ugi_engines import GAME, engine_command, is_running, list_pids

LARIAT = ropewalk.game(GAME)


def make_task(*opening: str, seed: int = 5) -> GameTask:
    return GameTask((0, 1), 0, False, opening, seed)


def make_player(text: str) -> ArenaPlayer:
    return ArenaPlayer(LARIAT, parse_bot_spec(text))


def play(*players: ArenaPlayer, opening: tuple[str, ...] = (), seed: int = 5) -> GameResult:
    first, second = players
    return play_game(make_task(*opening, seed=seed), (first, second), lambda progress: None)


class ScriptedBot(Bot):
    """Plays the move that a function returns."""

    name, budget = "scripted", "none"

    def __init__(self, game: ropewalk.Game, act: Any) -> None:
        self.game = game
        self.act = act

    def analyse(self, position: ropewalk.Position, limit: Limit | None = None) -> Iterator[Report]:
        step = self.act(position)
        yield Report(position.seat or 0, 0.5, "estimate", 0, 0.0, (Line((step,), 0, 0.5, "estimate"),))


class ScriptedPlayer(ArenaPlayer):
    """A player with a ScriptedBot."""

    def __init__(self, act: Any, limit: Limit | None = None) -> None:
        super().__init__(LARIAT, BotSpec("acting", "random", "", limit))
        self.act = act

    def ensure_bot(self) -> Bot:
        self.bot = self.bot or ScriptedBot(self.game, self.act)
        return self.bot


def first_move(position: ropewalk.Position) -> str:
    return position.moves()[0]


def test_a_game_is_played_to_its_end_from_the_opening() -> None:
    result = play(make_player("random"), make_player("random"), opening=("b1", "c1"))
    position = LARIAT.start()
    for step in ("b1", "c1", *result.progress.moves):
        position = position.play(step)
    assert position.outcome is not None
    assert (result.winner, result.reason) == (position.outcome.winner, position.outcome.reason)


def test_each_bot_moves_from_its_own_seat() -> None:
    seats: list[list[int]] = [[], []]
    bots = [ScriptedPlayer(lambda position, own=own: own.append(position.seat) or first_move(position)) for own in seats]
    result = play(*bots)
    assert set(seats[0]) == {0}
    assert set(seats[1]) == {1}
    assert len(seats[0]) + len(seats[1]) == len(result.progress.moves)


def test_visits_and_a_seed_make_the_same_game() -> None:
    def game(seed: int) -> list[str]:
        return play(make_player("flat-mc@30"), make_player("flat-mc@50"), seed=seed).progress.moves

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_the_two_bots_of_a_game_have_different_chance() -> None:
    seeds: list[int] = []

    class SeedRecorder(ScriptedPlayer):
        def start_game(self, seed: int) -> None:
            seeds.append(seed)

    play(SeedRecorder(first_move), SeedRecorder(first_move))
    assert len(set(seeds)) == 2


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("a1", "a1 already has a black stone"),
        ("z9", "is not a move of Lariat"),
        (None, "returned a move of type NoneType; expected a string"),
        (["a1"], "returned a move of type list; expected a string"),
    ],
)
def test_an_illegal_step_loses(step: Any, message: str) -> None:
    result = play(ScriptedPlayer(first_move), ScriptedPlayer(lambda position: step), opening=("a1", "b1"))
    assert (result.winner, result.reason) == (0, "illegal-move")
    assert len(result.progress.moves) == 1
    assert message in result.message


def raise_error(position: ropewalk.Position) -> str:
    raise ZeroDivisionError("oh")


def test_a_crash_loses_and_the_bot_is_made_anew() -> None:
    crashing = ScriptedPlayer(raise_error)
    result = play(crashing, ScriptedPlayer(first_move))
    assert (result.winner, result.reason, result.message) == (1, "crash", "ZeroDivisionError: oh")
    assert crashing.bot is None
    crashing.act = first_move
    assert play(crashing, ScriptedPlayer(first_move)).reason != "crash"


def exit_python(position: ropewalk.Position) -> str:
    raise SystemExit(0)


def test_leaving_python_is_a_crash_too() -> None:
    assert play(ScriptedPlayer(first_move), ScriptedPlayer(exit_python)).reason == "crash"


def test_time_is_kept_by_seat_and_a_gross_overrun_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(position: ropewalk.Position) -> str:
        time.sleep(0.02)
        return first_move(position)

    bots = ScriptedPlayer(slow, Limit(seconds=0.01)), ScriptedPlayer(first_move, Limit(seconds=5))
    progress = play(*bots).progress
    assert progress.seconds[0] > 0.02 > progress.seconds[1]
    assert progress.overrun[0] >= 0.01
    assert progress.overrun[1] == 0
    monkeypatch.setattr(match, "GRACE_SECONDS", 0.005)
    result = play(*bots)
    assert (result.winner, result.reason) == (1, "overtime")
    assert "more than 0.015 s" in result.message


def test_a_game_without_end_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MAX_GAME_MOVES", 3)
    result = play(make_player("random"), make_player("random"))
    assert (result.winner, result.reason, result.message) == (None, "too-long", "no winner after 3 moves")


def test_every_search_is_reported_with_its_move() -> None:
    calls: list[tuple[int, int]] = []  # seat, number of moves

    def record_call(progress: GameProgress) -> None:
        calls.append((progress.seat, len(progress.moves)))

    result = play_game(make_task(), (make_player("random"), make_player("random")), record_call)
    count = len(result.progress.moves)
    assert calls == [(0, 0), (1, 0), *((number % 2, number) for number in range(count))]


# Engines in processes of their own


def test_an_engine_plays_by_ugi(tmp_path: Path) -> None:
    engine = make_player(f"ugi:{engine_command(tmp_path)}@0.1s")
    result = play(engine, make_player("random"), opening=("d1",))
    engine.discard_bot()
    assert result.reason not in ("crash", "illegal-move", "overtime")
    received = (tmp_path / "received").read_text().splitlines()
    assert received[:4] == ["ugi", "isready", "uginewgame", "isready"]
    assert received[4].startswith("position startpos moves d1 ")
    assert received[5] == "go movetime 100"


@pytest.mark.parametrize(
    ("mode", "reason", "message"),
    [
        ("illegal", "illegal-move", "b1 already has a black stone"),
        ("nonsense", "illegal-move", "'' is not a move"),
        ("crash", "crash", "ended with exit code 1: 'ValueError: boom'"),
        ("exit", "crash", "ended with exit code 7"),
        ("hang", "overtime", "did not send bestmove within 0.3 s"),
        ("chatty", "overtime", "did not send bestmove within 0.3 s"),
    ],
)
def test_an_engine_that_goes_wrong_loses_and_is_started_again(
    mode: str, reason: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ugi_client, "GRACE_SECONDS", 0.2)
    faulty = make_player(f"ugi:{engine_command(tmp_path, mode)}@0.1s")
    for _ in range(2):
        result = play(ScriptedPlayer(lambda position: position.moves()[-1]), faulty, opening=("b1", "c4", "c2"))
        assert (result.winner, result.reason) == (0, reason)
        assert message in result.message
    first, second = list_pids(tmp_path)
    assert not is_running(first)
    faulty.discard_bot()
    assert not is_running(second)
