"""The strategy checker accepts proofs of the solver and refuses invalid files, naming the line."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import Position
from ropewalk.proofs.dfpn_solver import DfpnSolver
from ropewalk.proofs.retrograde import RetrogradeSolver
from ropewalk.proofs.solver import ProofError, Solution, SolverLimits
from ropewalk.proofs.strategy.checker import check_strategy_proof
from ropewalk.proofs.strategy.solver import SolverError, solve_by_strategy
from ropewalk.proofs.strategy.traversal import OracleReplies, StrategyTraversal
from ropewalk.rules.interface import legal_moves

DRAWN_POSITION = "2/1,b/rrbr,b/2 red"  # of liger-4x2
CYCLE_POSITION = "2/b,rbr/2/2 red"
ENDGAME = (
    "o,yb,[by],p,ob,y,b,py/bo,p,6/o,2,pb,o,2,(p)/bp,p,1,yo,b,py,2/o,2,p,o,y,b,p/2,o,y,1,(p),[oy],yo/"
    "o,y,1,po,ob,yb,b,py/b,pb,o,y,b,p,oy,yp black move black:b"
)
LATE_MOVES = "c3 e3 b1 e2 a5 e4 b4 b3 d5 c4 d4 a1 c1 e5"  # of tether-5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


def prove(folder: Path, spec: str, text: str = "") -> tuple[Path, Solution]:
    """Return the proof file and the solution of a position; an existing file is resumed."""
    game = ropewalk.game(spec)
    position = game.position(text) if "/" in text else game.start()
    for move in text.split() if "/" not in text else []:
        position = position.play(move)
    path = folder / f"{spec}{abs(hash(text))}.proof"
    return path, solve_by_strategy(position, path, SolverLimits(memory_bytes=1 << 26))


def read_lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def write_lines(path: Path, lines: list[str]) -> Path:
    changed = path.with_suffix(".changed")
    changed.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    return changed


def with_header(path: Path, **changes: Any) -> Path:
    first, *rest = read_lines(path)
    return write_lines(path, [json.dumps(json.loads(first) | changes), *rest])


CASES = [("tether-3", ""), ("lariat-1x1", ""), ("liger-4", ""), ("liger-4x2", DRAWN_POSITION), ("tether-5", LATE_MOVES)]


@pytest.mark.parametrize(("spec", "text"), CASES)
def test_the_checker_confirms_what_the_solver_says(folder: Path, spec: str, text: str) -> None:
    path, solution = prove(folder, spec, text)
    checked = check_strategy_proof(path)
    assert (checked.value, dict(checked.moves)) == (solution.value, dict(solution.moves))
    assert checked.proof_size == solution.proof_size == len(read_lines(path)) - 1
    assert None not in solution.moves.values()


def test_values_of_small_boards(folder: Path) -> None:
    tether, lariat, liger, drawn, _ = (prove(folder, spec, text)[1] for spec, text in CASES)
    assert set(tether.moves.values()) == {0}
    assert [move for move, value in lariat.moves.items() if value == 0] == ["a1"]
    assert dict(liger.moves) == {"a1-b2": 0, "c1-d2": 1, "c1-b2": 0}
    assert drawn.value == 2


def test_solving_again_takes_all_values_from_the_file(folder: Path) -> None:
    path, first = prove(folder, "lariat-1x1")
    before = path.read_bytes()
    _, second = prove(folder, "lariat-1x1")
    assert (second.nodes, dict(second.moves)) == (0, dict(first.moves))
    assert path.read_bytes() == before


def test_a_proof_with_some_of_the_claims_is_finished(folder: Path) -> None:
    path, complete = prove(folder, "tether-3")
    first, *_ = read_lines(path)
    claims = json.loads(first)["claims"]
    part = with_header(path, claims=claims[:0])
    part.write_bytes(gzip.compress(read_lines(part)[0].encode() + b"\n"))
    with pytest.raises(ProofError, match="nothing to verify"):
        check_strategy_proof(part)
    finished = solve_by_strategy(ropewalk.game("tether-3").start(), part, SolverLimits(memory_bytes=1 << 20))
    assert dict(finished.moves) == dict(complete.moves)
    assert check_strategy_proof(part).value == 0


def test_a_file_of_another_position_is_not_overwritten(folder: Path) -> None:
    path, _ = prove(folder, "tether-3")
    before = path.read_bytes()
    with pytest.raises(ProofError, match="a proof of another position"):
        solve_by_strategy(ropewalk.game("tether-3").start().play("b2"), path, SolverLimits())
    assert path.read_bytes() == before


def test_every_changed_reply_is_refused_or_wins_as_well(folder: Path) -> None:
    path, solution = prove(folder, "tether-3")
    lines = read_lines(path)
    num_refused = 0
    for number in range(1, len(lines), 5):
        changed = "a1" if lines[number] != "a1" else "c3"
        try:
            checked = check_strategy_proof(write_lines(path, [*lines[:number], changed, *lines[number + 1 :]]))
        except ProofError as error:
            num_refused += 1
            assert "line" in str(error)
        else:
            assert dict(checked.moves) == dict(solution.moves)
    assert num_refused > 0.9 * len(lines) / 5


@pytest.mark.parametrize("keep", [1, 2, 100, -1])
def test_missing_replies_are_refused(folder: Path, keep: int) -> None:
    path, _ = prove(folder, "tether-3")
    shorter = write_lines(path, read_lines(path)[:keep])
    with pytest.raises(ProofError, match=r"line .*: unexpected end of file: expected a reply to"):
        check_strategy_proof(shorter)


def test_a_gap_and_more_replies_than_needed_are_refused(folder: Path) -> None:
    path, _ = prove(folder, "tether-3")
    lines = read_lines(path)
    with pytest.raises(ProofError, match="line"):
        check_strategy_proof(write_lines(path, lines[:40] + lines[41:]))
    with pytest.raises(ProofError, match=f"line {len(lines) + 1}: unexpected line"):
        check_strategy_proof(write_lines(path, [*lines, "a1"]))


def test_wrong_claims_are_refused(folder: Path) -> None:
    path, solution = prove(folder, "lariat-1x1")
    for value in (1, 2, 3, -1, None, "0", True):
        claims = [{"move": move, "value": value if move == "a1" else proven} for move, proven in solution.moves.items()]
        with pytest.raises(ProofError, match="line"):
            check_strategy_proof(with_header(path, claims=claims))


def test_a_draw_is_not_taken_for_a_win(folder: Path) -> None:
    path, solution = prove(folder, "liger-4x2", DRAWN_POSITION)
    drawing = next(move for move, value in solution.moves.items() if value == 2)
    for value in (0, 1):
        claims = [{"move": move, "value": value if move == drawing else proven} for move, proven in solution.moves.items()]
        with pytest.raises(ProofError, match="line"):
            check_strategy_proof(with_header(path, claims=claims))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "carrier"}, "of kind 'strategy'"),
        ({"ropewalk-proof": 2}, "version 2"),
        ({"spec": "tether-4"}, "even"),
        ({"spec": 7}, "spec must be a string"),
        ({"position": "3/3 red"}, "line 1"),
        ({"position": "rrr/3/rrr blue"}, "line 1"),
        ({"claims": [{"move": "z9", "value": 0}]}, "a different legal move"),
        ({"claims": [{"move": "a1", "value": 0}] * 2}, "a different legal move"),
        ({"claims": {"a1": 0}}, "expected the header"),
        ({"claims": 5}, "expected the header"),
    ],
)
def test_wrong_headers_are_refused(folder: Path, changes: dict[str, Any], message: str) -> None:
    path, _ = prove(folder, "tether-3")
    with pytest.raises(ProofError, match=message):
        check_strategy_proof(with_header(path, **changes))


def test_corrupt_files_are_refused(folder: Path) -> None:
    path, _ = prove(folder, "tether-3")
    valid = path.read_bytes()
    corrupt = path.with_suffix(".corrupt")
    for content in (b"", b"no gzip", valid[:50], valid[:-4], valid[:60] + b"\0\0\0" + valid[63:], gzip.compress(b"\xff\n")):
        corrupt.write_bytes(content)
        with pytest.raises(ProofError, match=r"corrupt"):
            check_strategy_proof(corrupt)
    with pytest.raises(ProofError, match="No such file"):
        check_strategy_proof(folder / "missing")


def test_a_strategy_with_a_cycle_is_not_a_win() -> None:
    game = ropewalk.game("liger-4")
    position = game.position(CYCLE_POSITION)
    cycle = dict(zip(cycle_texts(position), ["c3=b4", "a3-b4", "c3-d4", "b4=c3", "d4-c3", "b4-a3"], strict=True))

    def follow_cycle(current: Position, seat: int, may_draw: bool) -> int:
        return game.move_id(cycle.get(str(current), current.moves()[0]))

    first = position.play("c3=b4")
    seat = 1 - (position.seat or 0)
    with pytest.raises(ProofError, match=r"goes round|does not win"):
        StrategyTraversal(game).traverse(first, seat, OracleReplies(follow_cycle), may_draw=False)


def cycle_texts(position: Position) -> list[str]:
    """Return the texts of the positions of the cycle."""
    texts = []
    for move in ["c3=b4", "a3-b4", "c3-d4", "b4=c3", "d4-c3", "b4-a3"]:
        texts.append(str(position))
        position = position.play(move)
    assert str(position) == texts[0]
    return texts


def test_wins_of_an_endgame_with_possible_repetition_are_proven(tmp_path: Path) -> None:
    position = ropewalk.game("laocoon-weave").position(ENDGAME)
    RetrogradeSolver(position, 1 << 16).solve(lambda: True)  # compiles the kernels, as does
    DfpnSolver(position.game, 1 << 16)
    solution = solve_by_strategy(position, tmp_path / "a.proof", SolverLimits(memory_bytes=1 << 22, seconds=5))
    checked = check_strategy_proof(tmp_path / "a.proof")
    assert solution.value == checked.value == position.seat
    assert dict(checked.moves) == dict(solution.moves)
    assert solution.proof_size > 0


SOLVE_SCRIPT = """
import sys, warnings, ropewalk
from pathlib import Path
warnings.simplefilter("error")
from ropewalk.proofs.solver import SolverLimits
from ropewalk.proofs.strategy.solver import solve_by_strategy
for spec in ("lariat-1x1", "liger-4"):
    path = Path(sys.argv[1]) / spec
    solution = solve_by_strategy(ropewalk.game(spec).start(), path, SolverLimits(memory_bytes=1 << 20))
    print(solution.value, solution.nodes, path.read_bytes())
"""


def test_without_compiling_the_same_proof_is_found(tmp_path: Path) -> None:
    printed = set()
    for number, settings in enumerate(({}, {"NUMBA_DISABLE_JIT": "1"})):
        folder = tmp_path / str(number)
        folder.mkdir()
        command = [sys.executable, "-c", SOLVE_SCRIPT, str(folder)]
        result = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **settings})
        printed.add(result.stdout)
    assert len(printed) == 1


def test_a_finished_game_has_nothing_to_solve() -> None:
    position = ropewalk.game("tether-3").position("rrr/3/bbb blue")
    while position.seat is not None:
        position = position.play(position.moves()[0])
    with pytest.raises(SolverError, match="the game is over, so there is nothing to solve: "):
        solve_by_strategy(position, None, SolverLimits())


def test_the_solver_obeys_its_stop_event_and_time_limit() -> None:
    limits = SolverLimits(memory_bytes=1 << 20)
    limits.stop.set()
    position = ropewalk.game("tether-5").start()
    assert solve_by_strategy(position, None, limits).value is None
    solution = solve_by_strategy(position, None, SolverLimits(memory_bytes=1 << 20, seconds=0.2))
    assert (solution.value, set(solution.moves.values())) == (None, {None})
    assert solution.seconds < 30


def traverse_naively(position: Position, seat: int, replies: Iterator[str], seen: set[str]) -> None:
    """Traverse as the checker's module docstring specifies."""
    if position.seat is None:
        assert position.result == seat
    elif (key := canonical_text(position)) not in seen:
        seen.add(key)
        moves = [next(replies)] if position.seat == seat else generate_moves(position)
        for move in moves:
            traverse_naively(position.play(move), seat, replies, seen)


def generate_moves(position: Position) -> list[str]:
    """Return the legal moves in the order in which the kernel generates them, which docs/proofs.md describes."""
    moves = np.empty(position.game.max_legal_moves, np.int64)
    count = legal_moves(position.game.rules, position.state, moves)
    return [position.game.move_text(int(move)) for move in moves[:count]]


def canonical_text(position: Position) -> str:
    """Return a text that is equal for positions equal up to symmetry."""
    symmetries = [symmetry for symmetry in position.game.symmetries if not symmetry.swaps_colours]
    return min(str(position.transform(symmetry)) for symmetry in symmetries)


@pytest.mark.parametrize(("spec", "text"), [("tether-3", ""), ("lariat-1x1", ""), ("liger-4", ""), ("tether-5", LATE_MOVES)])
def test_the_traversal_follows_its_specification(folder: Path, spec: str, text: str) -> None:
    path, solution = prove(folder, spec, text)
    replies = iter(read_lines(path)[1:])
    seen: dict[int | None, set[str]] = {0: set(), 1: set()}
    position = ropewalk.game(spec).position(solution.position)
    for move, value in solution.moves.items():
        traverse_naively(position.play(move), value or 0, replies, seen[value])
    assert next(replies, None) is None
    assert check_strategy_proof(path).nodes == len(seen[0]) + len(seen[1])
