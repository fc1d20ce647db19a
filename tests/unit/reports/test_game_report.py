"""Reports: the same seed gives the same bytes, another one does not, and every figure has its place on the page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ropewalk.games.registry import game as game_of
from ropewalk.reports.board_maps import find_cell
from ropewalk.reports.experiments import list_boards
from ropewalk.reports.first_moves import evaluate_by_playouts, evaluate_first_moves
from ropewalk.reports.game_jobs import GameJob, count_lead_changes, find_decision, play_job
from ropewalk.reports.game_report import ReportError, build_report, write_report
from ropewalk.reports.page import format_page, format_share, format_swaps
from ropewalk.reports.settings import ReportSettings


def ignore_progress(done: int, total: int) -> None:
    """Report progress to nobody."""


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return build_report(ReportSettings("lariat-1x2-pie", seed=5, games=2, quick=True), 1, ignore_progress)


def test_the_same_seed_gives_the_same_bytes(report: dict[str, Any], tmp_path: Path) -> None:
    again = build_report(ReportSettings("lariat-1x2-pie", seed=5, games=2, quick=True), 1, ignore_progress)
    for name, each in (("first", report), ("second", again)):
        write_report(each, tmp_path / name)
    for file in ("report.json", "report.html"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()


def test_another_seed_gives_other_games() -> None:
    jobs = [GameJob("tether-5", ("level-1", "level-1"), seed) for seed in range(4)]
    assert len({play_job(job) for job in jobs}) > 1
    assert play_job(jobs[0]) == play_job(jobs[0])


def test_a_report_has_the_command_that_makes_it_and_no_facts_of_the_machine(report: dict[str, Any]) -> None:
    assert report["command"] == "ropewalk report lariat-1x2-pie -o DIR --seed 5 --games 2 --quick"
    text = json.dumps(report)
    assert not re.search(r"/home|/tmp|\b20\d\d-\d\d-\d\d\b", text)


def test_every_first_move_has_a_value_and_the_pie_rule_a_map(report: dict[str, Any]) -> None:
    found = report["first_moves"]
    moves = {move for row in found["moves"] for move in row["moves"]}
    assert moves == set(game_of("lariat-1x2").start().moves())
    values = [row["value"] for row in found["moves"]]
    assert values == sorted(values, reverse=True)
    assert found["pie"]["swapped"] == [row["moves"][0] for row in found["moves"] if row["value"] > 0.5]
    assert found["checks"][0]["value"] == values[0]
    assert found["checks"][-1]["value"] == values[-1]


def test_other_boards_have_the_options_of_this_one() -> None:
    assert list_boards(game_of("lariat-1x2-pie")) == [
        "lariat-1x2-pie",
        "lariat-1x6-pie",
        "lariat-2x10-pie",
        "lariat-3x12-pie",
    ]
    assert list_boards(game_of("laocoon-weave")) == ["laocoon-blocks", "laocoon-weave"]


class TagChecker(HTMLParser):
    """Notes the headings of a page, and what it would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.ids: list[str] = []
        self.loaded: list[str] = []
        self.tag = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        values = dict(attributes)
        self.ids += [str(values["id"])] if "id" in values else []
        links = [str(value) for name, value in attributes if name in ("src", "href", "xlink:href")]
        self.loaded += [link for link in links if not link.startswith("#")]

    def handle_data(self, data: str) -> None:
        if self.tag == "h2" and data.strip():
            self.headings.append(data)


def test_the_page_is_complete_and_loads_nothing(report: dict[str, Any]) -> None:
    checker = TagChecker()
    page = format_page(report)
    checker.feed(page)
    assert checker.headings == [
        "Length and choices",
        "The first player's advantage",
        "Draws",
        "First moves",
        "What to swap",
        "Strength by thinking",
        "Boards",
        "Method",
    ]
    assert checker.loaded == []
    assert len(set(checker.ids)) == len(checker.ids), "two pictures share no id"
    references = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', page))
    assert references <= set(checker.ids)
    assert "prefers-color-scheme: dark" in page


def test_the_lead_changes_when_it_goes_from_one_seat_to_the_other() -> None:
    assert count_lead_changes([0.5, 0.7, 0.45, 0.8, 0.3, 0.5, 0.2, 0.9]) == 2
    assert find_decision([0.6, 0.4, 0.6, 0.9], winner=0) == 0.5
    assert find_decision([0.6, 0.7], winner=0) == 0
    assert find_decision([0.6, 0.7], winner=None) == 1


def test_first_moves_of_a_game_with_moves_between_cells_have_a_cell() -> None:
    game = game_of("liger-4")
    assert {find_cell(game, move) for move in game.start().moves()} <= set(game.board.names)
    found = evaluate_first_moves(game, 10, 1)
    assert sum(len(move.moves) for move in found.moves) == len(game.start().moves())


def test_playouts_stand_in_for_a_net() -> None:
    position = game_of("tether-5").start().play("a1")
    value = evaluate_by_playouts(position, 200, 1)
    assert value == evaluate_by_playouts(position, 200, 1)
    assert 0 < value < 1


def test_a_folder_that_cannot_be_made_is_reported(report: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match="cannot write into"):
        write_report(report, tmp_path / "file" / "folder")


def test_the_page_says_how_many_first_moves_to_swap() -> None:
    assert (
        format_swaps(1, 139) == "The second player should take over the 1 marked first move of 139: its value is above 50 %."
    )
    assert "2 marked first moves of 7: their value" in format_swaps(2, 7)
    assert "should not swap" in format_swaps(0, 7)


def test_a_share_below_zero_by_rounding_has_no_sign() -> None:
    assert format_share({"value": 0.0, "low": -1e-17, "high": 0.004}) == "0 % (0\u20130)"
