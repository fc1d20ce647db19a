"""Texts and tables that files and clients depend on: specs, the list of games, option views, bot budgets, net hashes.

The stored values are in games.json. After an intended change, rewrite them and review the difference:

    python -m tests.golden.test_games --write
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import ropewalk
from ropewalk import BotError, SpecError
from ropewalk.bots.bot_spec import make_bot, parse_bot_spec
from ropewalk.games.definition import BoolOption, GameOptions, GameSpec, IntOption, OptionChoice
from ropewalk.nets.config import file_sha256
from ropewalk.nets.onnx_evaluator import resolve_net_path
from ropewalk.server.api.schemas.options import build_options

STORED = Path(__file__).with_name("games.json")
WEAVE = "bpoybpoyoybpoybp" * 4
SPECS = [
    # no game
    "", " ", "chess", "go-19", "lariet", "lariat2x10", "cube", "cubelariat-4", "cube-lariet", "laocon-weave", "ligre-8", "-",
    "tethers-9", "x" * 100, "tether-" + "1" * 300, "TETHER-5", "  tether-5 ", "tether_5", "Lariat", "LAOCOON", "läriat-2x10",
    # Lariat
    "lariat", "lariat-", "lariat-2x10", "lariat-small", "lariat-standard", "lariat-large", "lariat-02x010", "lariat-1x1",
    "lariat-6x24", "lariat-7x10", "lariat-0x10", "lariat-2x0", "lariat-2x25", "lariat-2", "lariat-x10", "lariat-2x",
    "lariat-axb",
    "lariat-pie", "lariat-2x10-pie", "lariat-small-pie", "lariat-pie-2x10", "lariat-2x10-pie-pie", "lariat-2x10-nopie",
    "lariat-2x10-pi", "lariat-2x10-", "lariat-2x10--pie", "lariat-2x10-norepetition", "lariat--pie", "lariat-2x10x3",
    "lariat-٢x10", "lariat-1000000000000x2", "lariat-" + "9" * 70 + "x2",
    # Cube Lariat
    "cube-lariat", "cube-lariat-4", "cube-lariat-small", "cube-lariat-large", "cube-lariat-2", "cube-lariat-8",
    "cube-lariat-3",
    "cube-lariat-0", "cube-lariat-10", "cube-lariat-1", "cube-lariat-04", "cube-lariat-four", "cube-lariat-nopie",
    "cube-lariat-nocorners", "cube-lariat-4-nopie-nocorners", "cube-lariat-4-nocorners-nopie", "cube-lariat-4-pie",
    "cube-lariat-4-corners", "cube-lariat-4-nopie-nopie", "cube-lariat-4-nopies", "cube-lariat-4x4", "cube-lariat-",
    # Tether
    "tether", "tether-3", "tether-13", "tether-19", "tether-21", "tether-1", "tether-4", "tether-20", "tether-09",
    "tether-small",
    "tether-large", "tether-smal", "tether-13-pie", "tether-pie", "tether-13x13", "tether--5", "tether-norepetition",
    "tether-5-5",
    # laoCoon
    "laocoon", "laocoon-weave", "laocoon-blocks", "laocoon-weave-norepetition", "laocoon-norepetition", "laocoon-random",
    "laocoon-quick", "laocoon-random-7", "laocoon-random-007", "laocoon-quick-7", "laocoon-quick-0",
    "laocoon-random-norepetition",
    "laocoon-random-7-norepetition", "laocoon-random-9223372036854775807", "laocoon-random-9223372036854775808",
    "laocoon-quick--1", "laocoon-random-weave", "laocoon-wave", "laocoon-block", "laocoon-7", "laocoon-standard",
    f"laocoon-{WEAVE}", f"laocoon-random-{WEAVE}", f"laocoon-quick-{WEAVE}-norepetition", f"laocoon-{WEAVE.upper()}",
    f"laocoon-{WEAVE[:-1]}", f"laocoon-{WEAVE}b", f"laocoon-{WEAVE[:-1]}x", f"laocoon-{WEAVE[:-1]}b",
    "laocoon-bpoybpoybpoybpoy",
    "laocoon-bpoy", "laocoon-weave-repetition", "laocoon-weave-weave", "laocoon-weave-norepetition-norepetition",
    "laocoon-" + "boypypbo" * 8,
    # Liger
    "liger", "liger-4", "liger-8", "liger-10", "liger-12", "liger-2", "liger-5", "liger-small", "liger-large", "liger-8x3",
    "liger-8x4", "liger-8x5", "liger-8x0", "liger-4x1", "liger-4x2", "liger-4x3", "liger-10x5", "liger-x3", "liger-8x",
    "liger-08x03", "liger-norepetition", "liger-8-norepetition", "liger-8x3-norepetition", "liger-8-pie", "liger-8-norep",
]  # fmt: skip
BOT_NAMES = [
    "level-3", "3", "level:3", "level-9", "9", "level-0", "uct", "uct@0.1s", "uct@5000", "net", "net@200",
    "net:nowhere.onnx",
    "advised@0.3s", "greedy@50", "greedy:5", "random", "random@1s", "ugi:", "ugi", "ugi:engine --fast@1s", "py:os", "py",
    "grady",
    "", "uct@", "uct@x", "@5", "level-", "level-three", "net:", "ugi:@5",
]  # fmt: skip


def spec_result(spec: str) -> str:
    """The canonical spelling of a good spec with its options, the error text of a bad one."""
    try:
        game = ropewalk.game(spec)
    except SpecError as error:
        return f"SpecError: {error}"
    return f"{game.spec} {dict(game.options)}"


def bot_name_result(text: str) -> str:
    """A name taken apart, or the error text of a bad one."""
    try:
        name = parse_bot_spec(text)
    except BotError as error:
        return f"BotError: {error}"
    return f"{name.kind} {name.argument!r} {name.budget!r}"


def blank_fields(blank: IntOption) -> dict[str, Any]:
    return {"name": blank.name, "least": blank.min, "most": blank.max, "usual": blank.default, "step": blank.step}


def choice_fields(choice: OptionChoice) -> dict[str, Any]:
    return {"name": choice.name, "word": choice.template, "blanks": [blank_fields(blank) for blank in choice.parameters]}


def flag_fields(flag: BoolOption) -> dict[str, Any]:
    return {"name": flag.name, "words": flag.label, "usual": flag.default, "word": flag.spec_word}


def options_fields(options: GameOptions) -> dict[str, Any]:
    pick = options.board
    return {
        "name": pick.name,
        "words": pick.label,
        "usual": pick.default,
        "choices": [choice_fields(choice) for choice in pick.choices],
        "flags": [flag_fields(flag) for flag in options.flags],
    }


def game_fields(entry: GameSpec) -> dict[str, Any]:
    """What `games()` says of a game, but for where its code is."""
    return {
        "key": entry.key,
        "name": entry.name,
        "designer": entry.designer,
        "year": entry.year,
        "aim": entry.aim,
        "standard": entry.standard,
        "sizes": entry.presets,
        "forms": list(entry.forms),
        "examples": list(entry.examples),
        "options": options_fields(entry.options),
    }


def standard_game(key: str) -> ropewalk.Game:
    return ropewalk.game(key)


def describe_bot(game: ropewalk.Game, name: str) -> dict[str, str]:
    """What results files keep of a bot."""
    bot = make_bot(game, name)
    bot.close()
    return {"name": bot.name, "budget": bot.budget, "net": bot.net}


def level_error(game: ropewalk.Game, level: int) -> str:
    with pytest.raises(BotError) as caught:
        ropewalk.bot(game, level)
    return str(caught.value)


def level_budgets() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in ropewalk.games():
        game = standard_game(entry.key)
        found[entry.key] = {f"level-{level}": describe_bot(game, f"level-{level}") for level in range(1, 9)}
        for name in ("uct", "net", "advised", "random", "greedy", "uct@0.1s", "net@200", "level-8@100"):
            found[entry.key][name] = describe_bot(game, name)
        found[entry.key]["error"] = [level_error(game, 0), level_error(game, 9)]
    return found


def net_hashes() -> dict[str, Any]:
    """The hashes of the shipped nets as the package computes them, and those of their model cards."""
    found = {}
    for entry in ropewalk.games():
        net = resolve_net_path(standard_game(entry.key))
        card = json.loads(net.with_suffix(".json").read_text())
        found[entry.key] = {"net": file_sha256(net), "card": card["sha256"], "file": net.name, "keys": list(card)}
        assert file_sha256(net) == sha256(net.read_bytes()).hexdigest() == card["sha256"]
    return found


def encoding_sizes() -> dict[str, Any]:
    """Numbers that nets and move ids depend on, for every example."""
    found = {}
    for spec in (spec for entry in ropewalk.games() for spec in entry.examples):
        game = ropewalk.game(spec)
        found[spec] = {
            "cells": len(game.board),
            "planes": list(game.encoding.planes),
            "moves": game.num_actions,
            "move kinds": game.encoding.move_kinds,
            "global moves": game.encoding.global_moves,
            "most moves": game.max_legal_moves,
            "symmetries": len(game.symmetries),
        }
    return found


PINS: dict[str, Callable[[], Any]] = {
    "specs": lambda: {spec: spec_result(spec) for spec in SPECS},
    "bot names": lambda: {name: bot_name_result(name) for name in BOT_NAMES},
    "games": lambda: [game_fields(entry) for entry in ropewalk.games()],
    "option views": lambda: {entry.key: build_options(entry.options).model_dump() for entry in ropewalk.games()},
    "levels": level_budgets,
    "nets": net_hashes,
    "encoding": encoding_sizes,
}


@pytest.mark.parametrize("name", PINS)
def test_what_others_depend_on_is_as_stored(name: str) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(PINS[name]())) == stored[name]


def test_a_spec_that_is_no_text_is_refused() -> None:
    with pytest.raises(SpecError) as caught:
        ropewalk.game(5)  # type: ignore[arg-type]
    assert str(caught.value) == "a game spec must be a string such as 'lariat-2x10', not int"


def write() -> None:
    found = {name: compute() for name, compute in PINS.items()}
    STORED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
