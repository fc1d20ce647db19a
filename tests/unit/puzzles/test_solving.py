"""The solver of puzzles, and sessions: every winning move is accepted, the strongest defence is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ropewalk
from ropewalk.errors import IllegalMove, MoveError
from ropewalk.games.sequence import MoveSequenceError
from ropewalk.puzzles.library import load_library
from ropewalk.puzzles.puzzle import check_puzzle
from ropewalk.puzzles.session import PuzzleSession
from ropewalk.puzzles.solver import PuzzleSolver, UndecidedError
from ropewalk.puzzles.strategy_tree import TreeTooLargeError
from tests.unit.puzzles.samples import SAMPLE


@pytest.fixture(scope="module")
def solver() -> PuzzleSolver:
    return PuzzleSolver(ropewalk.game("tether-7"))


def count_by_minimax(position: ropewalk.Position, seat: int) -> float:
    """Return the turns of a seat until it wins, by trying everything; infinity if it does not."""
    if position.seat is None:
        return 0 if position.result == seat else float("inf")
    turns = [count_by_minimax(position.play(move), seat) for move in position.moves()]
    return 1 + min(turns) if position.seat == seat else max(turns)


def test_values_and_distances_are_those_of_minimax(solver: PuzzleSolver) -> None:
    position = SAMPLE.position
    for move in position.moves():
        after = position.play(move)
        turns = count_by_minimax(after, 0)
        assert solver.is_winning_move(position, move) == (turns < float("inf"))
        if turns < float("inf"):
            assert solver.count_turns(after, 0) == turns
        else:
            assert solver.count_turns(after, 1) == count_by_minimax(after, 1)
            with pytest.raises(UndecidedError):
                solver.count_turns(after, 0)


@pytest.mark.parametrize(
    ("position", "seat", "turns"),
    [
        ("2/b,r/rb,1/2 red", 0, 1),  # after c3-b2 blue has only a3-b2, which leaves red no checker
        ("2/b,1/rbr,1/2 blue", 0, 0),
        ("1,r/b,1/2/rb,1 red", 0, 2),
        ("2/b,1/2/rb,1 blue", 0, 1),
        ("1,b/2/1,r/2 blue", 1, 1),
    ],
)
def test_a_last_move_of_the_loser_is_no_turn_of_the_winner(position: str, seat: int, turns: int) -> None:
    game = ropewalk.game("liger-4x1")
    assert PuzzleSolver(game).count_turns(game.position(position), seat) == turns


def test_all_winning_moves_are_found(solver: PuzzleSolver) -> None:
    assert solver.find_winning_moves(SAMPLE.position) == ["g5"]
    assert solver.find_winning_moves(SAMPLE.position, max_moves=0) == []
    assert solver.count_turns(SAMPLE.position, 0) == 3
    with pytest.raises(UndecidedError):
        solver.count_turns(SAMPLE.position, 0, max_turns=2)


def test_the_strongest_defence_delays_longest(solver: PuzzleSolver) -> None:
    after = SAMPLE.position.play("g5")
    turns = {move: count_by_minimax(after.play(move), 0) for move in after.moves()}
    assert turns[solver.find_strongest_defence(after)] == max(turns.values()) == 2


def test_the_main_line_is_as_long_as_the_win(solver: PuzzleSolver) -> None:
    assert len(list(solver.play_main_line(SAMPLE.position, 0))) == 2 * SAMPLE.turns - 1


def test_trees_prove_wins_and_refutations(solver: PuzzleSolver) -> None:
    position = SAMPLE.position
    tree = solver.build_tree(position.play("g5"), 0, 1000)
    others = [move for move in position.moves() if move != "g5"]
    refutation = solver.build_refutation(position, others, 1000)
    assert check_puzzle(replace(SAMPLE, proofs=(str(tree),), refutation=str(refutation))) > 50
    with pytest.raises(TreeTooLargeError):
        solver.build_tree(position.play("g5"), 0, 3)


def test_a_search_beyond_its_limit_is_undecided() -> None:
    limited = PuzzleSolver(ropewalk.game("tether-9"), max_nodes=10)
    assert limited.find_winner(ropewalk.game("tether-9").start()) is None
    with pytest.raises(UndecidedError):
        limited.find_winning_moves(ropewalk.game("tether-9").start())


def test_a_session_accepts_winning_moves_and_refuses_others(solver: PuzzleSolver) -> None:
    session = PuzzleSession(SAMPLE, solver)
    (refused,) = session.play("b1")
    assert (refused.is_winning, refused.answers, session.num_mistakes) == (False, ("g5",), 1)
    assert session.position == SAMPLE.position
    (accepted,) = session.play("g5")
    assert accepted.is_winning
    assert len(accepted.answers) == 1
    assert session.position.seat == 0


def test_illegal_moves_change_nothing(solver: PuzzleSolver) -> None:
    session = PuzzleSession(SAMPLE, solver)
    with pytest.raises(MoveError):
        session.play("zz")
    with pytest.raises(IllegalMove):
        session.play("a1")
    assert (session.position, session.num_mistakes) == (SAMPLE.position, 0)


def test_the_first_hint_is_a_region_and_the_second_the_move(solver: PuzzleSolver) -> None:
    session = PuzzleSession(SAMPLE, solver)
    region = session.give_hint()
    assert region.startswith("near ")
    assert {"g4", "g5"} <= set(region.split())
    assert len(region.split()) < 10
    assert session.give_hint() == "play g5"


def test_every_winning_move_is_accepted_to_the_end(solver: PuzzleSolver) -> None:
    """Follow all moves that a session accepts, not only the fastest: each line ends in a win."""

    def follow(moves: list[str]) -> int:
        session = PuzzleSession(SAMPLE, solver)
        for move in moves:
            session.play(move)
        if session.is_over:
            assert session.is_solved
            return 1
        accepted = [move for move in session.position.moves() if session.is_winning_move(move)]
        assert accepted
        return sum(follow([*moves, move]) for move in accepted)

    assert follow([]) >= 1


@pytest.mark.parametrize("key", [definition.key for definition in ropewalk.games()])
def test_the_main_line_of_a_game_is_accepted(key: str) -> None:
    puzzle = next(puzzle for puzzle in load_library().values() if puzzle.key == key and puzzle.turns > 1)
    session = PuzzleSession(puzzle)
    for _ in range(20):
        if session.is_over:
            break
        assert session.play(session.find_best_move())[-1].is_winning
    assert session.is_solved


def test_a_turn_of_several_moves_is_played_as_a_whole_or_not_at_all() -> None:
    puzzle = next(puzzle for puzzle in load_library().values() if puzzle.key == "laocoon")
    session = PuzzleSession(puzzle)
    with pytest.raises(MoveSequenceError):
        session.play(f"{puzzle.winning_moves[0]}/a1/a2/a3")
    assert session.position == puzzle.position
