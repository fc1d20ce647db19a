"""Option forms, specs and plugins: a form offers exactly what specs understand, and broken plugins are left out."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ropewalk
from ropewalk.errors import SpecError
from ropewalk.games import registry, tether
from ropewalk.games.definition import BoardOption, BoolOption, GameSpec, IntOption, OptionChoice
from ropewalk.games.registry import game, games
from ropewalk.games.spec_parser import format_spec, parse_spec

ENTRIES = {entry.key: entry for entry in games()}
everyone = pytest.mark.parametrize("key", ENTRIES)


def numbers(draw: st.DrawFn, parameters: tuple[IntOption, ...]) -> dict[str, int]:
    """A number for each parameter; what one allows may depend on those before it."""
    values: dict[str, int] = {}
    for option in parameters:
        steps = (option.max_for(values) - option.min) // option.step
        values[option.name] = option.min + option.step * draw(st.integers(0, steps))
    return values


@st.composite
def specs(draw: st.DrawFn, entry: GameSpec) -> tuple[str, OptionChoice, dict[str, int], list[BoolOption]]:
    choice = draw(st.sampled_from(entry.options.board.choices))
    filled = numbers(draw, choice.parameters)
    turned = [flag for flag in entry.options.flags if draw(st.booleans())]
    words = [entry.key, choice.format(filled), *(flag.spec_word for flag in turned)]
    return "-".join(words), choice, filled, turned


@everyone
@given(data=st.data())
def test_whatever_a_form_can_ask_for_is_understood(key: str, data: st.DataObject) -> None:
    spec, _, filled, turned = data.draw(specs(ENTRIES[key]))
    options = parse_spec(ENTRIES[key], spec)
    for flag in ENTRIES[key].options.flags:
        assert options[flag.name] == (flag.default != (flag in turned))
    told = {"seed": options.get("setup")} | options
    for name, number in filled.items():
        assert str(told[name]) == str(number)


@everyone
@given(data=st.data())
def test_a_canonical_spec_names_the_same_options_and_stays_as_it_is(key: str, data: st.DataObject) -> None:
    spec, *_ = data.draw(specs(ENTRIES[key]))
    options = parse_spec(ENTRIES[key], spec)
    canonical = format_spec(ENTRIES[key], options)
    again = parse_spec(ENTRIES[key], canonical)
    assert format_spec(ENTRIES[key], again) == canonical
    if options.get("variant") == "quick":  # no position of a quick game repeats, so its specs have no such flag
        options["repetition"] = again["repetition"]
    assert again == options


@everyone
def test_the_usual_choice_is_the_standard_board_and_named_sizes_agree(key: str) -> None:
    entry = ENTRIES[key]
    words = {choice.name: choice.template for choice in entry.options.board.choices}
    assert words[entry.options.board.default] == entry.standard
    assert {name: words[name] for name in entry.presets} == entry.presets
    for parameter in entry.board.parameters:
        if parameter.default is not None:
            assert parse_spec(entry, entry.standard_spec)[parameter.name] == parameter.default


@everyone
def test_every_option_of_the_spec_is_a_flag(key: str) -> None:
    entry = ENTRIES[key]
    text = {form.removeprefix("-") for form in entry.forms if form.startswith("-")}
    assert {flag.spec_word for flag in entry.options.flags} == text


def test_the_rows_of_checkers_that_a_form_offers_depend_on_the_size() -> None:
    size, rows = ENTRIES["liger"].board.parameters
    for value in range(size.min, size.max + 1, size.step):
        most = rows.max_for({"size": value})
        assert parse_spec(ENTRIES["liger"], f"liger-{value}x{most}")["rows"] == most == value // 2
        with pytest.raises(SpecError, match=f"rows of checkers {most + 1} is outside 1 to {most}"):
            parse_spec(ENTRIES["liger"], f"liger-{value}x{most + 1}")


# Plugins: games of installed packages

BOARD = BoardOption("side", {"standard": "5"}, "{size}", (IntOption("size", 3, 9),))
PLUGIN = tether.SPEC._replace(key="tethered", name="Tethered", board=BOARD)
NO_SPEC = "text"
TAKEN = tether.SPEC
HIDDEN = tether.SPEC._replace(key="tether-hex")


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    names = {"good": "PLUGIN", "none": "NO_SPEC", "taken": "TAKEN", "hidden": "HIDDEN", "missing": "MISSING"}
    points = [importlib.metadata.EntryPoint(name, f"{__name__}:{value}", "ropewalk.games") for name, value in names.items()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points if group == "ropewalk.games" else [])
    registry.load_plugins.cache_clear()
    registry._load_game.cache_clear()
    yield
    registry.load_plugins.cache_clear()
    registry._load_game.cache_clear()


def test_a_plugin_adds_a_game_and_broken_ones_are_left_out_with_a_warning(plugged: None) -> None:
    with pytest.warns(registry.PluginWarning) as caught:
        found = games()
    assert found == (*registry.GAMES, PLUGIN)
    warned = sorted(str(warning.message) for warning in caught)
    assert [message.split(" (")[0].removeprefix("game plugin ") for message in warned] == [
        "hidden",
        "missing",
        "none",
        "taken",
    ]
    assert "conflicts with the key tether of Tether" in warned[0]
    assert "AttributeError" in warned[1]
    assert "must be a GameSpec, not str" in warned[2]


@pytest.mark.filterwarnings("ignore::ropewalk.games.registry.PluginWarning")
def test_specs_of_a_plugin_are_parsed_by_its_declaration(plugged: None) -> None:
    assert registry.spec_of("tethered-7") is PLUGIN
    assert parse_spec(PLUGIN, "tethered") == {"size": 5}
    assert PLUGIN.forms == ("tethered-SIZE (SIZE 3 to 9)",)
    with pytest.raises(SpecError, match="expected 5 or another board"):
        ropewalk.game("tethered-x")
    with pytest.raises(SpecError, match="size 10 is outside 3 to 9"):
        ropewalk.game("tethered-10")
    with pytest.raises(SpecError, match="did you mean tethered"):
        ropewalk.game("tetherd-5")
    assert game("tether-5").spec == "tether-5"
