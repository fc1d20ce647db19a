"""`ropewalk verify`: replays game records, and says whether the rules agree or where they first differ."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import RopewalkError
from ..text import one_line
from .parser import Parser, add_json
from .printing import json_list

if TYPE_CHECKING:
    from ..records import Mismatch, Record

FINE, DIFFERENT = 0, 2

DESCRIPTION = (
    "Replay every node of game records, SGF or JSON, variations included: identical, or the first difference of each game. "
    "A difference is a turn that is illegal or of the wrong seat, a mark on no cell, a line that cannot be played, a value "
    "that makes no sense, or another result than the recorded one."
)

EXAMPLES = [
    ("ropewalk verify game.sgf", "one file"),
    ("ropewalk verify game.sgf more.json --json", "several, for programs"),
    ("ropewalk verify game.sgf --recover", "a damaged file as far as it makes sense"),
]


def define(parser: Parser) -> None:
    """Files, and how to read and answer."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="SGF or JSON, with one game or several")
    add_recover(parser)
    add_json(parser)


def add_recover(parser: Parser) -> None:
    """For damaged files."""
    words = "read a damaged SGF file as far as it makes sense, and say what was wrong"
    parser.add_argument("--recover", action="store_true", help=words)


def act(arguments: Namespace) -> int:
    """Replay all games of all files, then answer for each."""
    found = [verdict for file in arguments.files for verdict in verdicts(file, recover=arguments.recover)]
    print(json_list(found) if arguments.json else "\n".join(map(told, found)))
    return FINE if all(verdict["identical"] for verdict in found) else DIFFERENT


def verdicts(file: str, *, recover: bool) -> Iterator[dict[str, Any]]:
    """What there is to say of each game of a file."""
    from pathlib import Path

    from ..records import read_all

    try:
        records = read_all(Path(file), recover=recover)
    except RopewalkError as error:
        yield {"file": file, "game": None, "spec": None, "identical": False, "unreadable": str(error)}
        return
    for number, record in enumerate(records, start=1):
        yield {"file": file, "game": number, "games": len(records)} | verdict(record)


def verdict(record: Record) -> dict[str, Any]:
    """What there is to say of one game."""
    found = replayed(record)
    return {
        "spec": record.spec,
        "identical": found is None and not record.parse_faults,
        "turns": record.end.number,
        "nodes": sum(1 for _ in record.nodes()),
        "difference": None if found is None else vars(found) | {"message": str(found)},
        "dropped": list(map(str, record.parse_faults)),
    }


def replayed(record: Record) -> Mismatch | None:
    """The first difference, with a bar while it is looked for."""
    from ..progress import progress_bar
    from ..records import find_first_mismatch

    nodes = sum(1 for _ in record.nodes())
    with progress_bar("replaying") as report:
        return find_first_mismatch(record, lambda done: report(done, nodes))


def told(verdict: dict[str, Any]) -> str:
    """A line a game, and one for everything that was wrong with its file."""
    if "unreadable" in verdict:
        return one_line(f"{verdict['file']}: cannot be read: {verdict['unreadable']}")
    name = verdict["file"] + (f", game {verdict['game']}" if verdict["games"] > 1 else "")
    if verdict["difference"] is not None:
        words = f"differs at {verdict['difference']['message']}"
    else:
        words = f"{'identical' if verdict['identical'] else 'damaged'} ({verdict['turns']} turns, {verdict['nodes']} nodes)"
    return "\n".join([one_line(f"{name}: {words}"), *(f"  {one_line(fault)}" for fault in verdict["dropped"])])
