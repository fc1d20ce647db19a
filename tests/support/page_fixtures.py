"""Writes the games that the page's unit tests draw, as the server describes them: `make fixtures`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ropewalk
from ropewalk.games.registry import games
from ropewalk.server.api.schemas.games import build_board, build_game_entry, build_position

FIXTURES = Path(__file__).parents[2] / "web" / "fixtures"
SPECS = ("lariat-1x3", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-6")  # one for each kind of board


def build_boards() -> dict[str, Any]:
    """Return a board and its start position for every kind of board, by spec."""
    boards = {}
    for spec in SPECS:
        game = ropewalk.game(spec)
        board, position = build_board(game).model_dump(), build_position(game.start(), moves=False).model_dump()
        boards[spec] = {"board": board, "position": position}
    return boards


def build_entries() -> list[Any]:
    """Return the list of games."""
    return [build_game_entry(entry).model_dump() for entry in games()]


def build_fixtures() -> dict[str, str]:
    """Return the text of every fixture by the name of its file."""
    boards = ",\n".join(f"{json.dumps(spec)}: {json.dumps(board, sort_keys=True)}" for spec, board in build_boards().items())
    entries = ",\n".join(json.dumps(entry, sort_keys=True) for entry in build_entries())
    return {"boards.json": f"{{\n{boards}\n}}\n", "entries.json": f"[\n{entries}\n]\n"}


if __name__ == "__main__":
    FIXTURES.mkdir(exist_ok=True)
    for name, text in build_fixtures().items():
        (FIXTURES / name).write_text(text, "utf-8")
