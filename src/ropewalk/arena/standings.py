"""Standings of a tournament: a score per pairing, an Elo per bot, and the faults and time overruns of the bots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..stats.elo import Estimate, Pairing, estimate_elo_difference, estimate_ratings, estimate_score
from .game_record import ArenaGame


@dataclass(frozen=True)
class PairingScore:
    """Result of a pairing. `games` includes games of incomplete pairs, the other figures do not."""

    pairing: Pairing
    games: int
    pairs: tuple[int, ...]  # pentanomial: by the points of the first bot, 0, 0.5, 1, 1.5, 2
    score: Estimate | None  # of the first bot, in [0, 1]; None without a complete pair
    elo: Estimate | None  # of the first bot minus the second


@dataclass(frozen=True)
class Standings:
    """Standings of a tournament. Tuples other than `pairing_scores` are indexed by bot."""

    bots: tuple[str, ...]
    pairing_scores: tuple[PairingScore, ...]
    ratings: tuple[Estimate, ...]  # Elo relative to the first bot
    faults: tuple[Counter[str], ...]  # games lost by faults, by reason
    max_overrun_seconds: tuple[float, ...]  # largest excess of a move over its time limit
    first_fault_messages: tuple[str, ...] = ()  # of the first game lost by a fault, "" for none

    def points(self, bot: int) -> tuple[int, float]:
        """Return the number of games in a bot's complete pairs and its points in them."""
        games, points = 0, 0.0
        for pairing_score in self.pairing_scores:
            if bot in pairing_score.pairing:
                num_games = 2 * sum(pairing_score.pairs)
                first_bot_points = sum(half_points * pairs for half_points, pairs in enumerate(pairing_score.pairs)) / 2
                games += num_games
                points += first_bot_points if pairing_score.pairing[0] == bot else num_games - first_bot_points
        return games, points

    def as_json(self) -> dict[str, Any]:
        """Return the standings as JSON-compatible data, the format of `ropewalk arena --json`."""
        return {
            "bots": [
                {"bot": bot, "elo": estimate_to_json(rating), "faults": dict(faults), "overrun": overrun}
                for bot, rating, faults, overrun in zip(
                    self.bots, self.ratings, self.faults, self.max_overrun_seconds, strict=True
                )
            ],
            "pairings": [
                {
                    "bots": [self.bots[bot] for bot in pairing_score.pairing],
                    "games": pairing_score.games,
                    "pairs": list(pairing_score.pairs),
                    "score": pairing_score.score and estimate_to_json(pairing_score.score),
                    "elo": pairing_score.elo and estimate_to_json(pairing_score.elo),
                }
                for pairing_score in self.pairing_scores
            ],
        }


def estimate_to_json(estimate: Estimate) -> dict[str, float | None]:
    """Return value, low and high; infinite numbers become None, which JSON can represent."""
    return {key: value if math.isfinite(value) else None for key, value in vars(estimate).items()}


def compute_standings(names: Sequence[str], pairings: Sequence[Pairing], records: Iterable[ArenaGame]) -> Standings:
    """Compute the standings from finished games. `names` are the specs of the bots, `pairings` their indices."""
    records = list(records)
    counts = np.array([pentanomial_counts(pairing, records) for pairing in pairings])
    pairing_scores = [score_pairing(pairing, row, records) for pairing, row in zip(pairings, counts, strict=True)]
    faults = [Counter(record.reason for record in records if record.faulty_bot == bot) for bot in range(len(names))]
    overrun = [find_max_overrun(bot, records) for bot in range(len(names))]
    rating_estimates = estimate_ratings(len(names), pairings, counts)
    messages = [next((record.words for record in records if record.faulty_bot == bot), "") for bot in range(len(names))]
    return Standings(
        bots=tuple(make_names_distinct(names)),
        pairing_scores=tuple(pairing_scores),
        ratings=tuple(rating_estimates),
        faults=tuple(faults),
        max_overrun_seconds=tuple(overrun),
        first_fault_messages=tuple(messages),
    )


def pentanomial_counts(pairing: Pairing, records: Iterable[ArenaGame]) -> list[int]:
    """Return the number of complete pairs for each score of the pairing's first bot: [5]."""
    points: dict[int, list[float]] = {}
    for record in records:
        if record.pairing == pairing:
            points.setdefault(record.pair, []).append(record.points())
    pairs_by_points = Counter(sum(pair_points) for pair_points in points.values() if len(pair_points) == 2)
    return [pairs_by_points[half_points / 2] for half_points in range(5)]


def score_pairing(pairing: Pairing, counts: Any, records: Iterable[ArenaGame]) -> PairingScore:
    """Return the result of one pairing. `counts` ([5]) are its pairs, `records` are only used to count games."""
    games = sum(record.pairing == pairing for record in records)
    has_pairs = counts.sum() > 0
    return PairingScore(
        pairing,
        games,
        tuple(map(int, counts)),
        estimate_score(counts) if has_pairs else None,
        estimate_elo_difference(counts) if has_pairs else None,
    )


def find_max_overrun(bot: int, records: Iterable[ArenaGame]) -> float:
    """Return the largest excess of a bot over its time limit for a move, in seconds; 0 if there is none."""
    overruns = [record.overrun[record.pairing.index(bot) ^ record.exchanged] for record in records if bot in record.pairing]
    return max(overruns, default=0.0)


def make_names_distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with " #2", " #3" and so on appended to repeated ones."""
    occurrences = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [
        name if occurrence == 1 else f"{name} #{occurrence}" for name, occurrence in zip(names, occurrences, strict=True)
    ]
