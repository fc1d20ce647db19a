"""Whole contests in real processes: the same games however they are shared out, and bots that take theirs down."""

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

from .engines import GAME, engine, is_running, started

CONTEST = Tournament(
    ropewalk.game(GAME), ("greedy@60", "random", "greedy@9"), "round-robin", games_per_pairing=4, opening_plies=2, seed=3
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


def records(contest: Tournament, path: Path | None = None) -> list[ArenaGame]:
    def unexpected(words: str) -> None:
        raise AssertionError(words)

    return list(run_tournament(contest, path, unexpected))


def test_a_seed_decides_all_games_and_more_of_them_extend_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    alone = records(CONTEST, path)
    before = path.read_bytes()
    assert len(alone) == 3 * 4
    assert records(CONTEST, path) == alone
    assert path.read_bytes() == before
    longer = replace(CONTEST, games_per_pairing=6, num_workers=2)
    extended = records(longer, path)
    assert extended[: len(alone)] == alone
    assert path.read_bytes().startswith(before)
    require_the_same_games(longer, extended)
    require_exchanged_seats(extended)


def require_the_same_games(contest: Tournament, games: list[ArenaGame]) -> None:
    """Played here, one after the other by fresh bots, all games go as they went in other processes."""
    found = {game.key: game for game in games}
    assert len(found) == len(games) == len(contest.list_tasks())
    for fixture in contest.list_tasks():
        first, second = (ArenaPlayer(contest.game, parse_bot_spec(contest.bots[bot])) for bot in fixture.seats)
        result = play_game(fixture, (first, second), lambda sitting: None)
        assert found[fixture.key].moves == tuple(result.progress.moves)
        assert found[fixture.key].winner == result.winner


def require_exchanged_seats(games: list[ArenaGame]) -> None:
    """In every pair the same opening, and each bot in each seat."""
    for one in games:
        (other,) = (game for game in games if game.key == (*one.pairing, one.pair, not one.exchanged))
        assert one.opening == other.opening
        assert one.bots == other.bots[::-1]
        assert [CONTEST.bots[bot] for bot in one.pairing][:: -1 if one.exchanged else 1] == [bot.text for bot in one.bots]


@pytest.fixture
def bad_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with bad bots as the current one."""
    (tmp_path / "bad_bots.py").write_text(BAD_BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be brought down like this there")
@pytest.mark.usefixtures("bad_bots")
def test_a_bot_that_takes_its_process_down_or_hangs_loses_that_game_only() -> None:
    contest = replace(
        CONTEST, bots=("random", "py:bad_bots:Falling", "py:bad_bots:Hanging@0.1s"), format="gauntlet", games_per_pairing=2
    )
    games = {game.key: game for game in records(contest)}
    first, hung, *others = (games[key] for key in [(0, 1, 0, False), (0, 2, 0, False), (0, 1, 0, True), (0, 2, 0, True)])
    assert (first.winner, first.reason, first.faulty_bot) == (0, "crash", 1)
    assert "its process ended with exit code -11" in first.words
    assert first.moves
    assert (hung.winner, hung.reason, hung.faulty_bot) == (0, "overtime", 2)
    assert "still thinking after 3.1 s" in hung.words
    assert all(game.faulty_bot is None for game in others)


def test_engines_are_started_again_and_gone_at_the_end(tmp_path: Path) -> None:
    text = f"ugi:{engine(tmp_path, 'leave')}@0.1s"
    assert parse_bot_spec(text).kind == "ugi"
    games = records(replace(CONTEST, bots=("greedy@9", text), games_per_pairing=4))
    assert [game.faulty_bot for game in games] == [1, 1, 1, 1]
    assert len(set(started(tmp_path))) == 4
    assert not any(map(is_running, started(tmp_path)))


def test_a_bot_that_cannot_be_made_ends_the_contest_before_it_begins() -> None:
    with pytest.raises(BotError, match="cannot start the engine"):
        records(replace(CONTEST, bots=("random", "ugi:/no/such/engine")))


def test_a_bot_that_calls_itself_otherwise_is_not_mixed_with_its_former_self() -> None:
    then, now = (BotIdentity("ugi:./engine", f"First Cell {version}", "1 s") for version in (1, 2))
    require_unchanged_bots([then, now], [then, now])
    with pytest.raises(BotError, match=r"was 'First Cell 1' \(1 s\) in the results so far, now it is 'First Cell 2'"):
        require_unchanged_bots([now, then], [now, now])


def test_a_bot_with_another_net_is_another_bot_unless_nobody_wrote_down_which() -> None:
    unknown, first, second = (BotIdentity("net", "net tether", "1 s", net) for net in ("", "1" * 64, "2" * 64))
    require_unchanged_bots([unknown, first], [first, first])
    with pytest.raises(
        BotError, match=r"was 'net tether' \(1 s, net 11111111\) .* now it is 'net tether' \(1 s, net 22222222\)"
    ):
        require_unchanged_bots([first], [second])
