"""How many of the package's puzzles each level solves, by the turns to the win. Used by docs/ladder.py.

Results are stored in docs/ladder/tactics.json: a level is measured again only if it or the puzzles of its game have changed.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from contests import described

import ropewalk
from ropewalk.puzzles.library import load_library
from ropewalk.puzzles.puzzle import Puzzle

NUM_SEEDS = 3  # with which a level tries each puzzle


class TacticsTask(NamedTuple):
    """A level to be measured."""

    key: str  # of the game
    level: int

    @property
    def name(self) -> str:
        """The key of the level in the result file."""
        return f"{self.key} {self.level}"


def list_puzzles(key: str) -> list[Puzzle]:
    """Return the puzzles of a game on all of its boards."""
    return [puzzle for puzzle in load_library().values() if puzzle.key == key]


def classify_turns(turns: int) -> str:
    """Return the class of a puzzle by the turns to the win."""
    return "1" if turns == 1 else "2-3" if turns <= 3 else "4+"


def identify(task: TacticsTask) -> dict[str, str]:
    """Return what a result depends on: the level, and the puzzles."""
    puzzles = hashlib.sha256("".join(sorted(puzzle.id for puzzle in list_puzzles(task.key))).encode()).hexdigest()[:8]
    return {"bot": described(ropewalk.game(task.key), str(task.level)), "puzzles": puzzles}


def measure(task: TacticsTask) -> tuple[TacticsTask, dict[str, Any]]:
    """Return how many puzzles a level solves, with each of several seeds: [found, tried] by class."""
    found: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    bots: dict[str, ropewalk.Bot] = {}
    for puzzle in list_puzzles(task.key):
        bot = bots.setdefault(puzzle.spec, ropewalk.bot(puzzle.game, task.level))
        for seed in range(NUM_SEEDS):
            bot.new_game(seed)
            turns = classify_turns(puzzle.turns)
            found[turns] += bot.choose(puzzle.position) in puzzle.winning_moves
            tried[turns] += 1
    for bot in bots.values():
        bot.close()
    return task, identify(task) | {"found": {turns: [found[turns], tried[turns]] for turns in sorted(tried)}}


def measure_missing(path: Path, tasks: Sequence[TacticsTask], workers: int) -> dict[str, dict[str, Any]]:
    """Return the results of all tasks by name: stored ones if they are current, else measured now and stored."""
    results: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}
    missing = [task for task in tasks if not is_current(results.get(task.name), task)]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for task, result in pool.imap_unordered(measure, missing):
            results[task.name] = result
            print(f"{task.name}: {result['found']}", flush=True)
            store(path, results)
    return results


def is_current(result: dict[str, Any] | None, task: TacticsTask) -> bool:
    """Return whether a stored result is that of the present level and puzzles."""
    return result is not None and result.items() >= identify(task).items()


def store(path: Path, results: dict[str, dict[str, Any]]) -> None:
    """Write all results, one line each."""
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(results[name])}" for name in sorted(results))
    path.write_text(f"{{\n{lines}\n}}\n")


def list_tasks(keys: Iterable[str], levels: Iterable[int]) -> list[TacticsTask]:
    """Return the tasks of all games, the slowest levels first."""
    return [TacticsTask(key, level) for level in sorted(levels, reverse=True) for key in keys]
