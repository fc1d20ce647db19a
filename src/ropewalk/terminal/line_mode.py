"""The table line by line: for pipes, small terminals, and whoever has a screen read aloud."""

from __future__ import annotations

import sys
from contextlib import suppress

from .commands import Commands


def converse(commands: Commands) -> None:
    """Answer line after line; the end of input and Ctrl-C are goodbyes too."""
    typed_by_hand = sys.stdin is not None and sys.stdin.isatty()
    if typed_by_hand:
        with suppress(ImportError):  # Windows has none, and needs none
            import readline  # noqa: F401 -- makes the line editable
    while not commands.left:
        print()
        try:
            if commands.session.is_bots_turn():
                print(commands.play_bot())
                continue
            if commands.session.is_over_for_bots():
                return
            line = input(f"{commands.prompt()}> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not typed_by_hand:
            print(line)  # a terminal shows what is typed; a pipe's transcript should too
        try:
            if answer := commands.answer(line):
                print(answer)
        except KeyboardInterrupt:  # enough thought; the game goes on
            print("stopped")
