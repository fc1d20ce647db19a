"""A tournament: its settings, its schedule, and playing the games that its results file does not have yet."""

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
    """Settings of a tournament between the bots with specs `bots`."""

    game: Game
    bots: tuple[str, ...]
    format: TournamentFormat
    games_per_pairing: int  # even
    opening_plies: int
    seed: int
    num_workers: int = 1
    opening_judge: str = ""  # spec of the bot that selects balanced openings; "" for any

    @property
    def pairings(self) -> list[Pairing]:
        """The pairings, as pairs of indices into `bots`."""
        return make_pairings(self.format, len(self.bots))

    @property
    def config(self) -> TournamentConfig:
        """The settings that must stay the same while a results file grows."""
        return TournamentConfig(self.game.spec, self.format, self.opening_plies, self.seed, self.bots, self.opening_judge)

    def list_tasks(self) -> list[GameTask]:
        """Return all games of the schedule."""
        num_pairs = self.games_per_pairing // 2
        return list(make_tasks(self.game, self.pairings, num_pairs, self.opening_plies, self.seed, self.opening_judge))

    def compute_standings(self, records: Sequence[ArenaGame]) -> Standings:
        """Compute the standings from the games finished so far."""
        return compute_standings(self.bots, self.pairings, records)


def run_tournament(
    tournament: Tournament, path: Path | None, warn: Callable[[str], None]
) -> Generator[ArenaGame, None, None]:
    """Yield all games: first those in the results file, then the missing ones as they finish.

    `path` is the results file, None to keep results in memory. `warn` is called with a message if the file was
    repaired. Raises ArenaError if the file cannot be used, BotError if a bot cannot be made or has changed. Closing the
    generator ends the worker processes.
    """
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
    """Play the tasks in worker processes; each game is in the results file before it is yielded."""
    with ArenaWorkerPool(tournament.game.spec, tournament.bots, tournament.num_workers) as worker_pool:
        identities = worker_pool.start_worker()
        require_unchanged_bots(results_file.identities or identities, identities)
        results_file.write_header(identities)
        for task, result in worker_pool.play_games(missing_tasks):
            record = make_record(tournament.game.spec, task, identities, result)
            results_file.add(record)
            yield record


def make_record(spec: str, task: GameTask, identities: Sequence[BotIdentity], result: GameResult) -> ArenaGame:
    """Return the record of a finished game."""
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
    """Round two durations to a tenth of a millisecond."""
    first, second = (round(float(seconds), 4) for seconds in times)
    return first, second
