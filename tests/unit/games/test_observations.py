"""Observations determine the position, and masks the legal moves, singly and in batches."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import ropewalk
from ropewalk import Batch, Game, Position
from ropewalk.games.laocoon.layouts import DISC_LETTERS
from ropewalk.rules.liger import PLANE_STACK_DEPTH

SPECS = (
    "lariat-1x3", "lariat-1x2-pie", "cube-lariat-2", "cube-lariat-4-nocorners-nopie", "tether-5", "tether-9",
    "laocoon-weave", "laocoon-random-7", "laocoon-quick-3", "liger-4", "liger-6", "liger-8",
)  # fmt: skip


def iterate_random_game(game: Game, seed: int, steps: int = 150) -> list[Position]:
    rng, positions = random.Random(seed), [game.start()]
    while positions[-1].seat is not None and len(positions) < steps:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
    return positions


def read_planes(position: Position) -> dict[str, NDArray[np.int8]]:
    observation = position.observation()
    return {plane.name: observation[:, index] for index, plane in enumerate(position.game.observation_planes)}


def decode_stones(game: Game, planes: dict[str, NDArray[np.int8]], own: str, other: str, rest: str) -> Position:
    tokens = [own if mine else other if theirs else "" for mine, theirs in zip(
        planes["own stone"], planes["other stone"], strict=True)]  # fmt: skip
    return Position.from_row(game, game.row_from_tokens(tokens, rest.split()))


def decode_lariat(game: Game, planes: dict[str, NDArray[np.int8]]) -> Position:
    """Black claims first, so the number of stones says whose turn it is. Who has swapped is not seen: take the seats."""
    stones = int(planes["own stone"].sum() + planes["other stone"].sum())
    own, other, colour = ("b", "w", "black") if stones % 2 == 0 else ("w", "b", "white")
    swapped = " swapped" if game.options["pie"] and stones == 1 and not planes["may swap"][0] else ""
    return decode_stones(game, planes, own, other, colour + swapped)


def decode_tether(game: Game, planes: dict[str, NDArray[np.int8]]) -> Position:
    red_sides = [int(cell in game.board.marked_cells["red"]) for cell in range(len(game.board))]
    is_red = planes["own side"].tolist() == red_sides
    return decode_stones(game, planes, *(("r", "b", "red") if is_red else ("b", "r", "blue")))


def decode_liger(game: Game, planes: dict[str, NDArray[np.int8]]) -> Position:
    """Stacks are seen from the top; of the checkers below the fourth only the numbers are seen."""
    is_red = planes["own farthest row"].tolist() == [int(square in game.board.rows[0]) for square in range(len(game.board))]
    own, other = ("r", "b") if is_red else ("b", "r")
    tokens = []
    for square in range(len(game.board)):
        token = own * planes["own below"][square] + other * planes["other below"][square]
        for level in reversed(range(PLANE_STACK_DEPTH)):
            token += own * planes[f"own checker {level} from the top"][square]
            token += other * planes[f"other checker {level} from the top"][square]
        tokens.append(token)
    return Position.from_row(game, game.row_from_tokens(tokens, ["red" if is_red else "blue"]))


def decode_laocoon(game: Game, planes: dict[str, NDArray[np.int8]], seat: int, letters: str) -> Position:
    """`letters` are the colours in the order in which the seat sees them: colours are interchangeable in this game."""
    own, other = ("()", "[]") if seat == 0 else ("[]", "()")
    tokens = []
    for space in range(len(game.board)):
        layers = [f"{where} colour {place}" for where in ("under", "top") for place in range(1, 5)]
        token = "".join(letters[int(name[-1]) - 1] for name in layers if planes[name][space])
        for rings, brackets in (("own ring", own), ("other ring", other)):
            token = brackets[0] + token + brackets[1] if planes[rings][space] else token
        tokens.append(token)
    phases = {"placing": "ring", "swapping": "swap", "second swap": "swap2", "disc": "disc"}
    fields = [game.colours[seat], next((word for name, word in phases.items() if planes[name][0]), "move")]
    for hand, holder in (("own hand", seat), ("other hand", 1 - seat)):
        fields += [
            f"{game.colours[holder]}:{letters[place - 1]}" for place in range(1, 5) if planes[f"{hand} colour {place}"][0]
        ]
    fields += [f"picked:{game.board.names[space]}" for space in np.flatnonzero(planes["picked"])]
    return Position.from_row(game, game.row_from_tokens(tokens, fields))


def order_of_colours(position: Position) -> str:
    """Return the disc letters in the order of the planes, by comparing a plane with the board."""
    planes, order = read_planes(position), ""
    contents = position.contents
    tops = [contents.get(name, "").strip("()[]")[-1:] for name in position.game.board.names]
    for place in range(1, 5):
        for letter in DISC_LETTERS[1:]:
            seen = planes[f"top colour {place}"].tolist()
            if seen == [int(top == letter) for top in tops] and letter not in order:
                order += letter
                break
        else:
            order += "?"
    missing = iter([letter for letter in DISC_LETTERS[1:] if letter not in order])
    return "".join(next(missing) if letter == "?" else letter for letter in order)


def decode(position: Position) -> Position:
    game, planes = position.game, read_planes(position)
    if "own ring" in planes:
        assert position.seat is not None
        return decode_laocoon(game, planes, position.seat, order_of_colours(position))
    decoders: dict[str, Callable[..., Position]] = {"own checker 0 from the top": decode_liger, "closed": decode_tether}
    return next((decoders[name] for name in decoders if name in planes), decode_lariat)(game, planes)


def forget_order_below(position: Position) -> str:
    """Return the text of a position of Liger whose deep checkers are sorted as `decode_liger` sorts them."""
    game = position.game
    own = "rb"[position.seat or 0]
    tokens = []
    for token in game.tokens(position.row):
        below, top = token[:-PLANE_STACK_DEPTH], token[-PLANE_STACK_DEPTH:]
        tokens.append("".join(sorted(below, key=lambda letter: letter != own)) + top)
    return str(Position.from_row(game, game.row_from_tokens(tokens, [game.colours[position.seat or 0]])))


@pytest.mark.parametrize("spec", SPECS)
def test_an_observation_is_decoded_back_into_the_position(spec: str) -> None:
    game = ropewalk.game(spec)
    for seed in range(4):
        for position in iterate_random_game(game, seed):
            if position.seat is None:
                continue
            expected = forget_order_below(position) if game.definition.key == "liger" else str(position)
            found = str(decode(position))
            assert found.removesuffix(" swapped") == expected.removesuffix(" swapped")


@pytest.mark.parametrize("spec", SPECS)
def test_masks_and_ids_are_those_of_the_legal_moves(spec: str) -> None:
    game = ropewalk.game(spec)
    for position in iterate_random_game(game, 5):
        ids, mask = position.move_ids(), position.action_mask()
        assert (np.diff(ids) > 0).all()
        assert mask.shape == (game.num_actions,)
        assert mask.dtype == np.bool_
        assert np.array_equal(np.flatnonzero(mask), ids)
        assert [game.move_text(move) for move in ids.tolist()] == position.moves()
        assert position.observation().shape == game.observation_shape


@pytest.mark.parametrize("spec", SPECS)
def test_no_game_is_longer_than_its_bound(spec: str) -> None:
    game = ropewalk.game(spec)
    bound = game.max_game_length
    assert (bound is None) == game.can_repeat
    if bound is None:
        return
    batch, steps = Batch(game, 200, seed=2), 0
    while (batch.outcomes == -1).any():
        batch.play_random()
        steps += 1
    assert steps <= bound


@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_sees_what_its_positions_see(spec: str) -> None:
    game = ropewalk.game(spec)
    batch = Batch(game, 12, seed=1)
    for _ in range(40):
        batch.play_random()
        observations, masks = batch.observations(), batch.action_masks()
        for index in (0, 5, 11):
            assert np.array_equal(observations[index], batch[index].observation())
            assert np.array_equal(masks[index], batch[index].action_mask())
