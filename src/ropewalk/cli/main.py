"""The command `ropewalk`: dispatches to a command and turns every error into one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from .. import __version__
from ..bootstrap import block_scipy_import, prefer_interpreter
from ..console.formatting import format_error
from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis
from .arguments import Parser, UsageError, parse_arguments
from .command import EXIT_INTERRUPTED, EXIT_OK, EXIT_PIPE_CLOSED, EXIT_USAGE, Command


class CommandEntry(NamedTuple):
    """A command in the list: its module in `commands`, which is imported when it runs, and a line of help."""

    module: str
    summary: str


COMMANDS = {
    "games": CommandEntry("games", "list the games with their boards and options"),
    "show": CommandEntry("games", "draw a position and list its legal moves"),
    "play": CommandEntry("play", "play a game, against a person at the same keyboard or a bot"),
    "puzzles": CommandEntry("puzzles", "list, play, check and generate puzzles with a proven win"),
    "diagram": CommandEntry("diagram", "draw a position or a game as SVG, PNG or GIF"),
    "verify": CommandEntry("records", "replay game records; report the first mismatch with the rules"),
    "convert": CommandEntry("records", "convert game records between SGF and JSON"),
    "perft": CommandEntry("checks", "count the move sequences by length"),
    "check": CommandEntry("checks", "check the claims of a game's rule sheet on random games"),
    "solve": CommandEntry("solve", "compute the exact value of a position, with a proof"),
    "verify-proof": CommandEntry("solve", "verify a proof file independently of the solver"),
    "arena": CommandEntry("arena", "play tournaments between bots and estimate their strength"),
    "report": CommandEntry("report", "write a report about a game from reproducible runs of bots"),
    "ugi": CommandEntry("engine", "run a UGI engine for other programs"),
    "analysis": CommandEntry("engine", "run an analysis engine with JSON queries"),
    "train": CommandEntry("train", "train a net by self-play"),
    "open": CommandEntry("server", "start a server and open its page in a browser (the default)"),
    "serve": CommandEntry("server", "serve matches to browsers and bots"),
    "engine-worker": CommandEntry("engine_worker", "search on this machine for a server on another one"),
    "engine-token": CommandEntry("engine_worker", "create or revoke the tokens of engine workers"),
    "backup": CommandEntry("server", "copy a server's database while it runs"),
    "restore": CommandEntry("server", "restore a server's database from a backup"),
    "moderate": CommandEntry("moderate", "handle reports, mute users, close accounts, announce"),
    "explorer": CommandEntry("explorer", "import games into the opening explorer of a server"),
    "bench": CommandEntry("checks", "measure the speed of the games on this machine"),
}

SHORT_COMMANDS = ("games", "show", "diagram", "verify", "convert")  # make few steps: to load kernels would take longer

EXTRAS = {"torch": "train", "onnx": "train", "ray": "cluster", "pyspiel": "openspiel"}  # of modules that only they install

DESCRIPTION = "Lariat, Cube Lariat, Tether and Liger by Mark Steere; laoCoon by Alain Couchot and Bernard Klein."

EXAMPLES = [
    ("ropewalk", "open the page in a browser"),
    ("ropewalk games", "the games, their boards and options"),
    ("ropewalk show tether-9 e5 d6", "the position after two moves"),
    ("ropewalk play liger --bot 3", "a game against a bot"),
    ("ropewalk show --help", "help of a command, with examples"),
]


def run() -> None:
    """Run the command line of the process and exit; the entry point of the installed script."""
    block_scipy_import()
    if sys.argv[1:2] and sys.argv[1] in SHORT_COMMANDS:
        prefer_interpreter()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a byte or letter that the terminal does not know ends no program
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line, by default that of the process; return its exit code."""
    try:
        code = dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except RopewalkError as error:
        print(format_error(error), file=sys.stderr)
        return EXIT_USAGE
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ropewalk":
            raise
        print(format_error(UsageError(describe_missing_module(error.name))), file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("ropewalk: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader, such as head, closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains while it exits
        return EXIT_PIPE_CLOSED
    return code


def describe_missing_module(name: str) -> str:
    """Return what to install for a module that a command needs: an extra, or the dependencies of the package."""
    extra = EXTRAS.get(name.partition(".")[0])
    package = f"'ropewalk[{extra}]'" if extra else "ropewalk"
    return f"this command needs {name}, which is not installed; install it with: pip install {package}"


def dispatch(argv: list[str]) -> int:
    """Run the command that a command line names; without one, open the page or print the help."""
    if argv[:1] == ["help"]:
        argv = [*argv[1:2], "--help"]
    try:
        if not argv and sys.stdin.isatty() and sys.stdout.isatty():
            return run_command("open", [])
        if not argv or argv[0].startswith("-"):
            return show_help(argv or ["--help"])
        return run_command(argv[0], argv[1:])
    except SystemExit:  # how argparse leaves after it has shown help or the version
        return EXIT_OK


def show_help(argv: list[str]) -> int:
    """Print the general help or the version; return the exit code."""
    sections = {"commands": [(name, entry.summary) for name, entry in COMMANDS.items()], "examples": EXAMPLES}
    parser = Parser("ropewalk", DESCRIPTION, sections, usage="ropewalk COMMAND ...")
    parser.add_argument("--version", action="version", version=f"ropewalk {__version__}", help="show the version and exit")
    parse_arguments(parser, argv)
    return EXIT_OK


def load_command(name: str) -> Command:
    """Import the module of a command and return the command. Raises UsageError for an unknown name."""
    if name not in COMMANDS:
        raise UsageError(f"unknown command {ellipsis(name)}; see ropewalk --help{did_you_mean(name, COMMANDS)}")
    module = import_module(f"{__package__}.commands.{COMMANDS[name].module}")
    command: Command = module.COMMANDS[name]
    return command


def run_command(name: str, argv: list[str]) -> int:
    """Run one command with the arguments after its name; return its exit code."""
    command = load_command(name)
    parser = Parser(f"ropewalk {name}", command.description, {"examples": command.examples})
    command.add_arguments(parser)
    return command.run(parse_arguments(parser, argv))
