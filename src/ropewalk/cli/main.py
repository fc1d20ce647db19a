"""The command `ropewalk`: finds the command that is meant; turns every refusal into one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from .. import __version__
from ..bootstrap import block_scipy_import
from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis
from .parser import Parser, UsageError, read
from .printing import error_lines

FINE, REFUSED, INTERRUPTED, PIPE_CLOSED = 0, 2, 130, 141

COMMANDS = {  # each is a module of this package, see `module_of`
    "games": "list the games with their boards and options",
    "show": "draw a position and list its legal moves",
    "play": "play a game, against a person at the same keyboard or a bot",
    "diagram": "draw a position or a game as SVG, PNG or GIF",
    "verify": "replay game records and say where they go against the rules",
    "convert": "turn a file of game records from SGF into JSON or back",
    "perft": "count the sequences of steps by depth",
    "check": "try the claims of a game's rule sheet on random games",
    "solve": "find the exact value of a position, with a proof",
    "verify-proof": "check a proof file, trusting nothing but the rules",
    "arena": "let bots play each other, and measure their strength",
    "ugi": "be an engine that speaks UGI, for other programs",
    "analysis": "answer questions about many positions, in JSON",
    "train": "learn a game by self-play",
    "open": "open the table in a browser; ropewalk alone does the same",
    "serve": "serve matches to browsers and bots",
    "backup": "copy a server's database while it runs",
    "restore": "put such a copy back",
    "bench": "measure the speed of the games on this machine",
}

DESCRIPTION = "Lariat, Cube Lariat, Tether and Liger by Mark Steere; laoCoon by Alain Couchot and Bernard Klein."

EXAMPLES = [
    ("ropewalk", "open the table in a browser"),
    ("ropewalk games", "the games, their boards and options"),
    ("ropewalk show tether-9 e5 d6", "the position after two stones"),
    ("ropewalk play liger --bot 3", "a game against a bot"),
    ("ropewalk show --help", "what a command can do, with examples"),
]


def run() -> None:
    """What the shell calls."""
    block_scipy_import()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a byte or letter that the terminal does not know ends no program
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    try:
        code = obey(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except RopewalkError as error:
        print(error_lines(error), file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("ropewalk: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever reads along, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains while it exits
        return PIPE_CLOSED
    return code


def obey(argv: list[str]) -> int:
    """Hand the words over to the command that they begin with."""
    if argv[:1] == ["help"]:
        argv = [*argv[1:2], "--help"]
    try:
        if not argv and sys.stdin.isatty() and sys.stdout.isatty():
            return with_command("open", [])
        if not argv or argv[0].startswith("-"):
            return without_command(argv or ["--help"])
        return with_command(argv[0], argv[1:])
    except SystemExit:  # how argparse leaves after it has shown help or the version
        return FINE


def without_command(argv: list[str]) -> int:
    """Help, or the version."""
    sections = {"commands": list(COMMANDS.items()), "examples": EXAMPLES}
    parser = Parser("ropewalk", DESCRIPTION, sections, usage="ropewalk COMMAND ...")
    parser.add_argument("--version", action="version", version=f"ropewalk {__version__}", help="show the version and exit")
    read(parser, argv)
    return FINE


def module_of(command: str) -> str:
    """The module of a command: its name, without hyphens."""
    return f"{__package__}.{command.replace('-', '_')}"


def with_command(name: str, argv: list[str]) -> int:
    """Run one command on the words after its name."""
    if name not in COMMANDS:
        raise UsageError(f"{ellipsis(name)} is not a command, see ropewalk --help{did_you_mean(name, COMMANDS)}")
    command = import_module(module_of(name))
    parser = Parser(f"ropewalk {name}", command.DESCRIPTION, {"examples": command.EXAMPLES})
    command.define(parser)
    code: int = command.act(read(parser, argv))
    return code
