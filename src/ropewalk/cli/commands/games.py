"""`ropewalk games` and `ropewalk show`: the games, and positions drawn as text."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from ... import game as game_of
from ... import games
from ...bots.level_strength import describe_level, load_level_strengths
from ...console.formatting import format_json_list, format_json_object, wrap
from ...games.definition import GameSpec
from ...games.registry import spec_of
from ...games.sequence import MoveSequence
from ..arguments import Parser, add_json, add_position, add_spec, read_position
from ..command import EXIT_OK, Command

GAMES_DESCRIPTION = (
    "List the games: designer, aim, the specs of their boards and options, and the Elo of their bots. With a GAME, describe "
    "each level of its bots by what was measured."
)

GAMES_EXAMPLES = [
    ("ropewalk games", "all games"),
    ("ropewalk games tether", "one game, with its levels"),
    ("ropewalk games --json", "as JSON"),
    ("ropewalk show lariat-3x12-pie", "a spec: game, size, option"),
]


def add_games_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk games`."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game, such as tether (all)")
    add_json(parser)


def run_games(arguments: Namespace) -> int:
    """Print all games or one, as text or JSON; return the exit code."""
    entries = games() if arguments.game is None else [spec_of(arguments.game)]
    if arguments.json:
        print(format_json_list(map(game_to_json, entries)))
    elif arguments.game is None:
        print("\n\n".join(map(format_game, entries)))
    else:
        print("\n\n".join(filter(None, [format_game(entries[0]), format_levels(entries[0])])))
    return EXIT_OK


def game_to_json(entry: GameSpec) -> dict[str, Any]:
    """Return a game as JSON data: patterns of specs apart from options, presets with the specs that they stand for."""
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
        "levels": [level._asdict() for level in load_level_strengths().get(entry.key, ())],
    }


def format_game(entry: GameSpec) -> str:
    """Return the entry of a game in the list, as text."""
    data = game_to_json(entry)
    boards = [f"{entry.key} ({entry.standard})", *(f"{entry.key}-{alias} ({size})" for alias, size in entry.presets.items())]
    lines = [
        wrap(f"{entry.name}, by {entry.designer} ({entry.year})"),
        wrap(f"{entry.aim[0].upper()}{entry.aim[1:]}.", "  "),
        wrap(", ".join(boards), "  boards   "),
        *(wrap(form, f"  {'specs' if index == 0 else '':9}") for index, form in enumerate(data["forms"])),
    ]
    if data["options"]:
        lines.append(wrap(" ".join(data["options"]), "  options  "))
    if data["levels"]:
        ratings = ", ".join(f"{level['elo']:,}" for level in data["levels"])
        lines.append(wrap(f"1 to {len(data['levels'])}, with an Elo of {ratings}", "  levels   "))
    return "\n".join(lines)


def format_levels(entry: GameSpec) -> str:
    """Return a line for each level of a game with what was measured, "" for a game without measurements."""
    strengths = load_level_strengths().get(entry.key, ())
    lines = [wrap(f"{describe_level(strengths, level)}.", f"  {level}  ") for level in range(1, len(strengths) + 1)]
    return "\n".join([wrap(f"Levels, measured on {entry.standard_spec}:"), *lines]) if lines else ""


SHOW_DESCRIPTION = (
    "Draw a position: the start of a game, or the position after moves. The output of show can be read again with "
    "--position - through a pipe."
)

SHOW_EXAMPLES = [
    ("ropewalk show lariat", "the standard board"),
    ("ropewalk show tether-9 e5 d6 --explain", "two moves, and what they do"),
    ("ropewalk show laocoon d4 e6 g2 b8 d4-e5 e6-f6/a1", "single moves and whole turns"),
    ("ropewalk show liger-4 --position '2/b,1/1,r/2 red'", "from a position text"),
    ("ropewalk show liger-4 --json", "as JSON"),
    ("ropewalk show liger | ropewalk show liger --position -", "from a drawn board"),
]


def add_show_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk show`."""
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="move or whole turn; moves are played in order")
    add_position(parser)
    parser.add_argument("--explain", action="store_true", help="explain each move")
    add_json(parser)


def run_show(arguments: Namespace) -> int:
    """Play the moves and print the position, as text or JSON; return the exit code."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ...console.position_text import format_status, format_title, position_to_json

    sequence = MoveSequence.play(read_position(game, arguments.position), arguments.moves)
    position = sequence.position
    explanations = sequence.explain() if arguments.explain else []
    if arguments.json:
        print(format_json_object(position_to_json(position) | ({"explanations": explanations} if arguments.explain else {})))
        return EXIT_OK
    steps = "\n".join(wrap(f"{number}. {text}", indent="   ") for number, text in enumerate(explanations, start=1))
    parts = [format_title(game), steps, position.draw(), wrap(game.text.legend()), str(position), format_status(position)]
    print("\n\n".join(filter(None, parts)))
    return EXIT_OK


COMMANDS = {
    "games": Command(GAMES_DESCRIPTION, GAMES_EXAMPLES, add_games_arguments, run_games),
    "show": Command(SHOW_DESCRIPTION, SHOW_EXAMPLES, add_show_arguments, run_show),
}
