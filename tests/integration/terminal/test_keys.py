"""The full screen by keys alone, through Textual's own pilot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import RichLog

import ropewalk
from ropewalk.bots.levels import bot
from ropewalk.terminal.app import TerminalApp
from ropewalk.terminal.board_widget import CURSOR_MARGIN, BoardWidget
from ropewalk.terminal.session import Session
from tests.support.terminal_user import SHORT_GAMES, TerminalUser, find_short_game

Script = Callable[[TerminalApp, Pilot[None]], Awaitable[None]]


def run_app(spec: str, script: Script, size: tuple[int, int] = (80, 24), level: int | None = None) -> Session:
    """Run a script in the terminal application, and return the session after it."""
    game = ropewalk.game(spec)
    session = Session(game.start(), {1: bot(game, level)} if level else {})
    app = TerminalApp(session)

    async def play() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(play())
    return session


def press(*keys: str) -> Script:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await pilot.pause()

    return script


def read_text(app: TerminalApp, name: str) -> str:
    return str(app.query_one(name).render())


@pytest.mark.parametrize("spec", SHORT_GAMES)
def test_a_whole_game_by_keys_alone(spec: str) -> None:
    start = ropewalk.game(spec).start()
    moves = find_short_game(start)
    hand = TerminalUser(start)

    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        for move in moves:
            await pilot.press(*hand.find_keys(app.session.latest, move))
        await pilot.pause()
        assert "wins" in read_text(app, "#status") or "drawn" in read_text(app, "#status")

    session = run_app(spec, script)
    assert session.latest.steps() == moves
    assert session.seat is None


def test_enter_plays_and_u_takes_back() -> None:
    assert run_app("tether-5", press("enter")).latest.steps() == ["c3"]
    assert run_app("tether-5", press("enter", "right", "enter", "u")).latest.steps() == ["c3"]


def test_a_click_moves_the_cursor_and_a_click_on_the_cursor_plays() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        board = app.query_one(BoardWidget)
        assert board.drawing is not None
        spot = next(spot for spot in board.drawing.cells if app.game.board.names[spot.cell] == "b2")
        offset = board.centring_offset() + Offset(spot.column + CURSOR_MARGIN, spot.line)
        await pilot.click(BoardWidget, offset=offset)
        assert (app.cell, len(app.session.positions)) == ("b2", 1)
        await pilot.click(BoardWidget, offset=offset)
        await pilot.pause()

    assert run_app("tether-5", script).latest.steps() == ["b2"]


def test_the_line_beneath_says_what_a_move_would_do_or_why_it_is_refused() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        assert read_text(app, "#live") == "c3: red places on c3"
        await pilot.press("enter")
        assert read_text(app, "#live") == "c3 already has a red stone"

    run_app("tether-5", script)


def test_a_piece_is_picked_then_its_target_and_escape_lets_go() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("tab", "enter")
        picked = (app.selection.source, app.selection.list_targets())
        await pilot.press("escape")
        assert (*picked, app.selection.source) == ("a1", ["b2"], None)
        await pilot.press("enter", "enter")

    assert run_app("liger-4", script).latest.steps() == ["a1-b2"]


def test_tab_turns_through_the_kinds_of_moves_to_one_target() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        app.session.positions[0] = ropewalk.game("liger-4").position("2/1,br/2/2 red")
        app.update_position()
        await pilot.press("tab", "enter")
        first = read_text(app, "#live").split(":")[0]
        await pilot.press("tab")
        second = read_text(app, "#live").split(":")[0]
        assert {first[2], second[2]} == {"-", "="}

    run_app("liger-4", script)


def test_s_swaps_where_the_rules_offer_it() -> None:
    assert run_app("cube-lariat-2", press("enter", "s")).latest.steps()[1] == "swap"
    assert len(run_app("cube-lariat-2", press("s")).positions) == 1


def test_resigning_asks_first() -> None:
    assert run_app("tether-5", press("r", "n")).resigned_seat is None
    assert run_app("tether-5", press("r", "right", "y", "h", "y")).resigned_seat is None
    assert run_app("tether-5", press("r", "y")).resigned_seat == 0


def test_earlier_positions_are_looked_at_and_nothing_is_played_there() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter", "right", "enter", "pageup", "pageup")
        assert app.session.view_index == 0
        await pilot.press("down", "enter")
        assert len(app.session.positions) == 3
        await pilot.press("pagedown")
        assert read_text(app, "#status").startswith("position 1 of 2")

    run_app("tether-5", script)


def test_whatever_can_be_typed_in_lines_can_be_typed_here(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"

    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("colon", *"d4 d2", "enter")
        await pilot.press("slash", *"save ")
        app.query_one("#typed").value = f"save {path}"  # type: ignore[attr-defined]
        await pilot.press("enter", "colon", *"q", "escape", "right")
        assert app.is_running

    assert run_app("tether-5", script).latest.steps() == ["d4", "d2"]
    assert ";B[d4]\n;W[d2])" in path.read_text()


def test_a_bot_answers_while_the_screen_stays_alive() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.press("right")
        while app.session.is_bots_turn():
            await pilot.pause(0.05)
        assert len(app.session.positions) == 3
        await pilot.press("u")
        assert len(app.session.positions) == 1

    run_app("tether-5", script, level=1)


def test_hints_and_analysis_come_into_the_panel() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("h", "a")
        while app.hint_task.is_running or "visits" not in read_text(app, "#analysis"):
            await pilot.pause(0.05)
        assert "%" in read_text(app, "#analysis") or "proven" in read_text(app, "#analysis")
        await pilot.press("a", "question_mark", "x", "t", "m", "q")

    run_app("tether-3", script)


def test_a_typed_analysis_lasts_as_long_as_it_says() -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("colon", *"analyse 9999", "enter")
        assert not app.panel.analysis.is_enabled
        text = " ".join(line.text.strip() for line in app.query_one("#messages", RichLog).lines)
        assert "is not a number of seconds from 0.1 to 600" in text
        await pilot.press("colon", *"analyse 0.2", "enter")
        while app.panel.analysis.engine_task.is_running:
            await pilot.pause(0.05)
        assert "visits" in read_text(app, "#analysis")

    run_app("tether-5", script)


@pytest.mark.parametrize(
    "spec", ["lariat", "cube-lariat", "tether-19", "laocoon", "liger-10", "cube-lariat-8", "lariat-6x24"]
)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_cursor_is_always_in_view(spec: str, size: tuple[int, int]) -> None:
    async def script(app: TerminalApp, pilot: Pilot[None]) -> None:
        for keys in (["end"], ["down"] * 12, ["home"], ["up"] * 12):
            await pilot.press(*keys)
            await pilot.pause()
            board = app.query_one(BoardWidget)
            assert board.drawing is not None
            spot = board.drawing.cells[app.cursor.index]
            shown = board.scrollable_content_region.size
            assert 0 <= spot.line - board.scroll_offset.y < shown.height
            assert 0 <= spot.column - board.scroll_offset.x < shown.width

    run_app(spec, script, size)
