"""`ropewalk games`: the games with designers, boards and options, without loading any of them."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from ... import games
from ...console.formatting import format_json_list, wrap
from ...games.definition import GameSpec
from ..arguments import Parser, add_json

DESCRIPTION = "List the games: who designed them, what they are about, and the specs that name their boards and options."

EXAMPLES = [
    ("ropewalk games", "everything, for people"),
    ("ropewalk games --json", "the same, for programs"),
    ("ropewalk show lariat-3x12-pie", "a spec: a game, its size, an option"),
]


def define(parser: Parser) -> None:
    """No game to name."""
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Print them all."""
    if arguments.json:
        print(format_json_list(map(described, games())))
    else:
        print("\n\n".join(map(told, games())))
    return 0


def described(entry: GameSpec) -> dict[str, Any]:
    """A game for programs: forms of specs apart from options, aliases with the specs they stand for."""
    return {
        "key": entry.key,
        "name": entry.name,
        "designer": entry.designer,
        "year": entry.year,
        "aim": entry.aim,
        "standard": entry.standard_spec,
        "sizes": {f"{entry.key}-{alias}": f"{entry.key}-{size}" for alias, size in entry.presets.items()},
        "forms": [form for form in entry.forms if not form.startswith("-")],
        "options": [form for form in entry.forms if form.startswith("-")],
        "examples": list(entry.examples),
    }


def told(entry: GameSpec) -> str:
    """A game for people."""
    known = described(entry)
    boards = [f"{entry.key} ({entry.standard})", *(f"{entry.key}-{alias} ({size})" for alias, size in entry.presets.items())]
    lines = [
        wrap(f"{entry.name}, by {entry.designer} ({entry.year})"),
        wrap(f"{entry.aim[0].upper()}{entry.aim[1:]}.", "  "),
        wrap(", ".join(boards), "  boards   "),
        *(wrap(form, f"  {'specs' if index == 0 else '':9}") for index, form in enumerate(known["forms"])),
    ]
    if known["options"]:
        lines.append(wrap(" ".join(known["options"]), "  options  "))
    return "\n".join(lines)
