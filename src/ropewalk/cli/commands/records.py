"""`ropewalk verify` and `ropewalk convert`: game records compared with the rules, and converted."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...console.formatting import format_json_list
from ...errors import RopewalkError
from ...text import one_line, plural
from ..arguments import Parser, add_json
from ..command import EXIT_OK, EXIT_USAGE, Command

if TYPE_CHECKING:
    from ...records import Mismatch, Record

VERIFY_DESCRIPTION = (
    "Replay every node of game records in SGF or JSON, including variations, and report the first mismatch of each "
    "game: a turn that is illegal or of the wrong seat, a mark on an unknown cell, an evaluation line that cannot be "
    "played, an invalid value, or a result that differs from the recorded one. The exit code is 0 if all records are "
    "identical to their replay, and 2 otherwise."
)

VERIFY_EXAMPLES = [
    ("ropewalk verify game.sgf", "one file"),
    ("ropewalk verify game.sgf more.json --json", "several files, output as JSON"),
    ("ropewalk verify game.sgf --recover", "the valid part of a damaged file"),
]


def add_verify_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk verify`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="SGF or JSON file with one or more games")
    add_recover(parser)
    add_json(parser)


def add_recover(parser: Parser) -> None:
    """Add the option --recover, for damaged files."""
    help_text = "read the valid part of a damaged SGF file and report the faults"
    parser.add_argument("--recover", action="store_true", help=help_text)


def run_verify(arguments: Namespace) -> int:
    """Replay all games of all files and print a verdict for each; return the exit code."""
    verdicts = [verdict for file in arguments.files for verdict in list_verdicts(file, recover=arguments.recover)]
    print(format_json_list(verdicts) if arguments.json else "\n".join(map(format_verdict, verdicts)))
    return EXIT_OK if all(verdict["identical"] for verdict in verdicts) else EXIT_USAGE


def list_verdicts(file: str, *, recover: bool) -> Iterator[dict[str, Any]]:
    """Yield the verdict of each game of a file, as JSON data; one verdict for a file that cannot be read."""
    from pathlib import Path

    from ...records import read_all

    try:
        records = read_all(Path(file), recover=recover)
    except RopewalkError as error:
        yield {"file": file, "game": None, "spec": None, "identical": False, "unreadable": str(error)}
        return
    for number, record in enumerate(records, start=1):
        yield {"file": file, "game": number, "games": len(records)} | make_verdict(record)


def make_verdict(record: Record) -> dict[str, Any]:
    """Return the verdict of one game, as JSON data."""
    difference = find_first_difference(record)
    return {
        "spec": record.spec,
        "identical": difference is None and not record.parse_faults,
        "turns": record.end.number,
        "nodes": sum(1 for _ in record.nodes()),
        "difference": None if difference is None else vars(difference) | {"message": str(difference)},
        "dropped": list(map(str, record.parse_faults)),
    }


def find_first_difference(record: Record) -> Mismatch | None:
    """Return the first difference between a record and the rules, if any, with a progress bar."""
    from ...progress import progress_bar
    from ...records import find_first_mismatch

    nodes = sum(1 for _ in record.nodes())
    with progress_bar("replaying") as report:
        return find_first_mismatch(record, lambda done: report(done, nodes))


def format_verdict(verdict: dict[str, Any]) -> str:
    """Return a verdict as one line, and one line for each fault of the file."""
    if "unreadable" in verdict:
        return one_line(f"{verdict['file']}: cannot be read: {verdict['unreadable']}")
    name = verdict["file"] + (f", game {verdict['game']}" if verdict["games"] > 1 else "")
    if verdict["difference"] is not None:
        text = f"differs at {verdict['difference']['message']}"
    else:
        text = f"{'identical' if verdict['identical'] else 'damaged'} ({verdict['turns']} turns, {verdict['nodes']} nodes)"
    return "\n".join([one_line(f"{name}: {text}"), *(f"  {one_line(fault)}" for fault in verdict["dropped"])])


CONVERT_DESCRIPTION = (
    "Convert a file of game records between SGF and JSON without loss; unknown properties are kept as they are. SGF "
    "is written in UTF-8."
)

CONVERT_EXAMPLES = [
    ("ropewalk convert game.sgf game.json", "SGF to JSON"),
    ("ropewalk convert more.json more.sgf", "JSON to SGF"),
    ("ropewalk convert damaged.sgf sound.sgf --recover", "the valid part of a damaged file"),
]


def add_convert_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk convert`."""
    parser.add_argument("source", metavar="IN", help="SGF or JSON file")
    parser.add_argument("target", metavar="OUT", help="file name ending in .sgf or .json; an existing file is overwritten")
    add_recover(parser)


def run_convert(arguments: Namespace) -> int:
    """Convert a file, and print what was written and what was dropped; return the exit code."""
    from pathlib import Path

    from ...records import read_all, save

    records = read_all(Path(arguments.source), recover=arguments.recover)
    save(records, arguments.target)
    for fault in records[0].parse_faults:
        print(f"ropewalk: {one_line(f'{arguments.source}: {fault}')}", file=sys.stderr)
    nodes = sum(1 for record in records for _ in record.nodes())
    print(one_line(f"{arguments.target}: {plural(len(records), 'game')}, {plural(nodes, 'node')}"))
    return EXIT_OK


COMMANDS = {
    "verify": Command(VERIFY_DESCRIPTION, VERIFY_EXAMPLES, add_verify_arguments, run_verify),
    "convert": Command(CONVERT_DESCRIPTION, CONVERT_EXAMPLES, add_convert_arguments, run_convert),
}
