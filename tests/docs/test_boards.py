"""The table of all boards: its matches are resumed game by game, and played again only when something has changed."""

from pathlib import Path
from types import ModuleType

import pytest

import ropewalk
from tests.support.docs_script import load_docs_script

DOCS = Path(__file__).parents[2] / "docs"
OPENINGS = [["c3", "b2"], ["a1", "b1"], ["b3", "c1"]]


@pytest.fixture(scope="module")
def boards() -> ModuleType:
    return load_docs_script("boards")


def test_every_offered_board_is_listed(boards: ModuleType) -> None:
    specs = [spec for entry in ropewalk.games() for spec in boards.list_boards(entry)]
    assert {"lariat-3x12", "cube-lariat-6", "tether-17", "liger-10", "laocoon-blocks"} <= set(specs)
    assert {"laocoon-random-1", "laocoon-quick-1"} <= set(specs)
    assert all(ropewalk.game(spec).spec.startswith(spec.split("x")[0]) for spec in specs)


def test_an_interrupted_match_is_resumed(boards: ModuleType, tmp_path: Path) -> None:
    match = boards.BoardMatch("tether-3", ("flat-mc", "random"))
    games = boards.MatchGames(match, OPENINGS[:2], tmp_path)
    assert len(games.missing_tasks()) == 4
    for task in games.missing_tasks()[:3]:
        games.add(boards.play_task((match, task))[1])
    assert sum(games.result()["pairs"]) == 1  # complete pairs only
    assert games.improves_stored_result()

    resumed = boards.MatchGames(match, OPENINGS, tmp_path)
    assert resumed.records == games.records
    assert [(task.pair, task.seats_swapped) for task in resumed.missing_tasks()] == [(1, True), (2, False), (2, True)]
    changed = boards.MatchGames(match, [OPENINGS[2], OPENINGS[1]], tmp_path)
    assert {record.pair for record in changed.records} == {1}  # a game from another opening does not count


def test_a_stored_result_of_the_same_players_covers_the_first_pairs(boards: ModuleType, tmp_path: Path) -> None:
    match = boards.BoardMatch("tether-3", ("flat-mc", "random"))
    stored = boards.MatchGames(match, OPENINGS, tmp_path).result() | {"pairs": [0, 0, 0, 0, 1]}
    games = boards.MatchGames(match, OPENINGS, tmp_path, stored)
    assert [(task.pair, task.seats_swapped) for task in games.missing_tasks()] == [
        (1, False),
        (1, True),
        (2, False),
        (2, True),
    ]
    assert not games.improves_stored_result()
    for task in reversed(games.missing_tasks()):  # the last pair first
        assert games.result() == stored, "pair 1 is not complete"
        games.add(boards.play_task((match, task))[1])
    assert games.improves_stored_result()
    assert sum(games.result()["pairs"]) == 3
    assert games.result()["pairs"][4] >= 1
    assert boards.MatchGames(match, OPENINGS, tmp_path, games.result()).missing_tasks() == []


def test_a_stored_result_of_other_bots_or_openings_does_not_count(boards: ModuleType, tmp_path: Path) -> None:
    match = boards.BoardMatch("tether-3", ("flat-mc", "random"))
    stored = boards.MatchGames(match, OPENINGS, tmp_path).result() | {"pairs": [0, 0, 0, 0, 3]}
    assert boards.MatchGames(match, OPENINGS, tmp_path, stored).missing_tasks() == []
    for other in (stored | {"bots": ["another", stored["bots"][1]]}, stored | {"openings": "another"}):
        games = boards.MatchGames(match, OPENINGS, tmp_path, other)
        assert len(games.missing_tasks()) == 6
        assert not games.improves_stored_result()  # no game yet


def test_the_page_has_a_row_for_every_board(boards: ModuleType) -> None:
    def make_result(limit: str) -> dict[str, object]:
        players = [boards.identify_on("tether-17", f"{level}@{limit}") for level in (8, 7)]
        return {"bots": players, "pairs": [1, 0, 4, 0, 15]}

    page = boards.render_page({"tether-17 8@0.3s 7@0.3s": make_result("0.3s")}, {"tether-17": "1,500 playouts a move"})
    net = boards.identify_on("tether-17", "8").rpartition("net ")[2]
    assert f"| tether-17 | 1,500 playouts a move | 85.0 % | 70 to 96 % | 15, 4, 1 | {net} |  |  |  |  |" in page
    assert page.count("\n| ") == 2 + sum(len(boards.list_boards(entry)) for entry in ropewalk.games())
    assert "slow" not in page
    with_slow = boards.render_page({"tether-17 8@0.1s 7@0.1s": make_result("0.1s")}, {})
    assert f"| tether-17 | 85.0 % | 70 to 96 % | 15, 4, 1 | {net} |" in with_slow.partition("## On a slow core")[2]


def test_a_result_of_former_levels_is_marked(boards: ModuleType) -> None:
    result = {"bots": ["0.3 s, net 64e8668f", "0.3 s"], "pairs": [1, 0, 4, 0, 15]}
    page = boards.render_page({"tether-17 8@0.3s 7@0.3s": result}, {})
    assert r"| tether-17 |  | 85.0 % \* | 70 to 96 % | 15, 4, 1 | 64e8668f |" in page


def test_a_level_with_a_time_limit_is_another_player_when_its_declaration_changes(boards: ModuleType) -> None:
    game = ropewalk.game("tether-9")
    assert boards.identify(game, "7@0.3s") == "0.3s: 20,000 positions, then 6,000 playouts a move"
    assert boards.identify(game, "8@0.3s").rpartition("net ")[2] == ropewalk.bot(game, 8).net[:8]
    assert boards.identify(game, "uct@0.3s") == "0.3 s"
