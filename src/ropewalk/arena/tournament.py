"""A contest: what is to be played, what has been played already, and playing the rest."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..games.game import Game
from ..stats.elo import Pairing
from .game_record import ArenaGame, BotIdentity
from .match import GameResult
from .results_file import ResultsFile, TournamentConfig, open_results
from .schedule import GameTask, TournamentFormat, make_pairings, make_tasks
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
