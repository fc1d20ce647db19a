"""Schedule of a tournament: pairings, openings and seats as game tasks with keys and seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal, TypeAlias

from ..games.game import Game
from ..jit.prng import splitmix64
from ..stats.elo import Pairing
from .openings import generate_openings

TournamentFormat: TypeAlias = Literal["round-robin", "ladder", "gauntlet"]

GameKey: TypeAlias = tuple[int, int, int, bool]  # what tells a game of a contest from the others


@dataclass(frozen=True)
class GameTask:
    """One game to play."""

    pairing: Pairing
    pair: int  # the number of its opening
    seats_swapped: bool  # whether the second bot of the pairing has seat 0
    opening: tuple[str, ...]
    seed: int

    @property
    def key(self) -> GameKey:
        """What tells it from the other games."""
        return (*self.pairing, self.pair, self.seats_swapped)

    @property
    def seats(self) -> Pairing:
        """The bots of seats 0 and 1."""
        first, second = self.pairing
        return (second, first) if self.seats_swapped else (first, second)


def make_pairings(tournament_format: TournamentFormat, num_bots: int) -> list[Pairing]:
    """Everybody against everybody, each against the next, or the first against all others."""
    if tournament_format == "ladder":
        return [(bot, bot + 1) for bot in range(num_bots - 1)]
    if tournament_format == "gauntlet":
        return [(0, bot) for bot in range(1, num_bots)]
    return list(combinations(range(num_bots), 2))


def make_tasks(
    game: Game, pairings: Sequence[Pairing], num_pairs: int, opening_plies: int, seed: int, judge: str = ""
) -> Iterator[GameTask]:
    """All games, so that all pairings stay abreast; those of more pairs begin with those of fewer."""
    for pair, opening in enumerate(islice(generate_openings(game, opening_plies, seed, judge), num_pairs)):
        for pairing in pairings:
            for seats_swapped in (False, True):
                yield GameTask(
                    pairing, pair, seats_swapped, opening, derive_game_seed(seed, (*pairing, pair, seats_swapped))
                )


def derive_game_seed(seed: int, key: GameKey) -> int:
    """A seed for each game of a contest."""
    for part in key:
        seed = splitmix64(seed ^ splitmix64(part))
    return seed >> 1
