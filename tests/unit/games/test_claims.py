"""The designers' claims as properties."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ropewalk
from ropewalk import Game, Position
from ropewalk.games.tether.game import Tether
from ropewalk.rules import lariat_common
from ropewalk.rules.boundary import full_board_winner

seeds = st.integers(0, 2**32)


def winners(game: Game, colours: Any) -> list[int]:
    """How many winning groups black and white have on a board of these colours."""
    wins = np.zeros(3, np.int64)
    lariat_common.place_all(game.rules, game.state(game.start_row()), np.asarray(colours, np.int16), wins)
    return wins[1:].tolist()


def filled_at_random(game: Game, seed: int) -> Any:
    """A board without empty cells."""
    return np.random.default_rng(seed).integers(1, 3, len(game.board)).astype(np.int16)


@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-1x6", "lariat-2x10", "lariat-3x5", "lariat-6x24", "cube-lariat-2",
                                  "cube-lariat-4", "cube-lariat-8"])  # fmt: skip
@given(seed=seeds)
def test_a_full_board_has_exactly_one_winner(spec: str, seed: int) -> None:
    game = ropewalk.game(spec)
    colours = filled_at_random(game, seed)
    won = winners(game, colours)
    assert sum(won) == 1
    assert won[full_board_winner(game.rules.boundary, colours) - 1] == 1


@pytest.mark.parametrize("spec", ["lariat-2x10", "lariat-1x6", "cube-lariat-4-nopie", "cube-lariat-2-nopie"])
@given(seed=seeds)
def test_who_wins_first_wins_every_full_board_reached_from_there(spec: str, seed: int) -> None:
    position = played_out(spec, seed)
    colours = np.array(position.state.stones)
    empty = np.flatnonzero(colours == 0)
    colours[empty] = np.random.default_rng(seed).integers(1, 3, len(empty))
    assert winners(position.game, colours)[position.state.winner - 1] == 1


@given(seed=seeds, corner=st.integers(0, 7))
def test_claiming_a_corner_cell_never_changes_who_wins(seed: int, corner: int) -> None:
    game = ropewalk.game("cube-lariat-4")
    colours = filled_at_random(game, seed)
    before = winners(game, colours)
    cell = game.board.marked_cells["corners"][corner]
    colours[cell] = 3 - colours[cell]
    assert winners(game, colours) == before


@pytest.mark.parametrize("size", [3, 5, 7])
@given(seed=seeds)
def test_tether_always_has_a_placement_and_disjoint_territories_and_an_end(size: int, seed: int) -> None:
    game = ropewalk.game(f"tether-{size}")
    assert isinstance(game, Tether)
    rng = random.Random(seed)
    position, placements = game.start(), 0
    while position.outcome is None:
        position = position.play(rng.choice(position.moves()))
        placements += 1
        red, blue = (game.territory_cells(position, colour) for colour in (1, 2))
        assert not red & blue
        assert (len(red), len(blue)) == game.count_territory(position)
    assert placements <= size * size


@given(seed=seeds)
def test_a_liger_player_with_a_showing_checker_has_a_move(seed: int) -> None:
    game = ropewalk.game("liger-4x2")
    letters = random.Random(seed).choices(["", "r", "b", "rb", "br", "brb", "rr"], k=8)
    while any("".join(letters).count(colour) > 4 for colour in "rb"):
        letters[letters.index(max(letters, key=len))] = ""
    if not any(stack.endswith("r") for stack in letters):
        return
    rows = "/".join(",".join(stack or "1" for stack in letters[2 * rank : 2 * rank + 2]) for rank in range(4))
    position = game.position(f"{rows} red")
    assert position.moves() or position.outcome is not None


def played_out(spec: str, seed: int) -> Position:
    """A random game to its end."""
    rng = random.Random(seed)
    position = ropewalk.game(spec).start()
    while position.seat is not None:
        position = position.play(rng.choice(position.moves()))
    return position
