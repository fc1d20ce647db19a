"""The carrier checker accepts proofs of the solver and refuses modified ones, naming the line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ropewalk
from ropewalk.proofs.carrier.checker import check_carrier_proof, verify_carrier_proof
from ropewalk.proofs.carrier.solver import solve_carrier
from ropewalk.proofs.solver import ProofError, Solution, SolverLimits

SMALL_LIMITS = SolverLimits(memory_bytes=1 << 22)
Lines = list[str]
MIDGAME_MOVES = "Ua1' Da1' UF1 DR1 Ua1 Db1 Fa2 Rb1 La1' Rb2 Ub1 Ba1 Ra1' Bb1 BL1 Bb2"


def solve_start(spec: str, path: Path) -> Solution:
    return solve_carrier(ropewalk.game(spec).start(), path, SMALL_LIMITS)


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    path = tmp_path_factory.mktemp("proofs") / "lariat-1x3.txt"
    solve_start("lariat-1x3", path)
    return path.read_text().splitlines(keepends=True)


def write_proof(lines: Lines, folder: Path) -> Path:
    path = folder / "proof.txt"
    path.write_text("".join(lines))
    return path


def edit_header(lines: Lines, change: Callable[[dict[str, Any]], None]) -> Lines:
    """Return the proof with a modified header."""
    header = json.loads(lines[0])
    change(header)
    return [json.dumps(header) + "\n", *lines[1:]]


def threat_line(lines: Lines) -> int:
    """Return the index of a line of several threats."""
    return next(index for index, line in enumerate(lines) if index and line[0].isdigit() and len(line.split()) > 2)


def leaf_line(lines: Lines) -> int:
    """Return the index of a pairing strategy with pairs."""
    return next(index for index, line in enumerate(lines) if line.startswith("=") and len(line.split()) > 2)


@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-1x2-pie", "lariat-1x3"])
@pytest.mark.parametrize("name", ["proof.txt", "proof.gz"])
def test_the_checker_verifies_every_claim_of_a_proof(spec: str, name: str, tmp_path: Path) -> None:
    solution = solve_start(spec, tmp_path / name)
    claims = check_carrier_proof(tmp_path / name)
    assert claims
    for claim in claims:
        assert solution.moves[claim.moves[0]] == claim.winner
    assert len(claims) == len({move[0] for move in solution.moves if move != "swap"})  # one claim per ring


def test_a_position_in_the_middle_of_a_game_of_cube_lariat_is_proven(tmp_path: Path) -> None:
    game = ropewalk.game("cube-lariat-2-nopie")
    position = game.start()
    for move in MIDGAME_MOVES.split():
        position = position.play(move)
    solution = solve_carrier(position, tmp_path / "proof", SMALL_LIMITS)
    assert solution.value is not None
    claims = {claim.moves[0]: claim.winner for claim in check_carrier_proof(tmp_path / "proof")}
    assert claims
    assert all(solution.moves[move] == winner for move, winner in claims.items())


def test_a_dropped_threat_is_refused(proof: Lines, tmp_path: Path) -> None:
    index = threat_line(proof)
    changed = [*proof[:index], " ".join(proof[index].split()[2:]) + "\n", *proof[index + 1 :]]
    with pytest.raises(ProofError, match=rf"line {index + 1} of the proof: cells .* are in all threats"):
        check_carrier_proof(write_proof(changed, tmp_path))


def test_a_wrong_cell_is_refused(proof: Lines, tmp_path: Path) -> None:
    num_refused, index = 0, threat_line(proof)
    tokens = proof[index].split()
    for cell in range(25):
        changed = [*proof[:index], " ".join([str(cell), *tokens[1:]]) + "\n", *proof[index + 1 :]]
        try:
            check_carrier_proof(write_proof(changed, tmp_path))
        except ProofError:
            num_refused += 1
    assert num_refused >= 20  # another cell may be valid too


def test_a_cell_that_is_not_on_the_board_is_refused(proof: Lines, tmp_path: Path) -> None:
    index = threat_line(proof)
    changed = [*proof[:index], " ".join(["25", *proof[index].split()[1:]]) + "\n", *proof[index + 1 :]]
    with pytest.raises(ProofError, match="cell 25 cannot be claimed"):
        check_carrier_proof(write_proof(changed, tmp_path))


def test_pairs_that_overlap_stones_are_refused(proof: Lines, tmp_path: Path) -> None:
    index = leaf_line(proof)
    _, stones, pair, *others = proof[index].split()
    changed = [
        *proof[:index],
        " ".join(["=", f"{int(stones, 16) | int(pair, 16):x}", pair, *others]) + "\n",
        *proof[index + 1 :],
    ]
    with pytest.raises(ProofError, match=f"line {index + 1} of the proof: every pair must have two cells"):
        check_carrier_proof(write_proof(changed, tmp_path))


def test_a_leaf_without_one_of_its_pairs_is_refused(proof: Lines, tmp_path: Path) -> None:
    index = leaf_line(proof)
    changed = [*proof[:index], " ".join(proof[index].split()[:-1]) + "\n", *proof[index + 1 :]]
    with pytest.raises(ProofError, match="does not win for every choice"):
        check_carrier_proof(write_proof(changed, tmp_path))


def test_a_strategy_before_it_is_proven_is_refused(proof: Lines, tmp_path: Path) -> None:
    index = threat_line(proof)
    tokens = proof[index].split()
    changed = [*proof[:index], " ".join([tokens[0], str(index), *tokens[2:]]) + "\n", *proof[index + 1 :]]
    with pytest.raises(ProofError, match=f"strategy {index} is not on an earlier line"):
        check_carrier_proof(write_proof(changed, tmp_path))


@pytest.mark.parametrize("number", range(5))
def test_a_swapped_winner_is_refused(proof: Lines, number: int, tmp_path: Path) -> None:
    def swap(header: dict[str, Any]) -> None:
        header["claims"][number]["winner"] ^= 1

    with pytest.raises(ProofError):
        check_carrier_proof(write_proof(edit_header(proof, swap), tmp_path))


def test_a_strategy_that_does_not_fit_its_position_is_refused(proof: Lines, tmp_path: Path) -> None:
    def reuse(header: dict[str, Any]) -> None:
        header["claims"][1]["root"] = header["claims"][2]["root"]

    with pytest.raises(ProofError, match="does not apply to the position"):
        check_carrier_proof(write_proof(edit_header(proof, reuse), tmp_path))


def test_a_mirror_that_is_no_symmetry_is_refused(proof: Lines, tmp_path: Path) -> None:
    def twist(header: dict[str, Any]) -> None:
        mirror = header["mirrors"][0]
        mirror[1], mirror[2] = mirror[2], mirror[1]

    with pytest.raises(ProofError, match="a mirror is not a symmetry of the board"):
        check_carrier_proof(write_proof(edit_header(proof, twist), tmp_path))


def test_a_mirror_strategy_without_the_centre_is_refused(proof: Lines, tmp_path: Path) -> None:
    index = next(index for index, line in enumerate(proof) if line.startswith("%"))
    changed = [*proof[:index], f"% {proof[index].split()[1]} 0\n", *proof[index + 1 :]]
    with pytest.raises(ProofError, match="does not hold all fixed cells of its mirror"):
        check_carrier_proof(write_proof(changed, tmp_path))


def test_every_truncation_is_refused_with_its_line(proof: Lines, tmp_path: Path) -> None:
    for length in range(1, len(proof)):
        with pytest.raises(ProofError, match=f"line {length + 1} of the proof is missing"):
            check_carrier_proof(write_proof(proof[:length], tmp_path))
    with pytest.raises(ProofError, match="line 4 of the proof: the line is incomplete"):
        check_carrier_proof(write_proof([*proof[:3], proof[3].rstrip("\n")], tmp_path))


def test_a_truncated_gzip_file_is_refused(proof: Lines, tmp_path: Path) -> None:
    compressed = gzip.compress("".join(proof).encode())
    (tmp_path / "proof.gz").write_bytes(compressed[: len(compressed) // 2])
    with pytest.raises(ProofError, match=r"cannot be read after line \d+"):
        check_carrier_proof(tmp_path / "proof.gz")


@pytest.mark.parametrize("line", ["", "x", "{}", "[1]", '{"ropewalk-proof": 2}', "7 7 7", "= zz"])
def test_what_is_no_proof_is_refused(line: str, proof: Lines, tmp_path: Path) -> None:
    with pytest.raises(ProofError, match="line 1 of the proof: expected a header"):
        check_carrier_proof(write_proof([line + "\n"], tmp_path))
    with pytest.raises(ProofError, match="line 2 of the proof"):
        check_carrier_proof(write_proof([proof[0], line + "\n", *proof[2:]], tmp_path))


def test_a_stopped_run_keeps_its_claims_and_a_second_one_resumes(tmp_path: Path) -> None:
    path = tmp_path / "proof.gz"
    stopped_limits = SolverLimits(memory_bytes=1 << 22)
    stopped_limits.stop.set()
    solve_carrier(ropewalk.game("lariat-1x4").start(), path, stopped_limits)
    claims = check_carrier_proof(path)
    assert [claim.moves for claim in claims] == [("a1",)]
    solution = solve_carrier(ropewalk.game("lariat-1x4").start(), path, SolverLimits(memory_bytes=1 << 26))
    assert None not in solution.moves.values()
    assert len(check_carrier_proof(path)) == 6


def test_a_proof_of_another_position_is_not_continued(proof: Lines, tmp_path: Path) -> None:
    path = write_proof(proof, tmp_path)
    with pytest.raises(ProofError, match="is a proof for position '1/6/6/6/6 black' of lariat-1x3, not"):
        solve_carrier(ropewalk.game("lariat-1x2").start(), path, SMALL_LIMITS)


def test_a_proof_that_claims_nothing_is_refused(proof: Lines, tmp_path: Path) -> None:
    empty = edit_header(proof, lambda header: header.update(claims=[], lines=0))[:1]
    with pytest.raises(ProofError, match="claims nothing"):
        verify_carrier_proof(write_proof(empty, tmp_path))
