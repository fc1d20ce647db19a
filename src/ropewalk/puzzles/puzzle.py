"""A puzzle: a position in which the seat to move wins by force, by a few moves only, with the proof of every move.

Values are those of the position as its text describes it: earlier positions of the game do not count. In games with
repetition a win never needs a repeated position, so it holds with the repetition rule too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import RopewalkError
from ..games.game import Game
from ..games.position import Position
from ..games.registry import game as game_of
from .strategy_tree import PositionRules, RulesView, State, StrategyTree, StrategyTreeError, TreeChecker, parse_strategy_tree

ID_DIGITS = 8  # hexadecimal digits of an id after the key of the game


class PuzzleError(RopewalkError):
    """A puzzle that does not exist, cannot be read, or is wrong."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle of one game."""

    id: str
    spec: str
    position_text: str
    seat: int  # to move, and to win
    winning_moves: tuple[str, ...]  # all moves that win, in the game's order
    turns: int  # of the winning seat until the game is won, against the defence that delays it longest
    difficulty: int  # the weakest level of bots that finds a winning move; one more than the highest if none does
    theme: str
    main_line: tuple[str, ...]  # a shortest win against the strongest defence, move by move
    proofs: tuple[str, ...]  # a strategy tree for each winning move, after it
    refutation: str  # a strategy tree of the other seat, which answers all other moves

    @cached_property
    def game(self) -> Game:
        """The game that is played."""
        return game_of(self.spec)

    @cached_property
    def position(self) -> Position:
        """The position to solve, without history."""
        return self.game.position(self.position_text)

    @property
    def key(self) -> str:
        """The key of the game, such as tether."""
        return self.id.rpartition("-")[0]

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle as JSON data, with its proof."""
        return {
            **self.summarise(),
            "main_line": list(self.main_line),
            "proofs": list(self.proofs),
            "refutation": self.refutation,
        }

    def summarise(self) -> dict[str, Any]:
        """Return what `ropewalk puzzles list --json` prints of a puzzle."""
        return {
            "id": self.id,
            "spec": self.spec,
            "position": self.position_text,
            "seat": self.seat,
            "winning_moves": list(self.winning_moves),
            "turns": self.turns,
            "difficulty": self.difficulty,
            "theme": self.theme,
        }


def puzzle_from_json(data: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle of JSON data. Raises PuzzleError if a part is missing or has another type."""
    try:
        return Puzzle(
            id=str(data["id"]),
            spec=str(data["spec"]),
            position_text=str(data["position"]),
            seat=int(data["seat"]),
            winning_moves=tuple(map(str, data["winning_moves"])),
            turns=int(data["turns"]),
            difficulty=int(data["difficulty"]),
            theme=str(data["theme"]),
            main_line=tuple(map(str, data["main_line"])),
            proofs=tuple(map(str, data["proofs"])),
            refutation=str(data["refutation"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PuzzleError(f"expected a puzzle with all of its parts; missing or invalid: {error}") from None


def make_puzzle_id(position: Position) -> str:
    """Return the id of a position's puzzle, the same for all symmetric images of the position."""
    text = f"{position.game.spec} {find_canonical_text(position)}"
    digest = hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]
    return f"{position.game.definition.key}-{digest}"


def find_canonical_text(position: Position) -> str:
    """Return the least text of a position's images under all symmetries of its game."""
    return min(str(position.transform(symmetry)) for symmetry in position.game.symmetries)


def check_puzzle(puzzle: Puzzle, rules: RulesView | None = None, state: State = None) -> int:
    """Check a puzzle by its proof, without a solver; return the number of positions visited.

    Every winning move must win against every defence, and after every other move the other seat must win. With `rules` and
    `state`, the position in another implementation of the rules, that one decides.

    Raises:
        PuzzleError: A proof fails, or the puzzle contradicts its position.
    """
    if rules is None:
        rules, state = PositionRules(), puzzle.position
    moves, checker = list(rules.list_moves(state)), TreeChecker(rules)
    if rules.get_seat(state) != puzzle.seat:
        raise PuzzleError(f"{puzzle.id}: seat {puzzle.seat} is not to move")
    if not puzzle.winning_moves or not set(puzzle.winning_moves) < set(moves):
        raise PuzzleError(f"{puzzle.id}: the winning moves must be some, but not all, of the legal moves")
    if len(puzzle.proofs) != len(puzzle.winning_moves):
        raise PuzzleError(f"{puzzle.id}: {len(puzzle.proofs)} proofs for {len(puzzle.winning_moves)} winning moves")
    try:
        for move, proof in zip(puzzle.winning_moves, puzzle.proofs, strict=True):
            tree = parse_strategy_tree(proof) if proof else None
            checker.require_win(rules.play(state, move), puzzle.seat, tree)
        other_moves = [move for move in moves if move not in puzzle.winning_moves]
        checker.require_answers(state, 1 - puzzle.seat, parse_strategy_tree(puzzle.refutation), other_moves)
    except StrategyTreeError as error:
        raise PuzzleError(f"{puzzle.id}: {error}") from None
    return checker.num_positions


def make_answer_tree(answers: Mapping[str, StrategyTree]) -> StrategyTree:
    """Return answers as a tree in which the answer to most moves is the default."""
    counts: dict[int, int] = {}
    for answer in answers.values():
        counts[id(answer)] = counts.get(id(answer), 0) + 1
    if not counts:
        return StrategyTree()
    most_used = max(counts, key=lambda key: counts[key])
    default = next(answer for answer in answers.values() if id(answer) == most_used)
    return StrategyTree(answers={move: answer for move, answer in answers.items() if answer is not default}, default=default)
