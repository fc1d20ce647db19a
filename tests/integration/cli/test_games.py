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


def test_the_levels_of_one_game_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    lines = call_ropewalk("games", "tether").out.splitlines()
    assert lines[0].startswith("Tether, by Mark Steere")
    text = "\n".join(lines[lines.index("Levels, measured on tether-13:") + 1 :]).replace("\n     ", " ")
    described = [line.strip() for line in text.splitlines()]
    assert [line[0] for line in described] == list("12345678")
    assert all("of wins in one turn" in line for line in described)
    assert described[-1].endswith("Elo above level 1.")


def test_the_json_of_one_game_has_its_measured_levels() -> None:
    (game,) = json.loads(call_ropewalk("games", "liger", "--json").out)
    assert len(game["levels"]) == 8
    assert set(game["levels"][0]) == {"elo", "score_against_next", "wins_found"}


def test_an_unknown_game_is_refused() -> None:
    result = call_ropewalk("games", "tehter")
    assert result.code == 2
    assert "unknown game 'tehter'; the games are lariat, cube-lariat, tether, laocoon, liger" in result.err
    assert "did you mean tether?" in result.err
