"""Who plays whom, with which opening, from which seat: every opening twice, with seats exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal, TypeAlias

from ..chance import splitmix64
from ..games.game import Game
from .openings import openings

Form: TypeAlias = Literal["round-robin", "ladder", "gauntlet"]
Pairing: TypeAlias = tuple[int, int]  # two bots, by their places in the list of bots
Key: TypeAlias = tuple[int, int, int, bool]  # what tells a game of a contest from the others


@dataclass(frozen=True)
class Fixture:
    """One game to play."""

    pairing: Pairing
    pair: int  # the number of its opening
    exchanged: bool  # whether the second bot of the pairing has seat 0
    opening: tuple[str, ...]
    seed: int

    @property
    def key(self) -> Key:
        """What tells it from the other games."""
        return (*self.pairing, self.pair, self.exchanged)

    @property
    def seats(self) -> Pairing:
        """The bots of seats 0 and 1."""
        first, second = self.pairing
        return (second, first) if self.exchanged else (first, second)


def pairings(form: Form, bots: int) -> list[Pairing]:
    """Everybody against everybody, each against the next, or the first against all others."""
    if form == "ladder":
        return [(bot, bot + 1) for bot in range(bots - 1)]
    if form == "gauntlet":
        return [(0, bot) for bot in range(1, bots)]
    return list(combinations(range(bots), 2))


def fixtures(
    game: Game, pairings: Sequence[Pairing], pairs: int, plies: int, seed: int, judge: str = ""
) -> Iterator[Fixture]:
    """All games, so that all pairings stay abreast; those of more pairs begin with those of fewer."""
    for pair, opening in enumerate(islice(openings(game, plies, seed, judge), pairs)):
        for pairing in pairings:
            for exchanged in (False, True):
                yield Fixture(pairing, pair, exchanged, opening, game_seed(seed, (*pairing, pair, exchanged)))


def game_seed(seed: int, key: Key) -> int:
    """A seed for each game of a contest."""
    for part in key:
        seed = splitmix64(seed ^ splitmix64(part))
    return seed >> 1
