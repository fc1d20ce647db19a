"""Writes the games that the page's unit tests draw, as the server describes them: `make fixtures`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ropewalk
from ropewalk.games.registry import games
from ropewalk.server.views import board_view, entry_view, position_view

FIXTURES = Path(__file__).parents[2] / "web" / "fixtures"
SPECS = ("lariat-1x3", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-6")  # one for each kind of board


def build_boards() -> dict[str, Any]:
    """Return a board and its start position for every kind of board, by spec."""
    found = {}
    for spec in SPECS:
        game = ropewalk.game(spec)
        board, position = board_view(game).model_dump(), position_view(game.start(), moves=False).model_dump()
        found[spec] = {"board": board, "position": position}
    return found


def build_entries() -> list[Any]:
    """Return the list of games."""
    return [entry_view(entry).model_dump() for entry in games()]


def build_fixtures() -> dict[str, str]:
    """Return the text of every fixture by the name of its file."""
    boards = ",\n".join(f"{json.dumps(spec)}: {json.dumps(board, sort_keys=True)}" for spec, board in build_boards().items())
    entries = ",\n".join(json.dumps(entry, sort_keys=True) for entry in build_entries())
    return {"boards.json": f"{{\n{boards}\n}}\n", "entries.json": f"[\n{entries}\n]\n"}


if __name__ == "__main__":
    FIXTURES.mkdir(exist_ok=True)
    for name, text in build_fixtures().items():
        (FIXTURES / name).write_text(text, "utf-8")
