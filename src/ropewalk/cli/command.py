"""The structure of a command of `ropewalk`, and the exit codes of all commands."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import NamedTuple

from ..console.formatting import Pairs
from .arguments import Parser

EXIT_OK = 0
EXIT_NEGATIVE = 1  # the command worked, and its answer is no: a claim is violated, a position is not solved
EXIT_USAGE = 2  # an error that invalid input causes
EXIT_INTERRUPTED = 130  # by Ctrl-C
EXIT_PIPE_CLOSED = 141  # the reader closed the output
EXIT_TERMINATED = 143  # by SIGTERM


class Command(NamedTuple):
    """A command: its help, its arguments, and the function that runs it and returns the exit code."""

    description: str
    examples: Pairs
    add_arguments: Callable[[Parser], None]
    run: Callable[[Namespace], int]
