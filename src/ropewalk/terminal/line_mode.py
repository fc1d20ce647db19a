"""Line mode: a read-eval-print loop for pipes, small terminals and screen readers."""

from __future__ import annotations

import sys
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from ..games.game import Game
from ..games.notation import DrawnCell
from ..games.position import Position
from .commands import CommandInterpreter
from .session import Session
from .theme import DARK, LIGHT, BoardColours, has_light_background, list_piece_styles


def run_line_mode(commands: CommandInterpreter) -> None:
    """Execute line after line until a command, the end of input or Ctrl-C ends the loop."""
    typed_by_hand = sys.stdin is not None and sys.stdin.isatty()
    if typed_by_hand:
        with suppress(ImportError):  # Windows has none, and needs none
            import readline  # noqa: F401 -- makes the line editable
    while not commands.has_quit:
        print()
        try:
            if commands.session.is_bots_turn():
                print(commands.play_bot())
                continue
            if commands.session.is_over_for_bots():
                return
            line = input(f"{commands.format_prompt()}> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not typed_by_hand:
            print(line)  # a terminal echoes its input; the transcript of a pipe should contain it too
        try:
            if answer := commands.execute(line):
                print(answer)
        except KeyboardInterrupt:  # Ctrl-C ends the search, not the game
            print("stopped")


def paint_piece(text: Text, game: Game, spot: DrawnCell, start: int, colours: BoardColours) -> None:
    """Apply the colours of the pieces on a cell to the text of its line."""
    for offset, style in enumerate(list_piece_styles(game, spot.symbol, colours)):
        if style:
            text.stylize(style, start + offset, start + offset + 1)


def draw_in_colour(session: Session) -> str:
    """Return the drawn board in view with ANSI colours."""
    return draw_position_in_colour(session.position)


def draw_position_in_colour(position: Position) -> str:
    """Return a drawn board with ANSI colours."""
    drawing = position.build_text_diagram()
    colours = LIGHT if has_light_background() else DARK
    lines = [Text(line) for line in str(drawing).splitlines()]
    for spot in drawing.cells:
        paint_piece(lines[spot.line], position.game, spot, spot.column, colours)
    console = Console(force_terminal=True, width=max(map(len, lines)) + 1, legacy_windows=False)
    with console.capture() as captured:
        for line in lines:
            console.print(line, soft_wrap=True)
    return captured.get().rstrip("\n")
