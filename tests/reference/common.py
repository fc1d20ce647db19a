"""What the reference games share: the questions they answer, connected cells, and names of squares."""

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase
from typing import Any, Protocol, TypeAlias

Cells: TypeAlias = frozenset[str]
Neighbours: TypeAlias = Mapping[str, Cells]
State: TypeAlias = Any  # every game has its own kind, immutable and hashable
Outcome: TypeAlias = tuple[int | None, str]  # the winning seat (None for a draw), and the reason


class Reference(Protocol):
    """A game, told as plainly as its rules page tells it, for checking faster tellings."""

    spec: str
    cells: tuple[str, ...]

    def start(self) -> State:
        """The position before the first step."""

    def state_of(self, contents: Mapping[str, str], extras: Mapping[str, object]) -> State:
        """The position with these `contents` and `extras`, and nothing before it."""

    def seat(self, state: State) -> int | None:
        """The seat to choose the next step, or None when the game is over."""

    def moves(self, state: State) -> list[str]:
        """The legal steps, none when the game is over."""

    def play(self, state: State, move: str) -> State:
        """The position after a step, which is trusted to be one of `moves`."""

    def outcome(self, state: State) -> Outcome | None:
        """Who has won and why, or None while the game goes on."""

    def contents(self, state: State) -> dict[str, str]:
        """What is on the cells that are not empty."""

    def extras(self, state: State) -> dict[str, object]:
        """What belongs to the position and is on no cell."""


def reach(neighbours: Neighbours, start: str, within: Iterable[str]) -> Cells:
    """The connected piece of `within` that contains `start`."""
    unseen = set(within) - {start}
    piece = {start}
    frontier = [start]
    while frontier:
        found = neighbours[frontier.pop()] & unseen
        unseen -= found
        piece |= found
        frontier.extend(found)
    return frozenset(piece)


def pieces(neighbours: Neighbours, cells: Cells) -> Iterator[Cells]:
    """The connected pieces into which `cells` fall."""
    remaining = cells
    while remaining:
        piece = reach(neighbours, next(iter(remaining)), remaining)
        remaining -= piece
        yield piece


def both_ways(touching: Iterable[tuple[str, str]]) -> dict[str, Cells]:
    """The neighbours of every cell, from pairs of cells that touch."""
    neighbours: dict[str, set[str]] = {}
    for one, other in touching:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    return {cell: frozenset(around) for cell, around in neighbours.items()}


def square(column: int, row: int) -> str:
    """The name of a square, both counted from 0: (0, 0) is a1."""
    return f"{ascii_lowercase[column]}{row + 1}"
