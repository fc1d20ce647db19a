"""A contract that any game passes, and the claims of the rule sheets as checks that can be run.

>>> import ropewalk, ropewalk.conformance
>>> findings = ropewalk.conformance.check(ropewalk.game("tether-3"), games=5)
>>> any(finding.violations for finding in findings)
False
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from .errors import IllegalMove
from .games.batch import Batch
from .games.game import Game, Position
from .rules.interface import DRAW, ONGOING

MAX_CONTRACT_GAMES = 200  # games for the contract, which goes through Python; claims are checked by kernels
BATCH_SIZE = 16


@dataclass(frozen=True)
class CheckResult:
    """What came of one claim."""

    claim: str
    cases: int
    violations: int
    seed: int
    example: str = ""  # the first violation
    note: str = ""
    expected: bool = False  # a violation that is known, and answered by a ruling


class ReferenceRules(Protocol):
    """A second implementation of the same rules, in texts."""

    def start(self) -> Any:
        """The start position."""

    def moves(self, state: Any) -> list[str]:
        """All legal steps."""

    def play(self, state: Any, move: str) -> Any:
        """The position after a legal step."""

    def contents(self, state: Any) -> dict[str, str]:
        """What stands on the cells that are not empty."""

    def outcome(self, state: Any) -> tuple[int | None, str] | None:
        """Winner and reason of a finished game."""


Progress = Callable[[int, int], None]  # called with checks done and checks in all


@dataclass
class CheckCounter:
    """Cases and violations of one part of the contract."""

    claim: str
    cases: int = 0
    violations: int = 0
    example: str = ""

    def record(self, passed: bool, example: Callable[[], str]) -> None:
        """Count one case."""
        self.cases += 1
        if not passed:
            self.violations += 1
            self.example = self.example or example()


@dataclass
class ContractChecker:
    """The parts of the contract, filled while random games are played."""

    game: Game
    reference: ReferenceRules | None
    rng: random.Random
    id_roundtrip: CheckCounter = field(default_factory=lambda: CheckCounter("every move id has a text of its own, and back"))
    text_roundtrip: CheckCounter = field(
        default_factory=lambda: CheckCounter("a position's text reads back as the same position")
    )
    drawing_roundtrip: CheckCounter = field(
        default_factory=lambda: CheckCounter("a drawn board reads back as the same position")
    )
    legal_moves: CheckCounter = field(
        default_factory=lambda: CheckCounter("listed moves are different, can be played, and are explained")
    )
    refusals: CheckCounter = field(
        default_factory=lambda: CheckCounter("every other move is refused with reason, clause and cells")
    )
    symmetries: CheckCounter = field(default_factory=lambda: CheckCounter("symmetries commute with moves, play and outcome"))
    game_ends: CheckCounter = field(
        default_factory=lambda: CheckCounter("a finished game has an outcome, no seat and no moves")
    )
    reference_agreement: CheckCounter = field(
        default_factory=lambda: CheckCounter("the naive reference agrees on moves, contents and outcome")
    )
    batch_stepping: CheckCounter = field(default_factory=lambda: CheckCounter("a batch steps as single positions do"))
    reproducibility: CheckCounter = field(default_factory=lambda: CheckCounter("the same seed gives the same games"))

    def iter_counters(self) -> Iterator[CheckCounter]:
        """All parts that were checked."""
        for value in vars(self).values():
            if isinstance(value, CheckCounter) and value.cases:
                yield value

    def check_ids(self) -> None:
        """Every id and text."""
        game = self.game
        for move in range(game.move_count):
            text = game.move_text(move)
            self.id_roundtrip.record(game.move_id(text) == move, lambda move=move, text=text: f"{move} is {text}")  # type: ignore[misc]

    def check_random_game(self) -> list[str]:
        """Play one random game and look at every position of it; returns its moves."""
        position = self.game.start()
        state = self.reference.start() if self.reference else None
        moves_played: list[str] = []
        while True:
            self.check_position(position)
            if self.reference:
                self.compare_with_reference(position, state)
            if position.seat is None:
                return moves_played
            move = self.rng.choice(position.moves())
            moves_played.append(move)
            position = position.play(move)
            state = self.reference.play(state, move) if self.reference else None

    def check_position(self, position: Position) -> None:
        """Check all that can be said of one position."""
        game, text = self.game, str(position)
        self.text_roundtrip.record(game.position(text) == position, lambda: text)
        self.drawing_roundtrip.record(game.position(position.draw()) == position, lambda: text)
        moves = position.moves()
        if position.seat is None:
            self.game_ends.record(position.outcome is not None and not moves, lambda: text)
        else:
            is_valid = len(set(moves)) == len(moves) > 0 and position.outcome is None
            self.legal_moves.record(is_valid and bool(position.explain(self.rng.choice(moves))), lambda: text)
        self.refusals.record(self.check_refusal(position, moves), lambda: text)
        self.symmetries.record(self.check_symmetry(position, moves), lambda: text)

    def check_refusal(self, position: Position, moves: list[str]) -> bool:
        """Whether a random move that is not listed is refused, with a reason."""
        move = self.game.move_text(self.rng.randrange(self.game.move_count))
        if move in moves:
            return position.refusal(move) is None
        try:
            position.play(move)
        except IllegalMove as refusal:
            cell_names = set(self.game.board.names)
            return bool(refusal.reason and refusal.clause and str(refusal)) and cell_names.issuperset(refusal.witness)
        return False

    def check_symmetry(self, position: Position, moves: list[str]) -> bool:
        """Whether a random symmetry takes moves, play and outcome along."""
        symmetry = self.rng.choice(self.game.symmetries)
        image = position.transformed(symmetry)
        move_images = {move: self.game.move_text(int(symmetry.moves[self.game.move_id(move)])) for move in moves}
        if set(image.moves()) != set(move_images.values()) or not self.has_same_outcome(
            position, image, symmetry.swaps_colours
        ):
            return False
        if not moves:
            return True
        move = self.rng.choice(moves)
        after, image_after = position.play(move), image.play(move_images[move])
        after_without_history = self.game.position(str(after))  # a mirrored position remembers no earlier ones
        if after.outcome is not None and after_without_history.outcome is None:
            return True
        return after_without_history.transformed(symmetry) == image_after

    @staticmethod
    def has_same_outcome(position: Position, image: Position, swaps_colours: bool) -> bool:
        """Whether the image ended in the same way, for the other seat if the colours are exchanged."""
        if position.outcome is None or image.outcome is None:
            return position.outcome is image.outcome
        winner = position.outcome.winner
        expected = 1 - winner if swaps_colours and winner is not None else winner
        return (image.outcome.winner, image.outcome.reason) == (expected, position.outcome.reason)

    def compare_with_reference(self, position: Position, state: Any) -> None:
        """Hold a position against the reference's."""
        assert self.reference is not None
        outcome = position.outcome
        agrees = (
            set(position.moves()) == set(self.reference.moves(state))
            and position.contents == self.reference.contents(state)
            and (None if outcome is None else (outcome.winner, outcome.reason)) == self.reference.outcome(state)
        )
        self.reference_agreement.record(agrees, lambda: str(position))

    def check_batch(self, seed: int) -> None:
        """Step a batch to the end beside single positions, and once more with the same seed."""
        batch, replica = Batch(self.game, BATCH_SIZE, seed=seed), Batch(self.game, BATCH_SIZE, seed=seed)
        singles = [self.game.start() for _ in range(BATCH_SIZE)]
        while (batch.outcomes == ONGOING).any():
            moves = batch.choose()
            self.reproducibility.record(np.array_equal(moves, replica.choose()), lambda: f"seed {seed}")
            singles = [
                single if single.seat is None else single.play_id(int(move))
                for single, move in zip(singles, moves, strict=True)
            ]
            batch.play(moves)
            replica.play(moves)
            for index, single in enumerate(singles):
                self.batch_stepping.record(self.matches_single(batch, index, single), lambda single=single: str(single))  # type: ignore[misc]

    @staticmethod
    def matches_single(batch: Batch, index: int, single: Position) -> bool:
        """Whether one position of a batch is as the single one."""
        outcome = single.outcome
        result = ONGOING if outcome is None else DRAW if outcome.winner is None else outcome.winner
        legal_moves = batch.moves[index, : batch.counts[index]]
        return batch.outcomes[index] == result and np.array_equal(legal_moves, single.move_ids())


def check(
    game: Game,
    *,
    games: int = 1000,
    seed: int = 0,
    reference: ReferenceRules | None = None,
    progress: Progress | None = None,
) -> list[CheckResult]:
    """Check the contract on random games (200 at most), and every claim of this game on as many cases as asked for."""
    checker = ContractChecker(game, reference, random.Random(f"{game.spec} {seed}"))
    num_games = min(games, MAX_CONTRACT_GAMES)
    claims = game.claims()
    total = num_games + len(claims)
    checker.check_ids()
    for done in range(num_games):
        checker.check_random_game()
        if progress:
            progress(done + 1, total)
    checker.check_batch(seed)
    results = [
        CheckResult(counter.claim, counter.cases, counter.violations, seed, counter.example)
        for counter in checker.iter_counters()
    ]
    for done, claim in enumerate(claims, start=num_games + 1):
        cases, violations, example = claim.check(games, seed)
        results.append(CheckResult(claim.statement, cases, violations, seed, example, claim.note, claim.violation_expected))
        if progress:
            progress(done, total)
    return results
