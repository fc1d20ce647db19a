"""Schedule of a tournament: pairings, openings and seats as game tasks.

Every opening is played twice per pairing, with the seats swapped. Keys and seeds depend only on the tournament's seed
and on the position in the schedule, so a longer tournament begins with the games of a shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal, TypeAlias

from ..games.game import Game
from ..jit.prng import splitmix64
from ..stats.elo import Pairing
from .openings import generate_openings

TournamentFormat: TypeAlias = Literal["round-robin", "ladder", "gauntlet"]
GameKey: TypeAlias = tuple[int, int, int, bool]  # first bot, second bot, index of the opening, whether seats are swapped


@dataclass(frozen=True)
class GameTask:
    """One game to play."""

    pairing: Pairing
    pair: int  # index of the opening
    seats_swapped: bool  # whether the second bot of the pairing has seat 0; otherwise the first has
    opening: tuple[str, ...]
    seed: int

    @property
    def key(self) -> GameKey:
        """The key of the game, unique within its tournament."""
        return (*self.pairing, self.pair, self.seats_swapped)

    @property
    def seats(self) -> Pairing:
        """The indices of the bots in seats 0 and 1."""
        first, second = self.pairing
        return (second, first) if self.seats_swapped else (first, second)


def make_pairings(tournament_format: TournamentFormat, num_bots: int) -> list[Pairing]:
    """Return all pairs (round-robin), each bot and the next (ladder), or the first bot and each other (gauntlet)."""
    if tournament_format == "ladder":
        return [(bot, bot + 1) for bot in range(num_bots - 1)]
    if tournament_format == "gauntlet":
        return [(0, bot) for bot in range(1, num_bots)]
    return list(combinations(range(num_bots), 2))


def make_tasks(
    game: Game, pairings: Sequence[Pairing], num_pairs: int, opening_plies: int, seed: int, judge: str = ""
) -> Iterator[GameTask]:
    """Yield all games, ordered by opening, then pairing, then seats.

    All pairings therefore progress at the same rate, and more pairs only append tasks.
    """
    for pair, opening in enumerate(islice(generate_openings(game, opening_plies, seed, judge), num_pairs)):
        for pairing in pairings:
            for seats_swapped in (False, True):
                yield GameTask(
                    pairing, pair, seats_swapped, opening, derive_game_seed(seed, (*pairing, pair, seats_swapped))
                )


def derive_game_seed(seed: int, key: Iterable[int]) -> int:
    """Return the seed of a game, in [0, 2**63); different keys give unrelated seeds."""
    for part in key:
        seed = splitmix64(seed ^ splitmix64(part))
    return seed >> 1
