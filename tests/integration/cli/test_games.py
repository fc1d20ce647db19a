from __future__ import annotations

import json

import pytest

import ropewalk as package
from tests.support.command_runner import call_ropewalk


def test_every_game_is_listed_with_its_designer_and_specs() -> None:
    listed = call_ropewalk("games").out
    for entry in package.games():
        assert f"{entry.name}, by {entry.designer} ({entry.year})" in listed
        assert all(form in listed for form in entry.forms)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_list_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, call_ropewalk("games").out.splitlines())) <= columns


def test_specs_of_the_json_list_name_games() -> None:
    games = json.loads(call_ropewalk("games", "--json").out)
    assert [game["name"] for game in games] == ["Lariat", "Cube Lariat", "Tether", "laoCoon", "Liger"]
    for game in games:
        assert package.game(game["key"]).spec == game["standard"]
        assert all(package.game(alias).spec == spec for alias, spec in game["sizes"].items())
        assert all(option.startswith("-") for option in game["options"])
