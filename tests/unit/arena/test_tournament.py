"""Tournaments in worker processes: games do not depend on the schedule of workers; bots that end or block their process."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import ropewalk
from ropewalk.arena.game_record import ArenaGame, BotIdentity
from ropewalk.arena.match import ArenaPlayer, play_game
from ropewalk.arena.tournament import Tournament, run_tournament
from ropewalk.arena.worker_pool import require_unchanged_bots
from ropewalk.bots.bot import BotError
from ropewalk.bots.bot_spec import parse_bot_spec
from tests.support.ugi_engines import GAME, engine_command, is_running, list_pids

TOURNAMENT = Tournament(
    ropewalk.game(GAME), ("flat-mc@60", "random", "flat-mc@9"), "round-robin", games_per_pairing=4, opening_plies=2, seed=3
)

BAD_BOTS = """
import os, signal, time
from pathlib import Path
from ropewalk.bots.baseline import RandomBot

class Bad(RandomBot):
    def choose(self, position, limit=None):
        mark = Path(type(self).__name__)
        if len(position.moves()) < 14 and not mark.exists():
            mark.touch()
            self.misbehave()
        return super().choose(position, limit)

class Falling(Bad):
    def misbehave(self):
        os.kill(os.getpid(), signal.SIGSEGV)

class Hanging(Bad):
    def misbehave(self):
        time.sleep(1000)
"""


def play_all(tournament: Tournament, path: Path | None = None) -> list[ArenaGame]:
    def unexpected(message: str) -> None:
        raise AssertionError(message)

    return list(run_tournament(tournament, path, unexpected))


def test_a_seed_decides_all_games_and_more_of_them_extend_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    alone = play_all(TOURNAMENT, path)
    before = path.read_bytes()
    assert len(alone) == 3 * 4
    assert play_all(TOURNAMENT, path) == alone
    assert path.read_bytes() == before
    longer = replace(TOURNAMENT, games_per_pairing=6, num_workers=2)
    extended = play_all(longer, path)
    assert extended[: len(alone)] == alone
    assert path.read_bytes().startswith(before)
    require_the_same_games(longer, extended)
    require_exchanged_seats(extended)


def require_the_same_games(tournament: Tournament, games: list[ArenaGame]) -> None:
    """Assert that every game, replayed here by new bots, has the same moves and winner."""
    games_by_key = {game.key: game for game in games}
    assert len(games_by_key) == len(games) == len(tournament.list_tasks())
    for task in tournament.list_tasks():
        first, second = (ArenaPlayer(tournament.game, parse_bot_spec(tournament.bots[bot])) for bot in task.seats)
        result = play_game(task, (first, second), lambda progress: None)
        assert games_by_key[task.key].moves == tuple(result.progress.moves)
        assert games_by_key[task.key].winner == result.winner


def require_exchanged_seats(games: list[ArenaGame]) -> None:
    """Assert that the games of each pair share their opening and swap the seats."""
    for one in games:
        (other,) = (game for game in games if game.key == (*one.pairing, one.pair, not one.exchanged))
        assert one.opening == other.opening
        assert one.bots == other.bots[::-1]
        assert [TOURNAMENT.bots[bot] for bot in one.pairing][:: -1 if one.exchanged else 1] == [bot.text for bot in one.bots]


@pytest.fixture
def bad_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder with the module bad_bots the current folder."""
    (tmp_path / "bad_bots.py").write_text(BAD_BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be brought down like this there")
@pytest.mark.usefixtures("bad_bots")
def test_a_bot_that_takes_its_process_down_or_hangs_loses_that_game_only() -> None:
    tournament = replace(
        TOURNAMENT,
        bots=("random", "py:bad_bots:Falling", "py:bad_bots:Hanging@0.1s"),
        format="gauntlet",
        games_per_pairing=2,
    )
    games = {game.key: game for game in play_all(tournament)}
    first, hung, *others = (games[key] for key in [(0, 1, 0, False), (0, 2, 0, False), (0, 1, 0, True), (0, 2, 0, True)])
    assert (first.winner, first.reason, first.faulty_bot) == (0, "crash", 1)
    assert "its process ended with exit code -11" in first.words
    assert first.moves
    assert (hung.winner, hung.reason, hung.faulty_bot) == (0, "overtime", 2)
    assert "still thinking after 3.1 s" in hung.words
    assert all(game.faulty_bot is None for game in others)


def test_engines_are_started_again_and_gone_at_the_end(tmp_path: Path) -> None:
    text = f"ugi:{engine_command(tmp_path, 'exit')}@0.1s"
    assert parse_bot_spec(text).kind == "ugi"
    games = play_all(replace(TOURNAMENT, bots=("flat-mc@9", text), games_per_pairing=4))
    assert [game.faulty_bot for game in games] == [1, 1, 1, 1]
    assert len(set(list_pids(tmp_path))) == 4
    assert not any(map(is_running, list_pids(tmp_path)))


def test_a_bot_that_cannot_be_made_ends_the_contest_before_it_begins() -> None:
    with pytest.raises(BotError, match="cannot start the engine"):
        play_all(replace(TOURNAMENT, bots=("random", "ugi:/no/such/engine")))


def test_a_bot_that_calls_itself_otherwise_is_not_mixed_with_its_former_self() -> None:
    old, new = (BotIdentity("ugi:./engine", f"First Cell {version}", "1 s") for version in (1, 2))
    require_unchanged_bots([old, new], [old, new])
    with pytest.raises(BotError, match=r"has changed: 'First Cell 1' \(1 s\) in the results file, 'First Cell 2'"):
        require_unchanged_bots([new, old], [new, new])


def test_a_bot_with_another_net_is_another_bot_unless_nobody_wrote_down_which() -> None:
    unknown, first, second = (BotIdentity("net", "net tether", "1 s", net) for net in ("", "1" * 64, "2" * 64))
    require_unchanged_bots([unknown, first], [first, first])
    with pytest.raises(
        BotError, match=r"'net tether' \(1 s, net 11111111\) in the results file, 'net tether' \(1 s, net 22222222\) now"
    ):
        require_unchanged_bots([first], [second])
