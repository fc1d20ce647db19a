"""What a net sees is what stands on the board, from the view of the seat to move."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import ropewalk
from ropewalk.games.game import Game
from ropewalk.games.position import Position
from ropewalk.jit.interpreted import interpreted_impl
from ropewalk.rules.interface import encode_planes

SPECS = ("lariat-1x3", "lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-weave", "laocoon-random-7", "liger-6")


def seen(position: Position) -> NDArray[np.int8]:
    game = position.game
    planes = np.full((len(game.board), game.encoding.num_planes), 99, np.int8)
    row = position.row.copy()
    interpreted_impl(encode_planes, game.rules)(game.rules, game.state(row), planes)
    return planes


def some_positions(game: Game, seed: int) -> list[Position]:
    rng = random.Random(seed)
    positions = [game.start()]
    while positions[-1].seat is not None and len(positions) < 60:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
    return [position for position in positions if position.seat is not None]


def plane(position: Position, name: str) -> list[int]:
    column: list[int] = seen(position)[:, position.game.encoding.planes.index(name)].tolist()
    return column


@pytest.mark.parametrize("spec", SPECS)
def test_every_plane_is_written_and_the_board_comes_first(spec: str) -> None:
    for position in some_positions(ropewalk.game(spec), 1):
        planes = seen(position)
        assert planes.max() < 99
        assert (planes[:, 0] == 1).all()


@pytest.mark.parametrize("spec", SPECS)
def test_a_turned_position_is_seen_turned(spec: str) -> None:
    game = ropewalk.game(spec)
    times = [game.encoding.planes.index(name) for name in game.encoding.planes if name == "repetitions"]
    for position in some_positions(game, 2)[::7]:
        planes = np.delete(seen(position), times, axis=1)
        for symmetry in game.symmetries:
            turned = np.delete(seen(position.transform(symmetry)), times, axis=1)
            assert (turned[symmetry.cells] == planes).all()


@pytest.mark.parametrize(("spec", "letters"), [("lariat-1x3", "bw"), ("cube-lariat-2", "bw"), ("tether-5", "rb")])
def test_own_and_other_stones_are_those_of_the_colour_to_move(spec: str, letters: str) -> None:
    for position in some_positions(ropewalk.game(spec), 3):
        mover = position.colours[position.seat or 0][0]
        other = letters.replace(mover, "")
        contents = [position.contents.get(name, "") for name in position.game.board.names]
        assert plane(position, "own stone") == [int(token == mover) for token in contents]
        assert plane(position, "other stone") == [int(token == other) for token in contents]


@pytest.mark.parametrize("spec", ["lariat-1x3", "cube-lariat-2", "tether-5"])
def test_open_cells_are_where_a_stone_may_go(spec: str) -> None:
    for position in some_positions(ropewalk.game(spec), 4):
        moves = set(position.moves())
        assert plane(position, "open") == [int(name in moves) for name in position.game.board.names]


def test_the_pie_rule_is_seen_when_it_can_be_used() -> None:
    for position in some_positions(ropewalk.game("cube-lariat-2"), 5):
        assert set(plane(position, "may swap")) == {int("swap" in position.moves())}


def test_stacks_are_seen_from_the_top() -> None:
    for position in some_positions(ropewalk.game("liger-6"), 6):
        mover = position.colours[position.seat or 0][0]
        stacks = [position.contents.get(name, "") for name in position.game.board.names]
        for level in range(4):
            tops = [stack[-1 - level] if len(stack) > level else "" for stack in stacks]
            assert plane(position, f"own checker {level} from the top") == [int(top == mover) for top in tops]
        assert plane(position, "own below") == [stack[:-4].count(mover) if len(stack) > 4 else 0 for stack in stacks]
        assert set(plane(position, "own left")) == {"".join(stacks).count(mover)}


def own_neutral_other(position: Position) -> list[int]:
    """The colours that the mover controls, those that nobody does, those that only the opponent does."""
    mover = position.colours[position.seat or 0]
    held = position.game.text.colour_control(position.row)
    order = sorted("bpoy", key=lambda disc: 0 if mover in held[disc] else 2 if held[disc] else 1)
    return ["bpoy".index(disc) + 1 for disc in order]


def test_rings_discs_and_hands_are_seen() -> None:
    for position in some_positions(ropewalk.game("laocoon-weave"), 7):
        state = position.state
        spaces = range(64)
        assert plane(position, "own ring") == [int(state.rings[state.to_play]) >> space & 1 for space in spaces]
        for place, disc in enumerate(own_neutral_other(position), 1):
            assert plane(position, f"top colour {place}") == [int(state.upper[disc]) >> space & 1 for space in spaces]
            assert plane(position, f"under colour {place}") == [int(state.lower[disc]) >> space & 1 for space in spaces]
            assert set(plane(position, f"own hand colour {place}")) == {int(state.hands[state.to_play] == disc)}
            assert set(plane(position, f"other hand colour {place}")) == {int(state.hands[1 - state.to_play] == disc)}
        steps = {step[0] == "/" for step in position.moves()}
        assert set(plane(position, "disc")) == {int(steps == {True})}
