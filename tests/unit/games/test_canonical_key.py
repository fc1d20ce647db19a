"""Keys of positions: equal for images under symmetries and for transpositions, different otherwise, and stable."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.games.canonical_key import load_position_keys
from ropewalk.games.game import Game
from ropewalk.games.position import Position
from ropewalk.games.registry import game as game_of

STORED_KEY = -670399942193052143  # of b2 on tether-5
SPECS = ("tether-5", "liger-6", "laocoon-weave", "lariat-1x4-pie", "cube-lariat-2")


def play_random_moves(game: Game, seed: int, count: int = 8) -> list[Position]:
    """Return the positions of a random game, the start first."""
    rng, positions = np.random.default_rng(seed), [game.start()]
    while len(positions) <= count and positions[-1].seat is not None:
        positions.append(positions[-1].play_id(int(rng.choice(positions[-1].move_ids()))))
    return positions


@pytest.mark.parametrize("spec", SPECS)
def test_all_images_of_a_position_have_one_key_and_their_moves_one_image(spec: str) -> None:
    game = game_of(spec)
    keys = load_position_keys(game)
    for position in play_random_moves(game, seed=1):
        canonical = keys.find_canonical(position)
        images = [keys.find_canonical_move(canonical, move) for move in map(int, position.move_ids())]
        assert keys.find_canonical_moves(canonical, position.move_ids()).tolist() == images
        for symmetry in keys.symmetries:
            image = position.transform(symmetry)
            canonical_image = keys.find_canonical(image)
            assert canonical_image.key == canonical.key
            for move in map(int, position.move_ids()):
                moved = keys.find_canonical_move(canonical_image, int(symmetry.moves[move]))
                assert moved == keys.find_canonical_move(canonical, move)


@pytest.mark.parametrize("spec", SPECS)
def test_positions_that_no_symmetry_joins_have_different_keys(spec: str) -> None:
    game = game_of(spec)
    keys = load_position_keys(game)
    found: dict[int, set[str]] = {}
    for seed in range(10):
        for position in play_random_moves(game, seed):
            images = {str(position.transform(symmetry)) for symmetry in keys.symmetries}
            known = found.setdefault(keys.find_canonical(position).key, images)
            assert str(position) in known


def test_moves_that_the_symmetries_of_a_position_join_have_one_canonical_image() -> None:
    start = game_of("tether-5").start()
    keys = load_position_keys(start.game)
    canonical = keys.find_canonical(start)
    colour_keeping = {int(symmetry.moves[0]) for symmetry in keys.symmetries}
    assert len(colour_keeping) > 1
    assert len({keys.find_canonical_move(canonical, move) for move in colour_keeping}) == 1


def test_keys_do_not_depend_on_the_order_of_moves_and_differ_between_specs() -> None:
    game = game_of("tether-5")
    keys = load_position_keys(game)
    first, second = (game.start().play(a).play("e5").play(b) for a, b in (("a1", "c2"), ("c2", "a1")))
    assert keys.find_canonical(first).key == keys.find_canonical(second).key
    other = game_of("lariat-1x4")
    pie = game_of("lariat-1x4-pie")
    assert load_position_keys(other).find_canonical(other.start()) != load_position_keys(pie).find_canonical(pie.start())


def test_the_key_of_a_position_is_the_same_in_every_version() -> None:
    start = game_of("tether-5").start()
    keys = load_position_keys(start.game)
    assert keys.find_canonical(start.play("b2")).key == STORED_KEY, "databases have stored these keys"


def test_a_repeated_step_is_listed_once() -> None:
    game = game_of("laocoon-weave")
    positions = play_random_moves(game, seed=3, count=6)
    moves = [game.move_ids[move] for move in positions[-1].steps()]
    steps = load_position_keys(game).list_steps(game.start(), moves)
    assert len({(step.position_key, step.move) for step in steps}) == len(steps)
    assert [step.next_key for step in steps[:-1]] == [step.position_key for step in steps[1:]]
