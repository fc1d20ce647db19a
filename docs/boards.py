"""The strongest level against the one below on every offered board: the page docs/boards.md.

    python docs/boards.py [--budget NAME] [--pairs N] [--workers N] [--minutes M] [--judge BOT] [--openings] [SPEC ...]

Both levels have 0.3 s per move and one core; with `--budget own` each its own budget, with `--budget slow` 0.1 s, as a core
that is a fifth as fast has in half a second. Openings are stored in docs/boards/openings.json, generated once for each board
by a judge; results in docs/boards/results.json. Every game is stored in the folder of the games as soon as it ends, so that
the same command resumes after an interruption. A match is played again only if one of its bots has changed. The result of an
unfinished match covers its first pairs; the next run plays the others, also on another machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from contests import Contests, Result, described

import ropewalk
from ropewalk.arena.game_record import ArenaGame, format_record, parse_record
from ropewalk.arena.match import ArenaPlayer, GameProgress, play_game
from ropewalk.arena.openings import DEFAULT_JUDGE, choose_default_plies, generate_openings
from ropewalk.arena.schedule import GameTask, derive_game_seed
from ropewalk.arena.standings import pentanomial_counts
from ropewalk.arena.tournament import make_record
from ropewalk.bots.bot_spec import parse_bot_spec
from ropewalk.games.definition import GameSpec
from ropewalk.stats.elo import estimate_score

DOCS = Path(__file__).parent
BUDGETS = {"equal": ("8@0.3s", "7@0.3s"), "own": ("8", "7"), "slow": ("8@0.1s", "7@0.1s")}  # the bots
TABLE_BUDGETS = ("equal", "own")  # the columns of the table
SEED = 1  # of openings, games and laoCoon's random layouts
MAX_DEFAULT_WORKERS = 14

HEAD = r"""# Strength on every board

Level 8 against level 7 on every offered board, in pairs: an opening of random moves is played twice with exchanged seats.
Openings are balanced: the judge, a bot, gives each seat at least 40 %, or as nearly so as it finds. Both levels have
0.3 s per move and one core, or their own budgets. The intervals are 95 % confidence intervals computed from pairs. `net` is
the beginning of the SHA-256 of the net that played, `judge` the judge's budget and net. Empty cells have not been measured;
scores marked \* were, before the budget or the net of one of the levels changed.
`make boards` plays missing games and writes this page; it needs a machine on which nothing else runs.
"""
SLOW_HEAD = """## On a slow core

0.1 s per move on one core, as a core that is a fifth as fast has in half a second: the same bots, openings and seeds.
"""
MATCH_COLUMNS = ("95 %", "pairs won, split, lost", "net")
COLUMNS = ("board", "judge", "0.3 s per move", *MATCH_COLUMNS, "own budgets", *MATCH_COLUMNS)
SLOW_COLUMNS = ("board", "0.1 s per move", *MATCH_COLUMNS)


class BoardMatch(NamedTuple):
    """A match of two bots on one board."""

    spec: str
    bots: tuple[str, str]  # bot specs

    @property
    def name(self) -> str:
        """The key of the match in results.json."""
        return f"{self.spec} {' '.join(self.bots)}"


def list_boards(entry: GameSpec) -> list[str]:
    """Return the specs of a game's presets and of its further setups, with SEED where a setup takes a seed."""
    seeded = [choice.format({option.name: SEED for option in choice.parameters}) for choice in entry.board.variants]
    return [f"{entry.key}-{board}" for board in (*entry.board.presets.values(), *seeded)]


# Openings


class OpeningRequest(NamedTuple):
    """Openings to generate for a board."""

    spec: str
    pairs: int
    judge: str  # bot spec


def make_openings(request: OpeningRequest) -> tuple[str, dict[str, Any]]:
    """Return the spec of a request with the judge's identity and the openings, each a list of moves."""
    game = ropewalk.game(request.spec)
    openings = islice(generate_openings(game, choose_default_plies(game), SEED, request.judge), request.pairs)
    return request.spec, {"judge": described(game, request.judge), "openings": list(map(list, openings))}


class StoredOpenings:
    """The openings of all boards, in a JSON file with one line per board."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.boards: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}  # by spec

    def missing(self, specs: Sequence[str], pairs: int) -> list[str]:
        """Return the boards that have fewer than `pairs` openings."""
        return [spec for spec in specs if len(self.boards.get(spec, {}).get("openings", ())) < pairs]

    def add(self, spec: str, found: dict[str, Any]) -> None:
        """Store the openings of a board and write the file."""
        self.boards[spec] = found
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(self.boards[name])}" for name in sorted(self.boards))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(f"{{\n{lines}\n}}\n")


# Games


def identify(game: ropewalk.Game, bot: str) -> str:
    """Return the stored identity of a bot; that of a level with a time limit includes the level's own budget."""
    base, _, limit = bot.partition("@")
    return f"{limit}: {described(game, base)}" if limit and base.isdigit() else described(game, bot)


class MatchGames:
    """The games of one match: a stored result of its first pairs, and a file of later games, one in a line."""

    def __init__(
        self, match: BoardMatch, openings: Sequence[Sequence[str]], folder: Path, stored: Result | None = None
    ) -> None:
        self.match = match
        self.openings = openings
        self.identities = [identify(ropewalk.game(match.spec), bot) for bot in match.bots]
        self.openings_hash = hashlib.sha256(json.dumps(openings).encode()).hexdigest()[:8]
        digest = hashlib.sha256(repr(self.identities).encode()).hexdigest()[:8]  # changed bots get a file of their own
        self.stored_counts: list[int] = stored["pairs"] if self.has_same_players(stored) else [0] * 5
        self.path = folder / f"{match.name.replace(' ', '-')}-{digest}.jsonl"
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        records = (parse_record(json.loads(line)) for line in lines)
        self.records: list[ArenaGame] = [record for record in records if self.is_wanted(record)]

    @property
    def num_stored(self) -> int:
        """The number of pairs in the stored result."""
        return sum(self.stored_counts)

    def is_wanted(self, record: ArenaGame) -> bool:
        """Return whether a game is not in the stored result and began with the opening of its pair."""
        is_missing = self.num_stored <= record.pair < len(self.openings)
        return is_missing and list(record.opening) == self.openings[record.pair]

    def has_same_players(self, stored: Result | None) -> TypeGuard[Result]:
        """Return whether a stored result is of the same bots and openings."""
        return stored is not None and stored["bots"] == self.identities and stored.get("openings") == self.openings_hash

    def improves_stored_result(self) -> bool:
        """Return whether the result has more pairs than the stored one."""
        return sum(self.result()["pairs"]) > self.num_stored

    def missing_tasks(self) -> list[GameTask]:
        """Return the games that neither the stored result nor the file has, pair by pair."""
        played = {record.key for record in self.records}
        tasks = (
            GameTask((0, 1), pair, swapped, tuple(opening), derive_game_seed(SEED, (0, 1, pair, swapped)))
            for pair, opening in enumerate(self.openings)
            for swapped in (False, True)
        )
        return [task for task in tasks if task.pair >= self.num_stored and task.key not in played]

    def add(self, record: ArenaGame) -> None:
        """Append a finished game to the file."""
        self.records.append(record)
        with self.path.open("a") as file:
            file.write(format_record(record) + "\n")

    def result(self) -> Result:
        """Return the stored format: bots, openings, and pentanomial counts of the pairs before the first missing game."""
        end = min((task.pair for task in self.missing_tasks()), default=len(self.openings))
        counts = pentanomial_counts((0, 1), [record for record in self.records if record.pair < end])
        total = [stored + played for stored, played in zip(self.stored_counts, counts, strict=True)]
        return {"bots": self.identities, "openings": self.openings_hash, "pairs": total}


class WorkerPlayers:
    """The two bots that a worker process has, kept from one game to the next."""

    match: BoardMatch | None = None
    players: tuple[ArenaPlayer, ...] = ()

    @classmethod
    def prepare(cls, match: BoardMatch) -> tuple[ArenaPlayer, ...]:
        """Return the bots of a match, warmed up; those of another match are closed."""
        if cls.match != match:
            for player in cls.players:
                player.discard_bot()
            game = ropewalk.game(match.spec)
            cls.match, cls.players = match, tuple(ArenaPlayer(game, parse_bot_spec(bot)) for bot in match.bots)
            for player in cls.players:
                player.ensure_bot()
        return cls.players


def pin_worker(cores: Any) -> None:
    """Bind this worker process to a core of its own, the next of a queue."""
    os.sched_setaffinity(0, {cores.get()})


def compile_kernels(match: BoardMatch) -> None:
    """Fill the kernel cache for the bots of a match."""
    WorkerPlayers.prepare(match)


def play_task(work: tuple[BoardMatch, GameTask]) -> tuple[BoardMatch, ArenaGame]:
    """Play one game in a worker process."""
    match, task = work
    players = WorkerPlayers.prepare(match)
    first, second = task.seats
    result = play_game(task, (players[first], players[second]), ignore_progress)
    return match, make_record(match.spec, task, [player.make_identity() for player in players], result)


def ignore_progress(progress: GameProgress) -> None:
    """Do nothing: a worker has no deadline but that of its bots."""


def take_until(works: Iterable[Any], deadline: float) -> Iterator[Any]:
    """Yield `works` until the deadline on the monotonic clock."""
    for work in works:
        if time.monotonic() > deadline:
            return
        yield work


def play_missing_games(matches: dict[BoardMatch, MatchGames], workers: int, deadline: float) -> None:
    """Play the missing games of all matches in `workers` processes, one core each; start none after the deadline."""
    works = [(match, task) for match, games in matches.items() for task in games.missing_tasks()]
    if not works:
        return
    first_matches = {ropewalk.game(match.spec).definition.key: match for match, _ in works}
    context = multiprocessing.get_context("spawn")
    cores = context.SimpleQueue()
    for core in sorted(os.sched_getaffinity(0), reverse=True)[:workers]:
        cores.put(core)
    workers = min(workers, len(os.sched_getaffinity(0)))
    with context.Pool(workers, pin_worker, (cores,)) as pool:
        pool.map(compile_kernels, first_matches.values(), 1)  # one process for each game; the others then load them
        num_left = len(works)
        running: list[Any] = []
        queued = take_until(works, deadline)
        while True:
            running += [pool.apply_async(play_task, (work,)) for work in islice(queued, workers - len(running))]
            if not running:
                return
            finished = [job for job in running if job.ready()]
            running = [job for job in running if not job.ready()]
            for job in finished:
                match, record = job.get()
                matches[match].add(record)
                num_left -= 1
                counts = matches[match].result()["pairs"]
                print(f"{match.name}: pairs by points {counts}; {num_left} games left", flush=True)
            time.sleep(0.02)


# The page


def format_match(match: BoardMatch, results: dict[str, Result]) -> list[str]:
    """Return score, interval, pairs and net of a match as cells of the table; empty cells for no result."""
    result = results.get(match.name)
    if result is None or not sum(result["pairs"]):
        return [""] * (1 + len(MATCH_COLUMNS))
    score, *others = format_result(result)
    return [score if is_current(match, result) else rf"{score} \*", *others]


def is_current(match: BoardMatch, result: Result) -> bool:
    """Return whether the bots of a result are those that would play the match now."""
    return bool(result["bots"] == [identify_on(match.spec, bot) for bot in match.bots])


@cache
def identify_on(spec: str, bot: str) -> str:
    """Return the identity of a bot on a board."""
    return identify(ropewalk.game(spec), bot)


def format_result(result: Result) -> list[str]:
    """Return score, interval, pairs and net of a result."""
    counts = result["pairs"]
    estimate = estimate_score(np.array(counts))
    pairs = f"{counts[3] + counts[4]}, {counts[2]}, {counts[0] + counts[1]}"
    interval = f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f} %"
    return [f"{100 * estimate.value:.1f} %", interval, pairs, result["bots"][0].rpartition("net ")[2]]


def render_page(results: dict[str, Result], judges: dict[str, str]) -> str:
    """Return the page with a table of all boards; `judges` has the identities of the judges by spec."""
    specs = [spec for entry in ropewalk.games() for spec in list_boards(entry)]

    def format_budget(spec: str, budget: str) -> list[str]:
        return format_match(BoardMatch(spec, BUDGETS[budget]), results)

    rows = [
        (spec, judges.get(spec, ""), *(cell for name in TABLE_BUDGETS for cell in format_budget(spec, name)))
        for spec in specs
    ]
    slow_rows = [(spec, *cells) for spec in specs if any(cells := format_budget(spec, "slow"))]
    parts = [HEAD, format_table(COLUMNS, rows), *([SLOW_HEAD, format_table(SLOW_COLUMNS, slow_rows)] if slow_rows else [])]
    return "\n".join(parts)


def format_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *rows)) + "\n"


def parse_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", metavar="SPEC", nargs="*", help="boards, in this order (all)")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of each match (20)")
    default_workers = max(1, min(MAX_DEFAULT_WORKERS, len(os.sched_getaffinity(0)) - 1))
    parser.add_argument("--workers", type=int, default=default_workers, help=f"games at a time ({default_workers})")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="start no game after M minutes")
    budget_help = "time per move: equal (0.3 s), own (each level's own budget) or slow (0.1 s)"
    parser.add_argument("--budget", choices=BUDGETS, default="equal", help=budget_help)
    help_text = f"bot that judges the openings of boards without stored ones ({DEFAULT_JUDGE}: level {DEFAULT_JUDGE})"
    parser.add_argument("--judge", default=DEFAULT_JUDGE, help=help_text)
    parser.add_argument("--openings", action="store_true", help="only generate missing openings")
    parser.add_argument("--data", type=Path, default=DOCS / "boards", help="folder of openings and results")
    parser.add_argument("--folder", type=Path, default=Path("build/boards"), help="folder of the games (build/boards)")
    return parser.parse_args()


def main() -> None:
    """Generate missing openings, play the missing games, and write the page."""
    arguments = parse_arguments()
    deadline = time.monotonic() + 60 * arguments.minutes
    specs = arguments.specs or [spec for entry in ropewalk.games() for spec in list_boards(entry)]
    stored = StoredOpenings(arguments.data / "openings.json")
    if missing := stored.missing(specs, arguments.pairs):
        with multiprocessing.get_context("spawn").Pool(arguments.workers) as pool:
            requests = [OpeningRequest(spec, arguments.pairs, arguments.judge) for spec in missing]
            for spec, found in pool.imap_unordered(make_openings, requests):
                stored.add(spec, found)
    if arguments.openings:
        return
    contests = Contests(arguments.data / "results.json", arguments.folder)
    matches = {}
    for match in (BoardMatch(spec, BUDGETS[arguments.budget]) for spec in specs):
        openings = stored.boards[match.spec]["openings"][: arguments.pairs]
        matches[match] = MatchGames(match, openings, arguments.folder, contests.results.get(match.name))
    play_missing_games(matches, arguments.workers, deadline)
    for match, games in matches.items():
        if games.improves_stored_result():
            contests.results[match.name] = games.result()
    contests.keep()
    judges = {spec: board["judge"] for spec, board in stored.boards.items()}
    (DOCS / "boards.md").write_text(render_page(contests.results, judges))


if __name__ == "__main__":
    main()
