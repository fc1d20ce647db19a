"""What is known about the games: every claim has evidence that exists, positions that refute, proofs that are checked."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import Game, Position
from ropewalk.games.known import PROOF_FOLDER, SOURCES, STATES, find_proof_file, load_known
from ropewalk.games.registry import games
from ropewalk.games.sequence import MoveSequence
from ropewalk.proofs.carrier.checker import check_carrier_proof
from ropewalk.proofs.strategy.checker import check_strategy_proof

ROOT = Path(__file__).parents[3]
CLAIMS = [(game, claim) for game, entry in load_known().items() for claim in entry["claims"]]
BOARDS = [board for entry in load_known().values() for board in entry["solved"]]
claims = pytest.mark.parametrize(("game", "claim"), CLAIMS, ids=[f"{game} {claim['id']}" for game, claim in CLAIMS])


def evidence_exists(reference: str) -> bool:
    """Return whether a reference names a page, or a test that is defined in its file."""
    path, _, name = reference.partition("::")
    file = ROOT / path
    if not name or not file.is_file():
        return file.is_file()
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.parse(file.read_text("utf-8")).body)


def texts_of(value: Any) -> list[dict[str, str]]:
    """Return every translated text below a value."""
    if isinstance(value, dict):
        return [value] if set(value) == {"en", "de"} else [text for each in value.values() for text in texts_of(each)]
    return [text for each in value for text in texts_of(each)] if isinstance(value, list) else []


def test_every_game_has_its_claims() -> None:
    assert set(load_known()) == {entry.key for entry in games()}
    for entry in load_known().values():
        ids = [claim["id"] for claim in entry["claims"]]
        assert len(ids) == len(set(ids))
        assert any(claim["source"] == "rule sheet" for claim in entry["claims"])


@claims
def test_what_is_not_open_names_evidence_that_exists(game: str, claim: Any) -> None:
    assert claim["state"] in STATES
    assert claim["source"] in SOURCES
    assert claim["state"] == "open" or claim["evidence"]
    assert [reference for reference in claim["evidence"] if not evidence_exists(reference)] == []
    assert claim["state"] != "checked" or claim["cases"] > 0
    assert claim["state"] != "refuted" or claim["positions"]


@claims
def test_every_text_is_in_both_languages(game: str, claim: Any) -> None:
    texts = texts_of(claim)
    assert len(texts) >= 2
    assert all(text["en"].strip() and text["de"].strip() and text["en"] != text["de"] for text in texts)


def test_refuting_positions_come_back() -> None:
    refuted = [position for _, claim in CLAIMS for position in claim["positions"]]
    assert len(refuted) == 2
    for shown in refuted:
        *_, last = positions = MoveSequence.parse(ropewalk.game(shown["spec"]), shown["position"], shown["moves"]).positions
        assert str(last) == str(positions[0])


@pytest.mark.parametrize("board", BOARDS, ids=[board["spec"] for board in BOARDS])
def test_solved_boards_name_evidence_and_games(board: Any) -> None:
    assert ropewalk.game(board["spec"]).spec == board["spec"]
    assert board["evidence"]
    assert all(evidence_exists(reference) for reference in board["evidence"])


@pytest.mark.parametrize("name", sorted(board["proof"] for board in BOARDS if board["proof"]))
def test_every_proof_file_is_accepted_by_its_checker(name: str) -> None:
    path = find_proof_file(name)
    assert path is not None
    if path.suffix == ".gz":
        assert check_strategy_proof(path).proof_size > 0
    else:
        assert check_carrier_proof(path)


def test_no_other_file_is_served_as_a_proof() -> None:
    assert find_proof_file("../known.json") is None
    assert {file.name for file in PROOF_FOLDER.iterdir()} == {board["proof"] for board in BOARDS if board["proof"]}


# Lariat without the pie rule


def opposite_moves(game: Game) -> Any:
    """Return the image of each move under the half turn: the symmetry of order two that fixes the centre alone."""
    cells = np.arange(len(game.board))
    for symmetry in game.symmetries:
        image = np.asarray(symmetry.cells)
        if (image[image] == cells).all() and (image == cells).sum() == 1:
            return symmetry.moves
    raise AssertionError(f"{game.spec} has no half turn")


def play_opposite(game: Game, choose: Callable[[Position], str]) -> Position:
    """Return the end of a game in which black takes the centre and answers opposite; `choose` plays white."""
    opposite, position = opposite_moves(game), game.start().play("a1")
    while position.outcome is None:
        move = choose(position)
        position = position.play(move)
        if position.outcome is None:
            position = position.play_id(int(opposite[game.move_id(move)]))
    return position


@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-1x6", "lariat-2x10", "lariat-3x12", "lariat-4x3"])
def test_taking_the_centre_and_answering_opposite_wins(spec: str) -> None:
    game, rng = ropewalk.game(spec), random.Random(spec)
    for _ in range(20):
        assert play_opposite(game, lambda position: rng.choice(position.moves())).result == 0


@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-1x6", "lariat-2x4"])
def test_answering_opposite_wins_against_a_bot_of_level_3(spec: str) -> None:
    game = ropewalk.game(spec)
    with closing(ropewalk.bot(game, 3)) as bot:
        bot.new_game(1)
        assert play_opposite(game, bot.choose).result == 0


def test_every_offered_board_has_the_half_turn() -> None:
    for cap in range(1, 7):
        for wall in (1, 2, 5):
            assert opposite_moves(ropewalk.game(f"lariat-{cap}x{wall}")) is not None
