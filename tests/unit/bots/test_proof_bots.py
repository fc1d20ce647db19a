"""A prover says that a position is won or lost only when that is proven."""

from __future__ import annotations

from threading import Event

import pytest

import ropewalk
from ropewalk.bots.bot import BotError, Limit
from ropewalk.bots.proof_bots import ProofBot
from ropewalk.proofs.dfpn import SAW_DRAW
from ropewalk.proofs.dfpn_solver import DfpnSolver
from tests.unit.bots.test_levels import repeated_once


@pytest.mark.parametrize("spec", ["lariat-1x1", "tether-3", "liger-4x1"])
def test_what_it_says_wins_does(spec: str) -> None:
    game = ropewalk.game(spec)
    prover, solver = ProofBot(game, "prover", 1_000_000), DfpnSolver(game, 1 << 24)
    positions = [game.start(), *(game.start().play(move) for move in game.start().moves())]
    for position in positions:
        if position.seat is None:
            continue
        (report,) = prover.analyse(position)
        is_won = solver.solve(position.row, position.seat, max_nodes=10_000_000)
        assert (report.certainty, report.value) == ("proven", 1.0 if is_won else 0.0)
        after = position.play(report.lines[0].moves[0])
        if is_won:
            won = after.result == position.seat if after.seat is None else None
            assert won or solver.solve(after.row, position.seat, max_nodes=10_000_000)
        (again,) = prover.analyse(position)  # from what it remembers
        assert (again.certainty, again.lines[0].moves) == (report.certainty, report.lines[0].moves)


def test_it_forgets_and_then_repeats_itself() -> None:
    prover = ProofBot(ropewalk.game("tether-5"), "prover", 5_000)
    start = prover.game.start()
    counted = []
    for _ in range(2):
        prover.new_game(0)
        (report,) = prover.analyse(start)
        counted.append((report.visits, report.value, report.lines))
    assert counted[0] == counted[1]
    assert 5_000 <= counted[0][0] < 5_000 + prover.game.max_legal_moves, "a position is always looked at with all its moves"


def test_it_stops_when_it_is_cancelled() -> None:
    prover = ProofBot(ropewalk.game("tether-13"), "prover", 10**9)
    start = prover.game.start()
    cancelled = Event()
    cancelled.set()
    for limit in (Limit(visits=2_500), Limit(seconds=0.05), Limit(cancelled=cancelled)):
        (report,) = prover.analyse(start, limit)
        assert report.certainty == "estimate"
        assert report.visits < (limit.visits or 10**7) + prover.game.max_legal_moves


def test_a_proof_is_an_estimate_when_a_third_occurrence_may_draw() -> None:
    position = repeated_once("liger-4x2", seed=2)
    kinds: dict[tuple[bool, float], set[str]] = {}
    for occurred in (position, position.game.position(str(position))):
        for after in [occurred, *(after for after in map(occurred.play, occurred.moves()) if after.outcome is None)]:
            (report,) = ProofBot(position.game, "prover", 200_000).analyse(after)
            if report.value != 0.5:
                kinds.setdefault((after.has_repetition, report.value), set()).add(report.certainty)
    certainties = {True: {"estimate"}, False: {"proven"}}
    assert kinds == {(repeats, value): certainties[repeats] for repeats in (True, False) for value in (0.0, 1.0)}


def test_a_position_that_may_be_drawn_is_not_called_lost() -> None:
    prover = ProofBot(ropewalk.game("tether-3"), "prover", 1_000_000)
    start = prover.game.start()
    lost = next(after for after in map(start.play, start.moves()) if next(prover.analyse(after)).value == 0)
    prover.solver.stack.counters[SAW_DRAW] = 1
    assert next(prover.analyse(lost)).value == 0.5
    prover.new_game(0)
    assert next(prover.analyse(lost)).value == 0


def test_a_finished_game_is_refused() -> None:
    game = ropewalk.game("liger-4x1-norepetition")
    position = game.start()
    while position.outcome is None:
        position = position.play(position.moves()[0])
    with pytest.raises(BotError, match="the game is over"):
        next(iter(ProofBot(game, "prover", 100).analyse(position)))
