"""A question that y answers with yes, and any other key with no."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static


class ConfirmDialog(ModalScreen[bool]):
    """Asks in the middle of the screen."""

    CSS = """
    ConfirmDialog { align: center middle; }
    #question { width: auto; height: auto; border: round $warning; background: $surface; padding: 1 2; }
    """

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        """One line."""
        yield Static(f"{self.words} y: yes, any other key: no", id="question", markup=False)

    def on_key(self, event: Key) -> None:
        """The answer."""
        event.stop()
        self.dismiss(event.key == "y")
