"""Games, positions, batches, bots and errors can be pickled and copied, and so sent to other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ropewalk
from ropewalk import Batch, Bot, BotError, IllegalMove, Position
from ropewalk.bots.alpha_beta_bot import AlphaBetaBot
from ropewalk.bots.baseline import FlatMonteCarloBot, RandomBot
from ropewalk.bots.bot_spec import make_bot
from ropewalk.bots.proof_bots import ProofBot
from ropewalk.bots.ugi_client import UgiBot
from ropewalk.games.sequence import MoveSequence, MoveSequenceError

SPECS = (
    "lariat-1x3",
    "lariat-1x2-pie",
    "cube-lariat-2",
    "tether-5",
    "laocoon-weave",
    "laocoon-random-7",
    "liger-4",
    "liger-8",
)


def round_trip(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


def play_randomly(spec: str, seed: int, steps: int) -> Position:
    rng, position = random.Random(seed), ropewalk.game(spec).start()
    while steps and position.seat is not None:
        position = position.play(rng.choice(position.moves()))
        steps -= 1
    return position


@settings(max_examples=60)
@given(spec=st.sampled_from(SPECS), seed=st.integers(0, 2**32), steps=st.integers(0, 120))
def test_a_pickled_position_is_the_same_position_with_the_same_past_and_future(spec: str, seed: int, steps: int) -> None:
    position = play_randomly(spec, seed, steps)
    copied = round_trip(position)
    assert isinstance(copied, Position)
    assert copied == position
    assert copied.steps() == position.steps()
    assert np.array_equal(copied.row, position.row)
    assert (copied.moves(), copied.seat, copied.outcome) == (position.moves(), position.seat, position.outcome)
    if position.seat is not None:
        assert copied.play(position.moves()[-1]) == position.play(position.moves()[-1])


@pytest.mark.parametrize("spec", SPECS)
def test_a_pickled_game_is_the_game_of_the_process(spec: str) -> None:
    game = ropewalk.game(spec)
    assert round_trip(game) is ropewalk.game(game.spec)
    assert copy.copy(game) is copy.deepcopy(game) is game


def play_long(spec: str, steps: int) -> Position:
    """Return a position after so many moves, none of which ends the game."""
    game, rng = ropewalk.game(spec), random.Random(3)
    position, made = game.start(), 0
    while made < steps:
        ongoing = [after for after in map(position.play_id, position.move_ids()) if after.seat is not None]
        position, made = (rng.choice(ongoing), made + 1) if ongoing else (game.start(), 0)
    return position


def test_a_position_after_500_steps_is_copied_and_pickled() -> None:
    position = play_long("laocoon-weave-norepetition", 500)
    assert copy.deepcopy(position) is position
    assert copy.deepcopy([position, {"position": position}])[0] is position
    copied = round_trip(position)
    assert isinstance(copied, Position)
    assert copied.steps() == position.steps()


@pytest.mark.parametrize("make_copy", [round_trip, copy.copy, copy.deepcopy, Batch.copy])
@pytest.mark.parametrize("spec", ["lariat-1x3", "liger-4"])
def test_a_copied_batch_goes_on_as_the_original_and_apart_from_it(spec: str, make_copy: Callable[[Batch], Batch]) -> None:
    batch = Batch(ropewalk.game(spec), 40, seed=3)
    for _ in range(5):
        batch.play_random()
    twin, before = make_copy(batch), batch.rows.copy()
    made = [twin.play_random(restart=True) for _ in range(40)]
    assert np.array_equal(batch.rows, before)
    for moves in made:
        assert np.array_equal(batch.play_random(restart=True), moves)
    assert np.array_equal(batch.rows, twin.rows)
    assert np.array_equal(batch.rewards, twin.rewards)


BOTS: dict[str, Callable[[], Bot]] = {
    "random": lambda: RandomBot(ropewalk.game("tether-5")),
    "flat-mc": lambda: FlatMonteCarloBot(ropewalk.game("tether-5")),
    "level-2": lambda: ropewalk.bot(ropewalk.game("tether-5"), 2),
    "level-8": lambda: ropewalk.bot(ropewalk.game("tether-5"), 8),
    "net": lambda: make_bot(ropewalk.game("tether-5"), "net@20"),
    "alpha-beta": lambda: AlphaBetaBot(ropewalk.game("liger-4"), "alpha-beta", 500),
    "proof": lambda: ProofBot(ropewalk.game("tether-3"), "proof", 100),
}


@pytest.mark.parametrize("name", BOTS)
def test_a_copied_bot_chooses_as_the_original_does_in_a_new_game(name: str) -> None:
    bot = BOTS[name]()
    bot.new_game(7)
    copied, clone = round_trip(bot), copy.deepcopy(bot)
    assert isinstance(copied, Bot)
    limit, start = ropewalk.Limit(visits=30), bot.game.start()
    assert bot.choose(start, limit) == copied.choose(start, limit) == clone.choose(start, limit)
    assert (copied.name, copied.budget, copied.net) == (bot.name, bot.budget, bot.net)
    for made in (bot, copied, clone):
        made.close()


def test_an_external_engine_says_that_it_is_a_process() -> None:
    bot = UgiBot.__new__(UgiBot)
    bot.command = "some engine"
    with pytest.raises(BotError, match="'some engine' cannot be copied or pickled"):
        pickle.dumps(bot)


def test_errors_are_pickled_with_their_reasons() -> None:
    start = ropewalk.game("tether-5").start().play("c3")
    with pytest.raises(IllegalMove) as caught:
        start.play("c3")
    copied = round_trip(caught.value)
    assert isinstance(copied, IllegalMove)
    assert (str(copied), vars(copied)) == (str(caught.value), vars(caught.value))
    with pytest.raises(MoveSequenceError) as sequence:
        MoveSequence.play(start, ["a1", "a1"])
    assert str(round_trip(sequence.value)) == str(sequence.value)


def play_out(position: Position) -> tuple[Position, list[str]]:
    """Play on by first moves, in another process."""
    while position.seat is not None:
        position = position.play(position.moves()[0])
    return position, position.steps()


def play_twice(position: Position) -> None:
    position.play(position.steps()[0])


def test_positions_and_errors_travel_between_processes() -> None:
    starts = [ropewalk.game(spec).start() for spec in ("tether-3", "lariat-1x2-pie")]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        ends = pool.map(play_out, starts)
        with pytest.raises(IllegalMove, match="a1 already has a red stone"):
            pool.apply(play_twice, (starts[0].play("a1"),))
    for start, (end, steps) in zip(starts, ends, strict=True):
        assert end.outcome is not None
        assert end.steps() == steps
        assert end == play_out(start)[0]
