"""Conformance checks: a contract that every game must satisfy, and the claims of its rule sheet.

The contract is checked on random games through `Position` and `Batch`, optionally against a reference implementation.

>>> import ropewalk, ropewalk.conformance
>>> results = ropewalk.conformance.check(ropewalk.game("tether-3"), games=5)
>>> any(result.violations for result in results)
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
from .games.claims import rule_claims
from .games.game import Game
from .games.position import Position
from .rules.interface import DRAW, ONGOING

MAX_CONTRACT_GAMES = 200  # random games for the contract, which runs in Python; claims run in kernels
BATCH_SIZE = 16  # positions


@dataclass(frozen=True)
class CheckResult:
    """The result of checking one claim."""

    claim: str
    cases: int  # checked
    violations: int  # among them
    seed: int
    example: str = ""  # the first violation, or ""
    note: str = ""
    expected: bool = False  # whether violations are known, and settled by a ruling


class ReferenceRules(Protocol):
    """An independent implementation of the same rules, with texts for moves, cells and contents."""

    def start(self) -> Any:
        """Return the start state."""

    def moves(self, state: Any) -> list[str]:
        """Return the texts of all legal moves, in any order."""

    def play(self, state: Any, move: str) -> Any:
        """Return the state after a legal move."""

    def contents(self, state: Any) -> dict[str, str]:
        """Return the tokens of all cells that are not empty, by cell name."""

    def outcome(self, state: Any) -> tuple[int | None, str] | None:
        """Return the winning seat (None: drawn) and the reason code; None if the game is ongoing."""


Progress = Callable[[int, int], None]  # called with the number of checks done and the total


@dataclass
class CheckCounter:
    """Counts of cases and violations of one clause of the contract."""

    claim: str
    cases: int = 0
    violations: int = 0
    example: str = ""

    def record(self, passed: bool, example: Callable[[], str]) -> None:
        """Count one case; on the first violation keep `example()`."""
        self.cases += 1
        if not passed:
            self.violations += 1
            self.example = self.example or example()


@dataclass
class ContractChecker:
    """Checks the contract on random games; one counter per clause."""

    game: Game
    reference: ReferenceRules | None
    rng: random.Random
    id_roundtrip: CheckCounter = field(default_factory=lambda: CheckCounter("move ids and move texts correspond one to one"))
    text_roundtrip: CheckCounter = field(
        default_factory=lambda: CheckCounter("a position's text reads back as the same position")
    )
    drawing_roundtrip: CheckCounter = field(
        default_factory=lambda: CheckCounter("a drawn board reads back as the same position")
    )
    legal_moves: CheckCounter = field(
        default_factory=lambda: CheckCounter("listed moves are distinct, can be played, and are explained")
    )
    refusals: CheckCounter = field(
        default_factory=lambda: CheckCounter("every other move is illegal, with reason, clause and cells")
    )
    symmetries: CheckCounter = field(default_factory=lambda: CheckCounter("symmetries commute with moves, play and outcome"))
    game_ends: CheckCounter = field(
        default_factory=lambda: CheckCounter("a finished game has an outcome, no seat and no moves")
    )
    reference_agreement: CheckCounter = field(
        default_factory=lambda: CheckCounter("the naive reference agrees on moves, contents and outcome")
    )
    batch_stepping: CheckCounter = field(default_factory=lambda: CheckCounter("a batch steps like single positions"))
    reproducibility: CheckCounter = field(default_factory=lambda: CheckCounter("the same seed gives the same games"))

    def iter_counters(self) -> Iterator[CheckCounter]:
        """Yield the counters of all clauses with at least one case."""
        for value in vars(self).values():
            if isinstance(value, CheckCounter) and value.cases:
                yield value

    def check_ids(self) -> None:
        """Check that every move id converts to a text and back."""
        game = self.game
        for move in range(game.num_actions):
            text = game.move_text(move)
            self.id_roundtrip.record(game.move_id(text) == move, lambda move=move, text=text: f"{move} is {text}")  # type: ignore[misc]

    def check_random_game(self) -> list[str]:
        """Play one random game, check each position of it, and return its moves."""
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
        """Check one position: texts, drawing, moves, one refusal and one symmetry."""
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
        """Return whether a random move is refused with reason, clause and valid witness cells, unless it is legal."""
        move = self.game.move_text(self.rng.randrange(self.game.num_actions))
        if move in moves:
            return position.refusal(move) is None
        try:
            position.play(move)
        except IllegalMove as refusal:
            cell_names = set(self.game.board.names)
            return bool(refusal.reason and refusal.clause and str(refusal)) and cell_names.issuperset(refusal.witness)
        return False

    def check_symmetry(self, position: Position, moves: list[str]) -> bool:
        """Return whether a random symmetry commutes with legal moves, outcome and one random move."""
        symmetry = self.rng.choice(self.game.symmetries)
        image = position.transform(symmetry)
        move_images = {move: self.game.move_text(int(symmetry.moves[self.game.move_id(move)])) for move in moves}
        if set(image.moves()) != set(move_images.values()) or not self.has_same_outcome(
            position, image, symmetry.swaps_colours
        ):
            return False
        if not moves:
            return True
        move = self.rng.choice(moves)
        after, image_after = position.play(move), image.play(move_images[move])
        after_without_history = self.game.position(str(after))  # a transformed position has no history
        if after.outcome is not None and after_without_history.outcome is None:
            return True
        return after_without_history.transform(symmetry) == image_after

    @staticmethod
    def has_same_outcome(position: Position, image: Position, swaps_colours: bool) -> bool:
        """Return whether the outcomes are equal, with seats exchanged if the symmetry swaps colours."""
        if position.outcome is None or image.outcome is None:
            return position.outcome is image.outcome
        winner = position.outcome.winner
        expected = 1 - winner if swaps_colours and winner is not None else winner
        return (image.outcome.winner, image.outcome.reason) == (expected, position.outcome.reason)

    def compare_with_reference(self, position: Position, state: Any) -> None:
        """Compare legal moves, contents and outcome with those of the reference."""
        assert self.reference is not None
        outcome = position.outcome
        agrees = (
            set(position.moves()) == set(self.reference.moves(state))
            and position.contents == self.reference.contents(state)
            and (None if outcome is None else (outcome.winner, outcome.reason)) == self.reference.outcome(state)
        )
        self.reference_agreement.record(agrees, lambda: str(position))

    def check_batch(self, seed: int) -> None:
        """Step a batch to the end and compare it with single positions and with a second batch of the same seed."""
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
        """Return whether position `index` of a batch has the outcome and legal moves of a single position."""
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
    """Check the contract and every claim of a game; return one result per clause and claim.

    Args:
        game: the game to check.
        games: sample size for the claims; the contract is checked on at most MAX_CONTRACT_GAMES games.
        seed: of all random choices.
        reference: an independent implementation to compare positions with.
        progress: called after each game and each claim.

    """
    checker = ContractChecker(game, reference, random.Random(f"{game.spec} {seed}"))
    num_games = min(games, MAX_CONTRACT_GAMES)
    claims = rule_claims(game)
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
