"""Cube Lariat, by Mark Steere."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk import Game, IllegalMove, Position, PositionError

SMALL = ropewalk.game("cube-lariat-2-nopie")


def claimed(game: Game, black: str, white: str = "", to_move: str = "white") -> Position:
    """A position with stones on these cells."""
    stones = {**dict.fromkeys(black.split(), "b"), **dict.fromkeys(white.split(), "w")}
    rows = "/".join("".join(stones.get(game.board.names[cell], ".") for cell in row) for row in game.board.rows)
    for run in range(12, 0, -1):
        rows = rows.replace("." * run, str(run))
    return game.position(f"{rows} {to_move}")


def path(game: Game, start: str, end: str) -> list[str]:
    """Cells of a shortest path."""
    board = game.board
    came = {board.index[start]: -1}
    queue = [board.index[start]]
    for cell in queue:
        for near in board.neighbours[cell]:
            if near >= 0 and int(near) not in came:
                came[int(near)] = cell
                queue.append(int(near))
    cells = [board.index[end]]
    while came[cells[-1]] >= 0:
        cells.append(came[cells[-1]])
    return [board.names[cell] for cell in cells]


def test_the_nuclear_cells_are_on_three_edges_that_share_no_face() -> None:
    names = [
        ropewalk.game("cube-lariat-4").board.names[cell]
        for cell in ropewalk.game("cube-lariat-4").board.marked_cells["nuclear"]
    ]
    assert sorted(names) == ["BL2", "DR2", "UF2"]


def test_a_group_that_holds_two_nuclear_cells_wins() -> None:
    chain = path(SMALL, "UF1", "DR1")
    position = claimed(SMALL, " ".join(chain[1:]), to_move="black").play(chain[0])
    assert position.outcome is not None
    assert position.outcome.reason == "isolates-nuclear-cells"
    assert "holds DR1 and UF1" in position.outcome.words or "holds UF1 and DR1" in position.outcome.words


def test_a_ring_around_one_nuclear_cell_does_not_win() -> None:
    board = SMALL.board
    ring = [board.names[cell] for cell in board.neighbours[board.index["UF1"]] if cell >= 0]
    assert claimed(SMALL, " ".join(ring)).outcome is None


def test_a_group_that_rings_two_nuclear_cells_wins() -> None:
    board = SMALL.board
    rings = {board.names[cell] for name in ("UF1", "DR1") for cell in board.neighbours[board.index[name]] if cell >= 0}
    stones = rings - {"UF1", "DR1"}
    link = [name for name in path(SMALL, "UF1", "DR1") if name not in ("UF1", "DR1")]
    outcome = claimed(SMALL, " ".join(stones | set(link))).outcome
    assert outcome is not None
    assert "separates" in outcome.words


def test_two_rings_that_do_not_touch_are_two_groups_and_win_nothing() -> None:
    game = ropewalk.game("cube-lariat-4")
    board = game.board
    rings = " ".join(
        board.names[cell] for name in ("UF2", "DR2") for cell in board.neighbours[board.index[name]] if cell >= 0
    )
    assert claimed(game, rings).outcome is None


def test_corners_are_claimed_unless_the_option_bars_them() -> None:
    assert "UFR" in ropewalk.game("cube-lariat-2").start().moves()
    barred = ropewalk.game("cube-lariat-2-nocorners")
    assert "UFR" not in barred.start().moves()
    with pytest.raises(IllegalMove, match="UFR is a corner cell") as error:
        barred.start().play("UFR")
    assert error.value.clause == "The corner cells"


def test_a_stone_on_a_barred_corner_is_no_position() -> None:
    game = ropewalk.game("cube-lariat-2-nocorners")
    start = str(game.start())
    with pytest.raises(PositionError, match="corner cell"):
        game.position(start.replace("/8 black", "/b7 black"))


def test_swap_gives_black_and_its_stone_to_seat_one() -> None:
    position = ropewalk.game("cube-lariat").start().play("UF2").play("swap")
    assert (position.seat, position.colours, position.contents) == (0, ("white", "black"), {"UF2": "b"})


def test_six_symmetries_keep_the_nuclear_cells() -> None:
    assert len(ropewalk.game("cube-lariat-4").symmetries) == 6
