"""Searches that are restricted to some moves of the position: all bots keep to them, and prove nothing about others."""

from __future__ import annotations

import pickle

import pytest

import ropewalk
from ropewalk.bots.baseline import FlatMonteCarloBot, RandomBot
from ropewalk.bots.bot import Bot, BotError, Limit, Report
from ropewalk.bots.bot_spec import make_bot
from ropewalk.bots.levels import bot
from ropewalk.bots.proof_bots import ProofBot
from ropewalk.games.position import Position
from tests.unit.search.test_mcts import late, value

SPECS = ["lariat-1x2", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"]


def search(player: Bot, position: Position, moves: tuple[str, ...] | None, visits: int = 300) -> Report:
    *_, last = player.analyse(position, Limit(visits=visits, moves=moves))
    return last


@pytest.mark.parametrize("spec", SPECS)
def test_every_kind_of_level_keeps_to_the_moves(spec: str) -> None:
    game = ropewalk.game(spec)
    position = game.start()
    moves = tuple(position.moves()[1:3])
    for level in {*game.definition.bots.first_of_each_kind(), 8}:
        player = bot(game, level)
        unrestricted = search(player, position, None).lines
        player.new_game(0)
        restricted = search(player, position, moves)
        found = {line.moves[0] for line in restricted.lines}
        assert found == set(moves) or (restricted.certainty == "proven" and found < set(moves)), level
        assert restricted.value == restricted.lines[0].value
        assert player.choose(position, Limit(visits=50, moves=moves)) in moves
        after = position.play(player.choose(position, Limit(visits=50, moves=moves[:1])))
        assert search(player, after, None).lines[0].moves[0] in after.moves(), "the restricted tree is not used again"
        player.new_game(0)
        assert search(player, position, None).lines == unrestricted, "a restricted search leaves nothing behind"
        player.close()


@pytest.mark.parametrize("kind", [RandomBot, FlatMonteCarloBot])
def test_the_baselines_keep_to_the_moves(kind: type[RandomBot | FlatMonteCarloBot]) -> None:
    position = ropewalk.game("tether-5").start()
    player = kind(position.game)
    assert {player.choose(position, Limit(visits=4, moves=("c3", "a1"))) for _ in range(20)} <= {"c3", "a1"}
    limited = make_bot(position.game, "random@7")
    assert limited.choose(position, Limit(moves=("b2",))) == "b2"


@pytest.mark.parametrize("level", [4, 7, 8])
@pytest.mark.parametrize(("spec", "seed"), [("tether-5", 1), ("tether-5", 2), ("lariat-1x2", 1), ("cube-lariat-2", 1)])
def test_a_proof_is_that_of_the_moves_that_may_be_searched(spec: str, seed: int, level: int) -> None:
    position = late(spec, seed, 5)
    player = bot(position.game, level)
    by_move = {move: value(position.play(move)) for move in position.moves()}
    groups: dict[int, list[str]] = {}
    for move, outcome in by_move.items():
        groups.setdefault(outcome, []).append(move)
    for outcome, moves in groups.items():
        player.new_game(0)
        report = search(player, position, tuple(moves), 20_000)
        expected = 1.0 if outcome == position.seat else 0.5 if outcome not in (0, 1) else 0.0
        assert {line.moves[0] for line in report.lines} <= set(moves)
        if report.certainty == "proven":
            assert report.value == expected
        else:
            assert level == 8, "the net search proves nothing"
    player.close()


def test_a_prover_claims_only_a_win_by_a_move_that_may_be_searched() -> None:
    position = ropewalk.game("tether-5").position("rb2b/rbb1b/b1rrb/rr1r1/r1rrb red")
    prover = ProofBot(position.game, "prover", 100_000)
    free = search(prover, position, None, 100_000)
    assert (free.value, free.certainty) == (1.0, "proven")
    winning = free.lines[0].moves[0]
    others = tuple(move for move in position.moves() if move != winning)
    assert search(prover, position, (winning,), 100_000).certainty == "proven"
    restricted = search(prover, position, others, 100_000)
    assert (restricted.value, restricted.certainty) == (0.5, "estimate")
    assert restricted.lines[0].moves[0] in others


@pytest.mark.parametrize("moves", [("c3", "z9"), ("c3", "b2"), ()])
def test_moves_that_cannot_be_searched_are_refused(moves: tuple[str, ...]) -> None:
    position = ropewalk.game("tether-5").start().play("b2")
    player = bot(position.game, 2)
    with pytest.raises(BotError, match=r"cannot be searched|no move to search"):
        player.choose(position, Limit(visits=5, moves=moves))


class StubbornBot(Bot):
    """Chooses the first legal move, whatever the limit says."""

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Return the first legal move."""
        return position.moves()[0]


def test_a_bot_that_ignores_the_moves_is_not_believed() -> None:
    position = ropewalk.game("tether-5").start()
    with pytest.raises(BotError, match="StubbornBot cannot be restricted"):
        list(StubbornBot().analyse(position, Limit(moves=("c3",))))


def test_a_limit_is_pickled_with_its_moves() -> None:
    limit = Limit(visits=3, moves=("c3",))
    assert pickle.loads(pickle.dumps(limit)) == limit
