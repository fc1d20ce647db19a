"""What is known of endless play in Liger and laoCoon: cycles, and the shortest ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import Batch, Position
from ropewalk.games.laocoon.claims import CYCLE as LAOCOON_CYCLE
from ropewalk.games.liger.claims import CYCLE as LIGER_CYCLE
from ropewalk.jit.kernel import kernel
from ropewalk.rules.generic import copy_row
from ropewalk.rules.interface import DRAW, ONGOING, apply_move, legal_moves, load_state, outcome, store_state


@kernel
def count_returns(rules: Any, rows: Any, moves: Any, counts: Any, tried: Any) -> int:
    """How many sequences of as many steps as there are rows after the first come back to the position in rows[0]."""
    home = load_state(rules, rows[0]).position_hash
    last = len(rows) - 1
    returns = level = 0
    counts[0] = legal_moves(rules, load_state(rules, rows[0]), moves[0])
    tried[0] = 0
    while level >= 0:
        if tried[level] == counts[level]:
            level -= 1
            continue
        row = rows[level + 1]
        copy_row(rows[level], row)
        store_state(rules, apply_move(rules, load_state(rules, row), moves[level, tried[level]]), row)
        tried[level] += 1
        state = load_state(rules, row)
        if level + 1 == last:
            returns += 1 if state.position_hash == home else 0
        elif outcome(rules, state) == ONGOING:
            level += 1
            counts[level] = legal_moves(rules, state, moves[level])
            tried[level] = 0
    return returns


def returns_within(position: Position, steps: int) -> int:
    """How many ways lead back to a position in so many steps."""
    rows = np.zeros((steps + 1, len(position.row)), np.int64)
    rows[0] = position.row
    moves = np.zeros((steps, position.game.max_legal_moves), np.int16)
    return int(count_returns(position.game.rules, rows, moves, np.zeros(steps, np.int64), np.zeros(steps, np.int64)))


def test_the_known_cycle_of_liger_takes_six_turns_and_no_shorter_one_leads_back() -> None:
    position = ropewalk.game("liger-4-norepetition").position("2/b,rbr/2/2 red")
    assert [returns_within(position, steps) for steps in (2, 4, 6)] == [0, 0, 1]
    assert len(LIGER_CYCLE.split()) == 6


def test_the_known_cycle_of_laocoon_takes_four_turns() -> None:
    text, turns = LAOCOON_CYCLE
    game = ropewalk.game("laocoon-weave-norepetition")
    position = game.position(text)
    for turn in turns.split():
        position = position.play(turn)
    assert position == game.position(text)
    assert len(turns.split()) == 4  # two cannot do: each player's ring must go and come back


@pytest.mark.slow
def test_no_reachable_position_of_liger_4x2_comes_back_in_fewer_than_six_turns() -> None:
    game = ropewalk.game("liger-4x2-norepetition")
    seen = {str(game.start())}
    queue = [game.start()]
    checked = 0
    while queue:
        position = queue.pop()
        checked += 1
        assert returns_within(position, 2) == returns_within(position, 4) == 0
        for move in position.moves():
            after = position.play(move)
            if str(after) not in seen:
                seen.add(str(after))
                queue.append(after)
    print(f"\nliger-4x2: no way back in 2 or 4 turns from any of {checked:,} reachable positions")
    assert checked == 1_276_509


def test_random_games_of_laocoon_do_come_to_draws_by_repetition() -> None:
    drawn = [moves for seed in range(6) for moves in drawn_games("laocoon-weave", seed)]
    cycles = sorted((last_cycle("laocoon-weave", moves) for moves in drawn), key=len)
    print(f"\n{len(drawn)} of {6 * GAMES:,} random games drawn; the shortest cycle: {' '.join(cycles[0])}")
    assert cycles
    assert len(cycles[0]) >= 8  # four turns of two steps


GAMES = 4096


def drawn_games(spec: str, seed: int) -> list[list[int]]:
    """The moves of those among many random games that were drawn."""
    batch = Batch(ropewalk.game(spec), GAMES, seed=seed)
    played = []
    while (batch.outcomes == ONGOING).any():
        played.append(np.where(batch.outcomes == ONGOING, batch.choose(), -1))
        batch.play(played[-1])
    return [[int(step[game]) for step in played if step[game] >= 0] for game in np.flatnonzero(batch.outcomes == DRAW)]


def last_cycle(spec: str, moves: list[int]) -> list[str]:
    """The steps that led a drawn game back to a position it had been in, shortest first."""
    position = ropewalk.game(spec).start()
    seen: dict[str, int] = {}
    cycle = list(map(position.game.move_text, moves))
    for count, move in enumerate(moves):
        text = str(position)
        if text in seen and count - seen[text] < len(cycle):
            cycle = [position.game.move_text(step) for step in moves[seen[text] : count]]
        seen[text] = count
        position = position.play_id(move)
    return cycle
