"""The full screen uses public Textual API only and leaves the environment of the process alone."""

from __future__ import annotations

import ast
import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.color import Color
from textual.geometry import Region
from textual.widget import Widget

import ropewalk
from ropewalk import terminal
from ropewalk.terminal.app import TerminalApp
from ropewalk.terminal.session import Session

SOURCES = sorted(Path(terminal.__path__[0]).glob("*.py"))
NAMED_TUPLE_API = {"_replace", "_asdict", "_fields", "_make"}  # documented, in spite of the underscore


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in NAMED_TUPLE_API


def list_private_names(tree: ast.AST) -> Iterator[str]:
    """Yield private attributes, of `self` too (its class may be Textual's), and private modules of Textual."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            yield f"{node.attr} in line {node.lineno}"
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual."):
            yield from (f"{part} in line {node.lineno}" for part in str(node.module).split(".") if is_private(part))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_no_private_attribute_is_used(source: Path) -> None:
    assert list(list_private_names(ast.parse(source.read_text("utf-8")))) == []


@pytest.mark.parametrize("no_colour", [False, True])
def test_constructing_the_app_does_not_change_the_environment(monkeypatch: pytest.MonkeyPatch, no_colour: bool) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    before = dict(os.environ)
    TerminalApp(Session(ropewalk.game("tether-5").start(), {}), no_colour=no_colour)
    assert dict(os.environ) == before


def list_colours(widget: Widget) -> Iterator[Color]:
    """Yield the colours that a widget is painted in."""
    for strip in widget.render_lines(Region(0, 0, *widget.size)):
        for segment in strip:
            if segment.style is not None:
                yield from filter(None, (segment.style.color, segment.style.bgcolor))


def is_grey(colour: Color) -> bool:
    return len(set(colour.get_truecolor())) == 1


def collect_colours(app: TerminalApp) -> set[Color]:
    """Play a move, open the panel and return all colours on the screen."""
    found: set[Color] = set()

    async def look() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("enter", "w")
            await pilot.pause()
            for name in ("title", "board", "messages", "status", "keys"):
                found.update(list_colours(app.query_one(f"#{name}")))

    asyncio.run(look())
    return found


@pytest.mark.parametrize(("no_colour", "variable"), [(True, None), (False, "1"), (True, "1")])
def test_plain_and_no_color_show_greys_only(monkeypatch: pytest.MonkeyPatch, no_colour: bool, variable: str | None) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if variable is not None:
        monkeypatch.setenv("NO_COLOR", variable)
    colours = collect_colours(TerminalApp(Session(ropewalk.game("tether-5").start(), {}), no_colour=no_colour))
    assert len(colours) > 2
    assert all(map(is_grey, colours))


def test_otherwise_there_are_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    colours = collect_colours(TerminalApp(Session(ropewalk.game("tether-5").start(), {})))
    assert not all(map(is_grey, colours))
