"""A contest: what is to be played, what has been played already, and playing the rest."""
# MERGED DOCSTRING: """Who plays whom, with which opening, from which seat: every opening twice, with seats exchanged."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from typing import Literal, TypeAlias

from ..games.game import Game
from ..jit.prng import splitmix64
from .match import GameResult
from .openings import generate_openings
from .results_file import ArenaGame, BotIdentity, ResultsFile, TournamentConfig, open_results
from .standings import Standings, compute_standings
from .worker_pool import ArenaWorkerPool, require_unchanged_bots


@dataclass(frozen=True)
class Tournament:
    """Some bots, how they meet, and for how long."""

    game: Game
    bots: tuple[str, ...]
    format: TournamentFormat
    games_per_pairing: int  # of each pairing
    opening_plies: int
    seed: int
    num_workers: int = 1
    opening_judge: str = ""  # by the judgement of this bot

    @property
    def pairings(self) -> list[Pairing]:
        """Who meets whom."""
        return make_pairings(self.format, len(self.bots))

    @property
    def config(self) -> TournamentConfig:
        """What must stay the same while a file of results grows."""
        return TournamentConfig(self.game.spec, self.format, self.opening_plies, self.seed, self.bots, self.opening_judge)

    def list_tasks(self) -> list[GameTask]:
        """All games."""
        num_pairs = self.games_per_pairing // 2
        return list(make_tasks(self.game, self.pairings, num_pairs, self.opening_plies, self.seed, self.opening_judge))

    def compute_standings(self, records: Sequence[ArenaGame]) -> Standings:
        """What the games so far say."""
        return compute_standings(self.bots, self.pairings, records)


def run_tournament(
    tournament: Tournament, path: Path | None, warn: Callable[[str], None]
) -> Generator[ArenaGame, None, None]:
    """All games: first those that the file has already, then those that are missing, as they are played."""
    with open_results(tournament.config, path) as results_file:
        if results_file.truncation_warning:
            warn(results_file.truncation_warning)
        yield from results_file.records.values()
        missing_tasks = [task for task in tournament.list_tasks() if task.key not in results_file.records]
        if missing_tasks:
            yield from play_missing(tournament, results_file, missing_tasks)


def play_missing(
    tournament: Tournament, results_file: ResultsFile, missing_tasks: Sequence[GameTask]
) -> Iterator[ArenaGame]:
    """Play games, each in the file before it is handed on."""
    with ArenaWorkerPool(tournament.game.spec, tournament.bots, tournament.num_workers) as worker_pool:
        identities = worker_pool.start_worker()
        require_unchanged_bots(results_file.identities or identities, identities)
        results_file.write_header(identities)
        for task, result in worker_pool.play_games(missing_tasks):
            record = make_record(tournament.game.spec, task, identities, result)
            results_file.add(record)
            yield record


def make_record(spec: str, task: GameTask, identities: Sequence[BotIdentity], result: GameResult) -> ArenaGame:
    """All there is to keep of a game."""
    first, second = task.seats
    progress = result.progress
    return ArenaGame(
        spec=spec,
        bots=(identities[first], identities[second]),
        pairing=task.pairing,
        pair=task.pair,
        exchanged=task.seats_swapped,
        seed=task.seed,
        opening=task.opening,
        moves=tuple(progress.moves),
        winner=result.winner,
        reason=result.reason,
        words=result.message,
        plies=len(task.opening) + len(progress.moves),
        seconds=round_times(progress.seconds),
        overrun=round_times(progress.overrun),
    )


def round_times(times: Sequence[float]) -> tuple[float, float]:
    """Times to the tenth of a millisecond."""
    first, second = (round(float(seconds), 4) for seconds in times)
    return first, second


TournamentFormat: TypeAlias = Literal["round-robin", "ladder", "gauntlet"]

Pairing: TypeAlias = tuple[int, int]  # two bots, by their places in the list of bots

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
