"""Pairings, openings and game tasks: every opening is played twice, with swapped seats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

import ropewalk
from ropewalk.arena.match import play_opening
from ropewalk.arena.openings import (
    CLEAR_IMBALANCE,
    DEFAULT_JUDGE,
    MAX_IMBALANCE,
    MAX_JUDGED,
    SCREENING_DIVISOR,
    Opening,
    choose_default_plies,
    generate_openings,
    imbalance_by,
    most_balanced,
    rebalance,
)
from ropewalk.arena.schedule import make_pairings, make_tasks
from ropewalk.bots.baseline import RandomBot
from ropewalk.bots.bot import Limit, Report
from ropewalk.bots.bot_spec import make_bot
from ropewalk.errors import ArenaError
from ropewalk.jit.prng import make_rng

TETHER = ropewalk.game("tether-5")


def test_the_three_forms() -> None:
    assert make_pairings("round-robin", 3) == [(0, 1), (0, 2), (1, 2)]
    assert make_pairings("ladder", 4) == [(0, 1), (1, 2), (2, 3)]
    assert make_pairings("gauntlet", 4) == [(0, 1), (0, 2), (0, 3)]


def test_every_opening_is_played_twice_with_seats_exchanged() -> None:
    games = list(make_tasks(TETHER, make_pairings("round-robin", 3), num_pairs=5, opening_plies=2, seed=1))
    assert len(games) == 5 * 3 * 2
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.pairing, one.pair, one.opening) == (other.pairing, other.pair, other.opening)
        assert one.seats == other.seats[::-1] == one.pairing
    assert len({game.key for game in games}) == len({game.seed for game in games}) == len(games)


def test_more_games_begin_with_those_of_fewer() -> None:
    few, many = (list(make_tasks(TETHER, [(0, 1)], num_pairs=pairs, opening_plies=2, seed=1)) for pairs in (4, 9))
    assert many[:8] == few


def test_another_seed_has_other_openings() -> None:
    first, second = (list(islice(generate_openings(TETHER, 2, seed), 20)) for seed in (1, 2))
    assert first == list(islice(generate_openings(TETHER, 2, 1), 20))
    assert first != second


@pytest.mark.parametrize("spec", ["lariat-1x2-pie", "cube-lariat-2", "tether-3", "laocoon-random-7", "liger-4"])
def test_openings_are_legal_and_do_not_end_the_game(spec: str) -> None:
    game = ropewalk.game(spec)
    plies = choose_default_plies(game)
    for opening in islice(generate_openings(game, plies, 5), 100):
        assert len(opening) == plies
        assert play_opening(game, opening).seat is not None


def test_openings_differ_as_long_as_there_are_others() -> None:
    assert len(set(islice(generate_openings(TETHER, 1, 0), 25))) == 25
    assert len(list(islice(generate_openings(TETHER, 1, 0), 30))) == 30
    assert list(islice(generate_openings(TETHER, 0, 0), 2)) == [(), ()]


@pytest.mark.parametrize(("spec", "plies"), [("lariat", 2), ("cube-lariat", 2), ("tether", 2), ("laocoon", 3), ("liger", 3)])
def test_usual_openings_are_short(spec: str, plies: int) -> None:
    assert choose_default_plies(ropewalk.game(spec)) == plies


def test_an_opening_longer_than_any_game_is_refused() -> None:
    with pytest.raises(ArenaError, match="use a smaller --opening-plies"):
        next(generate_openings(ropewalk.game("tether-3"), 9, 0))


@pytest.mark.parametrize("judge", [DEFAULT_JUDGE, "uct@300"])
def test_even_openings_leave_both_seats_a_chance(judge: str) -> None:
    judge_bot = make_bot(TETHER, judge)
    imbalance = imbalance_by(judge_bot)
    openings = list(islice(generate_openings(TETHER, 3, 1, judge), 5))
    assert openings == list(islice(generate_openings(TETHER, 3, 1, judge), 5))
    assert all(imbalance(play_opening(TETHER, moves)) <= MAX_IMBALANCE for moves in openings)
    assert not all(
        imbalance(play_opening(TETHER, moves)) <= MAX_IMBALANCE for moves in islice(generate_openings(TETHER, 3, 1), 20)
    )
    judge_bot.close()


def test_where_no_opening_is_even_the_most_even_is_played() -> None:
    game = ropewalk.game("lariat-1x1")  # the centre decides the game
    first, second = islice(generate_openings(game, 1, 1, DEFAULT_JUDGE), 2)
    assert first != second


def test_where_no_opening_is_even_the_most_even_of_some_is_taken() -> None:
    judged: list[float] = []

    def imbalance(position: ropewalk.Position) -> float:
        judged.append(0.2 + 0.01 * ((len(judged) * 7 + 5) % MAX_JUDGED))
        return judged[-1]

    assert most_balanced(TETHER, 2, make_rng(1), set(), imbalance).imbalance == min(judged) < judged[0]
    assert len(judged) == MAX_JUDGED


def test_where_no_opening_is_even_more_steps_even_one_out() -> None:
    start = Opening((), TETHER.start(), 0.5)
    rebalanced = rebalance(start, make_rng(1), set(), lambda position: 0.5 - 0.1 * len(position.contents))
    assert len(rebalanced.moves) == len(rebalanced.position.contents) == 4
    balanced = start._replace(imbalance=MAX_IMBALANCE)
    assert rebalance(balanced, make_rng(1), set(), lambda position: 0.0) == balanced
    assert rebalance(start, make_rng(1), set(), lambda position: 0.6) == start


class RecordingJudge(RandomBot):
    """Returns value 0.5 + distance in a search with a limit, 0.5 in one without; records the limits."""

    def __init__(self, distance: float) -> None:
        super().__init__(TETHER)
        self.distance = distance
        self.searched_visits: list[int | None] = []

    def analyse(self, position: ropewalk.Position, limit: Limit | None = None) -> Iterator[Report]:
        self.searched_visits.append(None if limit is None else limit.visits)
        yield Report(0, 0.5 + (self.distance if limit else 0), "estimate", 1, 0.0, ())


def test_a_judge_looks_twice_unless_it_is_clear() -> None:
    unsure, sure = RecordingJudge(CLEAR_IMBALANCE), RecordingJudge(-CLEAR_IMBALANCE - 0.01)
    assert imbalance_by(unsure, 320)(TETHER.start()) == 0
    assert unsure.searched_visits == [320 // SCREENING_DIVISOR, None]
    assert imbalance_by(sure, 3)(TETHER.start()) == pytest.approx(CLEAR_IMBALANCE + 0.01)
    assert sure.searched_visits == [1]
    assert imbalance_by(sure)(TETHER.start()) == 0


def test_an_opening_that_was_evened_out_is_a_new_one_too() -> None:
    game = ropewalk.game("tether-3")
    reached = [str(play_opening(game, moves)) for moves in islice(generate_openings(game, 1, 1, DEFAULT_JUDGE), 10)]
    assert len(set(reached)) == 10
