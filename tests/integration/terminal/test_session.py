"""The session itself: no screen, no keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest

import ropewalk
from ropewalk.bots.levels import bot
from ropewalk.console import position_text
from ropewalk.records import Record, RecordedResult, find_first_mismatch, read
from ropewalk.terminal import autosave
from ropewalk.terminal.commands import CommandInterpreter
from ropewalk.terminal.move_selection import MoveSelection
from ropewalk.terminal.session import CommandError, Session
from ropewalk.terminal.widgets import format_move_rows
from tests.support.terminal_user import SHORT_GAMES, find_short_game


def make_session(spec: str, *moves: str, level: int | None = None) -> Session:
    game = ropewalk.game(spec)
    session = Session(game.start(), {1: bot(game, level)} if level else {})
    session.play(moves)
    return session


@pytest.mark.parametrize("spec", SHORT_GAMES)
def test_a_game_becomes_a_record_that_verifies_and_comes_back(spec: str, tmp_path: Path) -> None:
    session = make_session(spec, *find_short_game(ropewalk.game(spec).start()))
    for ending in ("sgf", "json"):
        session.to_record().save(tmp_path / f"game.{ending}")
        record = read(tmp_path / f"game.{ending}")
        assert find_first_mismatch(record) is None
        assert record.result == RecordedResult.from_outcome(session.latest.outcome)  # type: ignore[arg-type]
        assert Session.from_record(record).latest == session.latest


def test_a_half_turn_is_kept_too() -> None:
    session = make_session("laocoon", "d4", "e6", "g2", "b8", "d4-e5", "e6-f6")
    again = Session.from_record(read(session.to_record().to_sgf()))
    assert again.latest == session.latest
    assert len(again.positions) == len(session.positions) == 7


def test_a_bot_is_named_in_the_record_and_made_anew_from_it() -> None:
    record = make_session("tether-3", level=2).to_record()
    assert record.players[1].name == "level 2"
    assert record.players[1].identity.kind == "bot"
    assert record.players[1].identity.budget
    assert {seat: created.name for seat, created in autosave.make_bots(record).items()} == {1: "level 2"}


def test_to_resign_ends_the_game_and_can_be_taken_back() -> None:
    session = make_session("tether-5", "c3")
    assert session.resign() == 1
    assert (session.seat, session.result) == (None, RecordedResult(0, "resign"))
    assert Session.from_record(session.to_record()).resigned_seat == 1
    with pytest.raises(CommandError, match="blue has resigned"):
        session.play(["d4"])
    assert session.undo()
    assert session.seat == 1


def test_undo_takes_one_step_where_two_bots_play() -> None:
    game = ropewalk.game("tether-3")
    session = Session(game.start(), {0: bot(game, 1), 1: bot(game, 1)})
    session.play(["b2", "a3"])
    assert session.undo()
    assert session.latest.steps() == ["b2"]


def test_against_a_bot_the_person_resigns_whoever_is_to_move() -> None:
    assert make_session("tether-5", "c3", level=1).resign() == 0


def test_what_came_after_stays_as_a_variation_when_the_game_goes_on_from_an_earlier_position() -> None:
    session = make_session("tether-5", "c3", "d3", "b2")
    with pytest.raises(CommandError, match="already the latest position"):
        session.continue_from_view()
    session.view(1)
    with pytest.raises(CommandError, match="position 1 of 3"):
        session.play(["d4"])
    session.continue_from_view()
    session.play(["d4"])
    assert session.to_record().to_sgf().endswith(";B[c3]\n(;W[d4])\n(;W[d3]\n;B[b2]))\n")


def test_what_a_file_says_beside_the_moves_is_not_lost() -> None:
    record = read("(;GM[Tether]SPEC[tether-5]XY[kept]PB[Ann];B[c3]C[centre];W[d4])")
    session = Session.from_record(record)
    session.play(["b2"])
    text = session.to_record().to_sgf()
    assert "XY[kept]" in text
    assert "PB[Ann]" in text
    assert ";B[c3]C[centre]\n;W[d4]\n;B[b2])" in text


def test_a_result_that_no_replay_shows_stays_until_the_game_goes_on() -> None:
    session = Session.from_record(read("(;GM[Tether]SPEC[tether-5]RE[W+Time];B[c3])"))
    assert session.to_record().result == RecordedResult(1, "time")
    session.play(["d4"])
    assert session.to_record().result is None
    resigned = Session.from_record(read("(;GM[Tether]SPEC[tether-5]RE[W+R];B[c3])"))
    assert resigned.undo()
    assert resigned.to_record().result is None


def test_moves_are_listed_by_turns() -> None:
    session = make_session("laocoon", "d4", "e6", "g2", "b8", "d4-e5", "e6-f6", "/a1")
    assert list(format_move_rows(session)) == ["  1. d4  e6", "  2. g2  b8", "  3. d4-e5  e6-f6/a1"]
    assert list(format_move_rows(Session(ropewalk.game("tether-3").position("3/3/3 blue")))) == []


def test_games_are_kept_after_every_step_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_STATE_DIR", str(tmp_path / "state"))
    with pytest.raises(autosave.NoSavedGameError):
        autosave.load_latest_unfinished()
    saver, session = autosave.Autosave(), make_session("tether-5")
    session.on_change = saver.save
    session.play(["c3"])
    session.play(["d4"])
    path, record = autosave.load_latest_unfinished()
    assert Session.from_record(record).latest.steps() == ["c3", "d4"]
    assert "--resume" in saver.resume_hint(session)
    session.resign()
    assert saver.resume_hint(session) == ""
    with pytest.raises(autosave.NoSavedGameError):
        autosave.load_latest_unfinished()
    assert path.exists(), "a finished game stays too"


def test_a_folder_that_cannot_be_written_ends_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ROPEWALK_STATE_DIR", str(tmp_path / "file" / "state"))
    session = make_session("tether-5")
    session.on_change = autosave.Autosave().save
    session.play(["c3"])
    assert session.latest.steps() == ["c3"]


def test_only_so_many_games_are_kept(tmp_path: Path) -> None:
    for number in range(autosave.MAX_SAVED_GAMES + 3):
        (tmp_path / f"{number:03}.sgf").write_text("(;)")
    autosave.prune_old_games(tmp_path)
    assert len(list(tmp_path.iterdir())) == autosave.MAX_SAVED_GAMES


@pytest.mark.parametrize(
    ("spec", "moves", "name", "words"),
    [
        ("lariat-1x2", "a1", "a1", "a1: a black stone, centre"),
        ("lariat-1x2", "a1", "d1", "d1: empty, edge"),
        ("cube-lariat-2", "", "UF1", "UF1: empty, nuclear"),
        ("tether-5", "c3", "c3", "c3: a red stone"),
        ("tether-5", "", "a1", "a1: empty, red side, blue side"),
        ("tether-5", "c2 a1 d2 a2 b3 a3 d3 a4 b4 c3 c4", "c3",
         "c3: empty, and closed to both players: surrounded by red"),
        ("laocoon", "d4", "d4", "d4: a purple disc under a white ring"),
        ("laocoon", "d4 e6 g2 b8 d4-e5 e6-f6/a1", "a1", "a1: a purple disc on a blue one"),
        ("laocoon", "d4 e6 g2 b8 d4-e5", "d4", "d4: no disc left"),
        ("liger-4", "", "a1", "a1: a red checker, bottom"),
        ("liger", "a1-b2", "b2", "b2: a stack of 2 checkers from bottom to top: red, red"),
    ],
)  # fmt: skip
def test_what_is_on_a_cell_in_words(spec: str, moves: str, name: str, words: str) -> None:
    position = make_session(spec, *moves.split()).latest
    assert position_text.describe_cell(position, position_text.find_cell(position.game.board, name)) == words


@pytest.mark.parametrize(
    ("spec", "moves", "typed", "words"),
    [
        ("tether-5", "c3 d4", "list red", "red, 1 cell: c3"),
        ("tether-5", "c3 d4", "list b", "blue, 1 cell: d4"),
        ("lariat-1x1", "", "list centre", "centre, 1 cell: a1"),
        ("lariat-1x1", "a1", "list empty", "empty, 12 cells: b1 b2 b3 b4 b5 b6 c1 c2 c3 c4 c5 c6"),
        ("laocoon", "d4", "list white", "white, 1 cell: d4"),
        ("liger-4", "", "list blue", "blue, 2 cells: b4 d4"),
        ("tether-3", "", "list red side", "red side, 6 cells: a1 b1 c1 a3 b3 c3"),
        ("laocoon", "", "list marks", "this board has no marked cells"),
        ("tether-3", "", "list rde", "did you mean red"),
        ("tether-3", "", "list", "list WHAT, one of red, blue, empty"),
        ("tether-3", "", "neighbours b2", "b2 has 6 neighbours:\n  E c2: empty"),
        ("tether-3", "", "neighbors a1", "a1 has 2 neighbours:"),
        ("tether-3", "", "neighbours", "missing cell: neighbours CELL"),
        ("tether-3", "", "at b4", "unknown cell 'b4'; the cells of this board are a1 to c3"),
        ("cube-lariat-2", "", "at uf1", "UF1: empty, nuclear"),
        ("tether-3", "", "resgin", "did you mean resign?"),
        ("tether-3", "b2", "swap", "'swap' is not a move of Tether"),
        ("cube-lariat-2", "UF1", "swap", "seat 1 takes black with its stone"),
        ("tether-3", "", "save", "missing file name: save FILE"),
        ("tether-3", "", "save game.txt", "must end in .sgf or .json"),
        ("tether-3", "", "load nowhere.sgf", "cannot read"),
        ("tether-3", "", "back", "this is the first position"),
        ("tether-3", "", "next", "this is the latest position"),
        ("tether-3", "", "back x", "'x' is not a number of moves"),
        ("tether-3", "", "analyse 0", "is not a number of seconds from 0.1 to 600"),
        ("tether-3", "", "here", "this is already the latest position"),
    ],
)  # fmt: skip
def test_what_is_typed_is_answered(spec: str, moves: str, typed: str, words: str) -> None:
    commands = CommandInterpreter(make_session(spec, *moves.split()))
    assert words in " ".join(commands.execute(typed).split("\n")).replace("  ", " ") or words in commands.execute(typed)


def test_analyse_shows_a_bar_and_lines_and_says_what_is_proven() -> None:
    response = CommandInterpreter(make_session("lariat-1x1", "c1", "c3", "b1", "c4")).execute("analyse 1")
    assert response.startswith(f"black [{'#' * 40}] white\nblack wins (proven), ")
    assert "\n  1. a1: wins (proven), a1" in response


def test_save_and_load_and_replay(tmp_path: Path) -> None:
    path = tmp_path / "my game.sgf"
    commands = CommandInterpreter(make_session("tether-5", "c3", "d4"))
    assert f"saved as {path}" in commands.execute(f"save {path}").replace("\n", " ")
    other = CommandInterpreter(make_session("tether-5"))
    other.execute(f"load {path}")
    assert other.session.latest.steps() == ["c3", "d4"]
    other.execute(f"replay {path}")
    assert other.session.view_index == 0
    assert other.execute("next").startswith("1 of 2, c3: red places on c3\n")
    assert other.format_prompt() == "position 1 of 2"
    assert "this session plays tether-3" in CommandInterpreter(make_session("tether-3")).execute(f"load {path}").replace(
        "\n", " "
    )


def test_a_move_that_needs_no_cell_is_offered() -> None:
    assert MoveSelection(make_session("cube-lariat-2", "UF1").latest).list_moves_without_cell() == ["swap"]
    assert MoveSelection(Session.from_record(Record.create("tether-3")).latest).list_moves_without_cell() == []


@pytest.mark.parametrize(
    ("spec", "moves", "cell", "words"),
    [
        ("liger-4", "", "b4", "b4 shows a blue checker, but red is to move"),
        ("laocoon", "d4 e6 g2 b8", "a1", "a1: white has no ring on a1; white's rings are on g2 and d4"),
        ("laocoon", "d4 e6 g2 b8 d4-e5 e6-f6", "f6", "f6 has a ring on it"),
        ("tether-3", "b2", "b2", "b2 already has a red stone"),
    ],
)
def test_a_cell_that_cannot_be_played_says_why(spec: str, moves: str, cell: str, words: str) -> None:
    assert MoveSelection(make_session(spec, *moves.split()).latest).describe(cell) == words
