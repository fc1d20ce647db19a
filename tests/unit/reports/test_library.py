"""The reports that come with the package: of standard boards, all made by the same settings, and small."""

from __future__ import annotations

from ropewalk.games.registry import game as game_of
from ropewalk.reports.library import LIBRARY_DIR, list_shipped_games, load_shipped_page, load_shipped_report
from ropewalk.reports.settings import ReportSettings

GAMES = ["cube-lariat", "laocoon", "lariat", "liger", "tether"]
MAX_BYTES = 200_000


def test_a_report_is_that_of_the_standard_board_and_has_its_command() -> None:
    assert list_shipped_games() == GAMES
    for key in GAMES:
        report = load_shipped_report(key)
        assert report is not None
        settings = ReportSettings(game_of(key).spec, seed=1, games=40)
        assert (report["spec"], report["command"]) == (settings.spec, settings.format_command())
        assert [row["games"] for row in report["levels"]] == [160, 160, 160, 40, 40]


def test_reports_are_small_because_their_pages_are_made_when_they_are_asked_for() -> None:
    assert sum(path.stat().st_size for path in LIBRARY_DIR.iterdir()) < MAX_BYTES
    assert {path.suffix for path in LIBRARY_DIR.iterdir()} == {".json"}
    page = load_shipped_page("laocoon") or ""
    assert page.startswith("<!doctype html>")
    assert load_shipped_page("laocoon") is page


def test_an_unknown_game_has_no_report() -> None:
    assert load_shipped_report("chess") is None
    assert load_shipped_page("../library/tether") is None
