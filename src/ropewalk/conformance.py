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
from .rules.questions import DRAW, ONGOING

MOST_CONTRACT_GAMES = 200  # games for the contract, which goes through Python; claims are checked by kernels
BATCH = 16


@dataclass(frozen=True)
class Finding:
    """What came of one claim."""

    claim: str
    cases: int
    violations: int
    seed: int
    example: str = ""  # the first violation
    note: str = ""
    expected: bool = False  # a violation that is known, and answered by a ruling


class Reference(Protocol):
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
class Tally:
    """Cases and violations of one part of the contract."""

    words: str
    cases: int = 0
    violations: int = 0
    example: str = ""

    def note(self, fine: bool, example: Callable[[], str]) -> None:
        """Count one case."""
        self.cases += 1
        if not fine:
            self.violations += 1
            self.example = self.example or example()


@dataclass
class Contract:
    """The parts of the contract, filled while random games are played."""

    game: Game
    reference: Reference | None
    chance: random.Random
    ids: Tally = field(default_factory=lambda: Tally("every move id has a text of its own, and back"))
    text: Tally = field(default_factory=lambda: Tally("a position's text reads back as the same position"))
    drawing: Tally = field(default_factory=lambda: Tally("a drawn board reads back as the same position"))
    legal: Tally = field(default_factory=lambda: Tally("listed moves are different, can be played, and are explained"))
    refused: Tally = field(default_factory=lambda: Tally("every other move is refused with reason, clause and cells"))
    turned: Tally = field(default_factory=lambda: Tally("symmetries commute with moves, play and outcome"))
    ended: Tally = field(default_factory=lambda: Tally("a finished game has an outcome, no seat and no moves"))
    same: Tally = field(default_factory=lambda: Tally("the naive reference agrees on moves, contents and outcome"))
    batch: Tally = field(default_factory=lambda: Tally("a batch steps as single positions do"))
    seeds: Tally = field(default_factory=lambda: Tally("the same seed gives the same games"))

    def tallies(self) -> Iterator[Tally]:
        """All parts that were checked."""
        for value in vars(self).values():
            if isinstance(value, Tally) and value.cases:
                yield value

    def check_ids(self) -> None:
        """Every id and text."""
        game = self.game
        for move in range(game.move_count):
            text = game.move_text(move)
            self.ids.note(game.move_id(text) == move, lambda move=move, text=text: f"{move} is {text}")  # type: ignore[misc]

    def play_game(self) -> list[str]:
        """Play one random game and look at every position of it; returns its moves."""
        position = self.game.start()
        state = self.reference.start() if self.reference else None
        played: list[str] = []
        while True:
            self.look_at(position)
            if self.reference:
                self.compare(position, state)
            if position.seat is None:
                return played
            move = self.chance.choice(position.moves())
            played.append(move)
            position = position.play(move)
            state = self.reference.play(state, move) if self.reference else None

    def look_at(self, position: Position) -> None:
        """Check all that can be said of one position."""
        game, text = self.game, str(position)
        self.text.note(game.position(text) == position, lambda: text)
        self.drawing.note(game.position(position.draw()) == position, lambda: text)
        moves = position.moves()
        if position.seat is None:
            self.ended.note(position.outcome is not None and not moves, lambda: text)
        else:
            fine = len(set(moves)) == len(moves) > 0 and position.outcome is None
            self.legal.note(fine and bool(position.explain(self.chance.choice(moves))), lambda: text)
        self.refused.note(self.refuses(position, moves), lambda: text)
        self.turned.note(self.turns(position, moves), lambda: text)

    def refuses(self, position: Position, moves: list[str]) -> bool:
        """Whether a random move that is not listed is refused, with a reason."""
        move = self.game.move_text(self.chance.randrange(self.game.move_count))
        if move in moves:
            return position.refusal(move) is None
        try:
            position.play(move)
        except IllegalMove as refusal:
            known = set(self.game.board.names)
            return bool(refusal.reason and refusal.clause and str(refusal)) and known.issuperset(refusal.witness)
        return False

    def turns(self, position: Position, moves: list[str]) -> bool:
        """Whether a random symmetry takes moves, play and outcome along."""
        symmetry = self.chance.choice(self.game.symmetries)
        image = position.mirrored(symmetry)
        turned = {move: self.game.move_text(int(symmetry.moves[self.game.move_id(move)])) for move in moves}
        if set(image.moves()) != set(turned.values()) or not self.same_ending(position, image, symmetry.exchanges):
            return False
        if not moves:
            return True
        move = self.chance.choice(moves)
        after, image_after = position.play(move), image.play(turned[move])
        fresh = self.game.position(str(after))  # a mirrored position remembers no earlier ones
        if after.outcome is not None and fresh.outcome is None:
            return True
        return fresh.mirrored(symmetry) == image_after

    @staticmethod
    def same_ending(position: Position, image: Position, exchanges: bool) -> bool:
        """Whether the image ended in the same way, for the other seat if the colours are exchanged."""
        if position.outcome is None or image.outcome is None:
            return position.outcome is image.outcome
        winner = position.outcome.winner
        expected = 1 - winner if exchanges and winner is not None else winner
        return (image.outcome.winner, image.outcome.reason) == (expected, position.outcome.reason)

    def compare(self, position: Position, state: Any) -> None:
        """Hold a position against the reference's."""
        assert self.reference is not None
        over = position.outcome
        fine = (
            set(position.moves()) == set(self.reference.moves(state))
            and position.contents == self.reference.contents(state)
            and (None if over is None else (over.winner, over.reason)) == self.reference.outcome(state)
        )
        self.same.note(fine, lambda: str(position))

    def check_batch(self, seed: int) -> None:
        """Step a batch to the end beside single positions, and once more with the same seed."""
        batch, again = Batch(self.game, BATCH, seed=seed), Batch(self.game, BATCH, seed=seed)
        singles = [self.game.start() for _ in range(BATCH)]
        while (batch.outcomes == ONGOING).any():
            chosen = batch.choose()
            self.seeds.note(np.array_equal(chosen, again.choose()), lambda: f"seed {seed}")
            singles = [
                single if single.seat is None else single.play_id(int(move))
                for single, move in zip(singles, chosen, strict=True)
            ]
            batch.play(chosen)
            again.play(chosen)
            for index, single in enumerate(singles):
                self.batch.note(self.agrees(batch, index, single), lambda single=single: str(single))  # type: ignore[misc]

    @staticmethod
    def agrees(batch: Batch, index: int, single: Position) -> bool:
        """Whether one position of a batch is as the single one."""
        over = single.outcome
        result = ONGOING if over is None else DRAW if over.winner is None else over.winner
        listed = batch.moves[index, : batch.counts[index]]
        return batch.outcomes[index] == result and np.array_equal(listed, single.move_ids())


def check(
    game: Game, *, games: int = 1000, seed: int = 0, reference: Reference | None = None, progress: Progress | None = None
) -> list[Finding]:
    """Check the contract on random games (200 at most), and every claim of this game on as many cases as asked for."""
    contract = Contract(game, reference, random.Random(f"{game.spec} {seed}"))
    rounds = min(games, MOST_CONTRACT_GAMES)
    claims = game.claims()
    total = rounds + len(claims)
    contract.check_ids()
    for done in range(rounds):
        contract.play_game()
        if progress:
            progress(done + 1, total)
    contract.check_batch(seed)
    findings = [Finding(tally.words, tally.cases, tally.violations, seed, tally.example) for tally in contract.tallies()]
    for done, claim in enumerate(claims, start=rounds + 1):
        cases, violations, example = claim.run(games, seed)
        findings.append(Finding(claim.words, cases, violations, seed, example, claim.note, claim.expected))
        if progress:
            progress(done, total)
    return findings
