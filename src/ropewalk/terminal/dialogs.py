"""Dialogs of the full screen: a question to confirm, and the help."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from ..console.formatting import format_pairs, limit_width, wrap
from ..games.game import Game
from .commands import COMMAND_HELP

KEY_HELP = [
    ("arrows, Home, End", "move the cursor; it wraps around where the board does"),
    ("Enter", "play on this cell; or select a piece, then its target"),
    ("Tab", "cycle through the moves of a cell or a target"),
    ("Esc", "cancel the selection; close the panel"),
    ("s", "swap or keep, if the rules allow it"),
    ("w", "explain the move on this cell, or why it is illegal"),
    ("h", "show a hint"),
    ("a", "turn analysis on or off: evaluation bar and best lines"),
    ("u", "take back the last move"),
    ("r", "resign"),
    ("PgUp, PgDn", "view earlier and later positions"),
    (": or /", "type a move or a command; Esc cancels"),
    ("m", "show or hide moves and messages"),
    ("t", "switch between light and dark colours"),
    ("q, Ctrl-C", "quit; an unfinished game is saved"),
]
HELP_WIDTH = 72


class ConfirmDialog(ModalScreen[bool]):
    """A question in the middle of the screen. The result is True for the key y, False for any other."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """Yield the question with its keys."""
        yield Static(f"{self.question} y: yes, any other key: no", id="question", markup=False)

    def on_key(self, event: Key) -> None:
        """Close the dialog with the answer."""
        event.stop()
        self.dismiss(event.key == "y")


class HelpScreen(ModalScreen[None]):
    """The legend of the board, the keys and the commands."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        """Yield one text that can be scrolled."""
        game = self.game
        with limit_width(HELP_WIDTH):
            parts = [
                wrap(f"{game.name}, by {game.designer} ({game.year}). {game.text.legend()} {game.text.header_note()}"),
                "Keys (any other key closes the help)\n" + format_pairs(KEY_HELP),
                f"Commands, typed after : or /\n{format_pairs(COMMAND_HELP)}\n{wrap(game.text.move_syntax(), '  ')}",
            ]
        yield VerticalScroll(Static("\n\n".join(parts), markup=False), id="help")

    def on_key(self, event: Key) -> None:
        """Let keys that scroll pass, and close the help by any other key."""
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end"):
            event.stop()
            self.dismiss()
