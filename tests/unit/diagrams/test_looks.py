"""One look per kind of board: everything that depends on the kind is in `diagrams.looks`, keyed by what a game declares."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ropewalk
from ropewalk import diagrams
from ropewalk.diagrams import DiagramOptions
from ropewalk.diagrams.looks import LOOKS, find_look
from ropewalk.errors import RopewalkError
from tests.support.pictures import EVERY_VIEW

SPECS = ["lariat-1x6", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"]


def test_the_games_declare_all_looks() -> None:
    assert {ropewalk.game(spec).definition.look for spec in SPECS} == set(LOOKS)


def test_no_module_asks_for_the_kind_of_a_board() -> None:
    for path in Path(diagrams.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "kind":
                assert "board" not in ast.unparse(node.value), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize(("spec", "view"), EVERY_VIEW)
def test_a_board_of_an_unknown_kind_is_drawn_by_the_look_that_its_game_declares(spec: str, view: str) -> None:
    game = ropewalk.game(spec)
    look, options = find_look(game), DiagramOptions(view=view)
    scene = look.build_scene(game.board, options)
    plugin_scene = look.build_scene(replace(game.board, kind="a plugin's"), options)
    assert plugin_scene.patches.keys() == scene.patches.keys()
    assert plugin_scene.placements.keys() == scene.placements.keys()
    assert [label.text for label in plugin_scene.labels] == [label.text for label in scene.labels]
    assert [area.role for area in plugin_scene.areas] == [area.role for area in scene.areas]


@pytest.mark.parametrize("spec", SPECS)
def test_a_look_has_a_map_and_a_turned_view(spec: str) -> None:
    game = ropewalk.game(spec)
    look = find_look(game)
    assert look.views == ("flat", look.turned_view)
    scene = look.build_map(game.board, "edge")
    assert scene.patches.keys() == scene.placements.keys() == set(range(len(game.board)))


def test_a_look_that_does_not_exist_is_named() -> None:
    game: Any = SimpleNamespace(name="Torus", definition=SimpleNamespace(look="torus"))
    with pytest.raises(RopewalkError, match="declares the unknown look 'torus'; allowed are cylinder, cube, rhombus"):
        find_look(game)
