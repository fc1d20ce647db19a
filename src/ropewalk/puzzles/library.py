"""Files of puzzles: JSON lines, one puzzle a line, gzipped where the name ends in .gz; and the library in the package."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..atomic_file import atomic_write
from ..games.registry import games
from ..text import did_you_mean, ellipsis
from .puzzle import Puzzle, PuzzleError, puzzle_from_json

LIBRARY_DIR = Path(__file__).with_name("library")
SUFFIX = ".jsonl.gz"
GZIP_LEVEL = 9


def read_puzzles(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file. Raises PuzzleError with the line that is invalid."""
    try:
        raw = path.read_bytes()
        lines = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("ascii").splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise PuzzleError(f"cannot read the puzzles of {path}: {getattr(error, 'strerror', None) or error}") from None
    puzzles = []
    for number, line in enumerate(lines, start=1):
        try:
            data = json.loads(line)
            if "id" in data:  # other lines are the progress of a generator
                puzzles.append(puzzle_from_json(data))
        except (ValueError, TypeError, RecursionError) as error:
            raise PuzzleError(f"{path}, line {number}: {error}") from None
    return puzzles


def format_puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as one line of a file."""
    return json.dumps(puzzle.to_json(), separators=(",", ":"))


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a gzipped file of puzzles, sorted by spec, turns, difficulty and id; equal puzzles give equal bytes."""
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.spec, puzzle.turns, puzzle.difficulty, puzzle.id))
    text = "".join(f"{format_puzzle_line(puzzle)}\n" for puzzle in ordered)
    with atomic_write(path) as temporary_path:
        temporary_path.write_bytes(gzip.compress(text.encode("ascii"), GZIP_LEVEL, mtime=0))


@cache
def load_library() -> dict[str, Puzzle]:
    """Return the puzzles that come with the package, by id, in the order of the games."""
    paths = [LIBRARY_DIR / f"{definition.key}{SUFFIX}" for definition in games()]
    return {puzzle.id: puzzle for path in paths if path.exists() for puzzle in read_puzzles(path)}


def find_puzzle(puzzle_id: str) -> Puzzle:
    """Return the puzzle of the library with an id, or with the beginning of one that is unique. Raises PuzzleError."""
    library = load_library()
    if puzzle_id in library:
        return library[puzzle_id]
    matches = [known for known in library if known.startswith(puzzle_id)] if puzzle_id else []
    if len(matches) == 1:
        return library[matches[0]]
    if matches:
        raise PuzzleError(f"{len(matches)} puzzles begin with {ellipsis(puzzle_id)}, such as {matches[0]}; give more digits")
    hint = did_you_mean(puzzle_id, library)
    raise PuzzleError(f"unknown puzzle {ellipsis(puzzle_id)}; ropewalk puzzles list shows all{hint}")
