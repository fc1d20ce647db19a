"""What the games of a contest say: a score for every pairing, an Elo for every bot, and who lost by faults."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .elo import Estimate, elo_difference, ratings, score
from .record import Record
from .schedule import Pairing


@dataclass(frozen=True)
class PairingScore:
    """How one bot did against another. Games whose pair is not complete yet are counted, but not scored."""

    pairing: Pairing
    games: int
    pairs: tuple[int, ...]  # by the points of the first bot: 0, a half, 1, one and a half, 2
    score: Estimate | None  # None before the first pair
    elo: Estimate | None


@dataclass(frozen=True)
class Standings:
    """All there is to say of a contest."""

    bots: tuple[str, ...]
    pairings: tuple[PairingScore, ...]
    ratings: tuple[Estimate, ...]  # a bot each: its Elo, counted from the first bot
    faults: tuple[Counter[str], ...]  # a bot each: games lost by each kind of fault
    overrun: tuple[float, ...]  # a bot each: the longest time beyond its limit, in seconds

    def points(self, bot: int) -> tuple[int, float]:
        """The games of a bot's complete pairs, and its points in them."""
        games, points = 0, 0.0
        for found in self.pairings:
            if bot in found.pairing:
                played = 2 * sum(found.pairs)
                won = sum(halves * pairs for halves, pairs in enumerate(found.pairs)) / 2
                games += played
                points += won if found.pairing[0] == bot else played - won
        return games, points

    def as_json(self) -> dict[str, Any]:
        """All of it for programs."""
        return {
            "bots": [
                {"bot": bot, "elo": plain(rating), "faults": dict(faults), "overrun": overrun}
                for bot, rating, faults, overrun in zip(self.bots, self.ratings, self.faults, self.overrun, strict=True)
            ],
            "pairings": [
                {
                    "bots": [self.bots[bot] for bot in found.pairing],
                    "games": found.games,
                    "pairs": list(found.pairs),
                    "score": found.score and plain(found.score),
                    "elo": found.elo and plain(found.elo),
                }
                for found in self.pairings
            ],
        }


def plain(estimate: Estimate) -> dict[str, float | None]:
    """An estimate for JSON, which knows no infinity."""
    return {key: value if math.isfinite(value) else None for key, value in vars(estimate).items()}


def standings(names: Sequence[str], pairings: Sequence[Pairing], records: Iterable[Record]) -> Standings:
    """What the records say."""
    records = list(records)
    counts = np.array([pair_counts(pairing, records) for pairing in pairings])
    found = [pairing_score(pairing, line, records) for pairing, line in zip(pairings, counts, strict=True)]
    faults = [Counter(record.reason for record in records if record.fault_of == bot) for bot in range(len(names))]
    overrun = [longest_overrun(bot, records) for bot in range(len(names))]
    rated = ratings(len(names), pairings, counts)
    return Standings(tuple(distinct(names)), tuple(found), tuple(rated), tuple(faults), tuple(overrun))


def pair_counts(pairing: Pairing, records: Iterable[Record]) -> list[int]:
    """How many pairs ended with each score."""
    points: dict[int, list[float]] = {}
    for record in records:
        if record.pairing == pairing:
            points.setdefault(record.pair, []).append(record.points())
    ended = Counter(sum(both) for both in points.values() if len(both) == 2)
    return [ended[halves / 2] for halves in range(5)]


def pairing_score(pairing: Pairing, counts: Any, records: Iterable[Record]) -> PairingScore:
    """The result of one pairing."""
    games = sum(record.pairing == pairing for record in records)
    known = counts.sum() > 0
    return PairingScore(
        pairing, games, tuple(map(int, counts)), score(counts) if known else None, elo_difference(counts) if known else None
    )


def longest_overrun(bot: int, records: Iterable[Record]) -> float:
    """The longest time that a bot took beyond its limit."""
    overruns = [record.overrun[record.pairing.index(bot) ^ record.exchanged] for record in records if bot in record.pairing]
    return max(overruns, default=0.0)


def distinct(names: Sequence[str]) -> list[str]:
    """The names; one that comes again gets a number."""
    times = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return [name if time == 1 else f"{name} #{time}" for name, time in zip(names, times, strict=True)]
