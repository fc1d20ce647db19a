"""docs/proofs.md is enough to check proofs: two checkers that use positions, boards and nothing of `ropewalk.proofs`."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import Game, Position

SAMPLES = Path(__file__).resolve().parents[2] / "golden" / "samples"


class WrongProof(Exception):
    """The file does not prove its claims."""


def require(condition: object, message: str) -> None:
    if not condition:
        raise WrongProof(message)


def read_lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("ascii").split("\n")[:-1]


# Strategy proofs

LIGER_KINDS = {"red": [("-", 1, 1), ("=", 1, 1), ("-", -1, 1), ("=", -1, 1), "off", ("-", 1, -1), ("-", -1, -1)]}
LIGER_KINDS["blue"] = [("-", 1, -1), ("=", 1, -1), ("-", -1, -1), ("=", -1, -1), "off", ("-", 1, 1), ("-", -1, 1)]


def liger_kind(move: str) -> Any:
    """Return the kind of a move: its separator and its direction, or off."""
    if move.endswith("-off"):
        return "off"
    separator = "=" if "=" in move else "-"
    origin, target = move.split(separator)
    return separator, ord(target[0]) - ord(origin[0]), int(target[1:]) - int(origin[1:])


def ordered_moves(position: Position) -> list[str]:
    game = position.game
    if game.definition.key != "liger":
        return position.moves()
    colour = position.colours[position.seat or 0]
    cell = game.board.index

    def rank(move: str) -> tuple[int, int]:
        return LIGER_KINDS[colour].index(liger_kind(move)), cell[move.replace("=", "-").split("-")[0]]

    return sorted(position.moves(), key=rank)


def canonical(position: Position) -> str:
    symmetries = [symmetry for symmetry in position.game.symmetries if not symmetry.swaps_colours]
    return min(str(position.transform(symmetry)) for symmetry in symmetries)


class StrategyChecker:
    def __init__(self, lines: list[str]) -> None:
        header = json.loads(lines[0])
        require((header["ropewalk-proof"], header["kind"]) == (1, "strategy"), "header")
        require(header["claims"], "no claims")
        self.replies: Iterator[str] = iter(lines[1:])
        self.marks: dict[tuple[int, bool, str], str] = {}
        position = without_repetition(header["spec"]).position(header["position"])
        for claim in header["claims"]:
            after = position.play(claim["move"])
            for seat in (0, 1) if claim["value"] == 2 else (claim["value"],):
                self.visit(after, seat, claim["value"] == 2)
        require(next(self.replies, None) is None, "unused lines")

    def visit(self, position: Position, seat: int, may_draw: bool) -> None:
        if position.seat is None:
            require(position.result == seat or (may_draw and position.result == 2), "not won")
            return
        key = (seat, may_draw, canonical(position))
        if key in self.marks:
            require(self.marks[key] == "done" or may_draw, "cycle")
            return
        self.marks[key] = "on the path"
        if position.seat == seat:
            reply = next(self.replies, "")
            require(reply in position.moves(), f"{reply} is not legal")
            self.visit(position.play(reply), seat, may_draw)
        else:
            for move in ordered_moves(position):
                self.visit(position.play(move), seat, may_draw)
        self.marks[key] = "done"


def without_repetition(spec: str) -> Game:
    """Return the game in which no position is drawn by repetition."""
    game = ropewalk.game(spec)
    return ropewalk.game(f"{spec}-norepetition") if game.can_repeat else game


# Carrier proofs


class CarrierChecker:
    def __init__(self, lines: list[str]) -> None:
        header = json.loads(lines[0])
        require((header["ropewalk-proof"], header["kind"]) == (1, "carrier"), "header")
        require(header["claims"], "no claims")
        require(len(lines) - 1 == header["lines"], "number of lines")
        self.game = ropewalk.game(header["spec"])
        self.cells = range(len(self.game.board))
        start = self.game.start()
        self.claimable = {cell for cell in self.cells if self.game.board.names[cell] in start.moves()}
        self.mirrors = [self.check_mirror(mirror) for mirror in header["mirrors"]]
        self.strategies: list[tuple[set[int], set[int]]] = []
        for line in lines[1:]:
            self.strategies.append(self.check_line(line.split()))
        for claim in header["claims"]:
            self.check_claim(self.game.position(header["position"]), claim)

    def check_mirror(self, mirror: list[int]) -> list[int]:
        require(sorted(mirror) == list(self.cells), "permutation")
        require(all(mirror[mirror[cell]] == cell for cell in self.cells), "own inverse")
        board = self.game.board
        for cell in self.cells:
            images = {mirror[other] for other in board.neighbours[cell].tolist() if other >= 0}
            require(images == {other for other in board.neighbours[mirror[cell]].tolist() if other >= 0}, "neighbours")
        for name in ("centre", "edge", "nuclear"):
            marked = set(board.marked_cells.get(name, ()))
            require({mirror[cell] for cell in marked} == marked, name)
        require({mirror[cell] for cell in self.claimable} == self.claimable, "claimable")
        return mirror

    def read_set(self, word: str) -> set[int]:
        number = int(word, 16)
        found = {cell for cell in range(number.bit_length()) if number >> cell & 1}
        require(found <= self.claimable, "cells that cannot be claimed")
        return found

    def check_line(self, words: list[str]) -> tuple[set[int], set[int]]:
        if words[0] == "=":
            stones, *pairs = (self.read_set(word) for word in words[1:])
            require(all(len(pair) == 2 for pair in pairs), "pairs")
            require(sum(map(len, pairs)) + len(stones) == len(stones.union(*pairs)), "overlap")
            for choice in itertools.product(*pairs):
                require(self.wins(stones | set(choice)), "a choice does not win")
            return stones, set().union(*pairs)
        if words[0] == "%":
            mirror, stones = self.mirrors[int(words[1])], self.read_set(words[2])
            require({cell for cell in self.claimable if mirror[cell] == cell} <= stones, "fixed cells")
            return stones, self.claimable - stones - {mirror[cell] for cell in stones}
        cells, numbers = list(map(int, words[::2])), list(map(int, words[1::2]))
        require(len(cells) == len(numbers) and all(number < len(self.strategies) for number in numbers), "threats")
        threats = [(cell, *self.strategies[number]) for cell, number in zip(cells, numbers, strict=True)]
        require(all(cell in self.claimable for cell in cells), "claimable")
        required = set().union(*(stones - {cell} for cell, stones, _ in threats))
        carriers = [carrier | {cell} for cell, _, carrier in threats]
        require(not set.intersection(*carriers) - required, "a cell is in all threats")
        return required, set().union(*carriers) - required

    def wins(self, stones: set[int]) -> bool:
        """Return whether black wins with these stones, by the rules of the game itself."""
        tokens = ["b" if cell in stones else "" for cell in self.cells]
        return Position.from_row(self.game, self.game.row_from_tokens(tokens, ["white"])).result == 0

    def check_claim(self, position: Position, claim: dict[str, Any]) -> None:
        for move in claim["moves"]:
            position = position.play(move)
        require(position.seat is not None, "over")
        colour = position.colours[claim["winner"]][0]
        stones = {
            letter: {self.game.board.index[name] for name, token in position.contents.items() if token == letter}
            for letter in "bw"
        }
        if "play" in claim:
            require(position.seat == claim["winner"] and claim["play"] in position.moves(), "play")
            stones[colour].add(self.game.board.index[claim["play"]])
        elif position.seat != claim["winner"]:
            require("swap" not in position.moves(), "swap")
        required, carrier = self.strategies[claim["root"]]
        require(required <= stones[colour] and not carrier & stones["w" if colour == "b" else "b"], "does not fit")


CHECKERS = {"strategy": StrategyChecker, "carrier": CarrierChecker}


@pytest.mark.parametrize("name", ["tether-3", "liger-4", "lariat-1x1", "cube-lariat-2"])
def test_a_program_made_by_the_specification_accepts_the_proofs(name: str) -> None:
    lines = read_lines(SAMPLES / f"{name}.proof")
    CHECKERS[json.loads(lines[0])["kind"]](lines)


@pytest.mark.parametrize("name", ["tether-3", "liger-4", "lariat-1x1"])
def test_it_refuses_proofs_with_a_changed_line(name: str) -> None:
    lines = read_lines(SAMPLES / f"{name}.proof")
    checker = CHECKERS[json.loads(lines[0])["kind"]]
    with pytest.raises(WrongProof):
        checker(lines[:-1])
    header = json.loads(lines[0])
    for claim in header["claims"]:
        claim.update({"value": 1 - claim["value"]} if "value" in claim else {"winner": 1 - claim["winner"]})
    with pytest.raises((WrongProof, ropewalk.IllegalMove)):
        checker([json.dumps(header), *lines[1:]])


def test_the_order_of_moves_is_that_of_the_page() -> None:
    game, rng = ropewalk.game("liger-6-norepetition"), np.random.default_rng(1)
    position = game.start()
    for _ in range(60):
        assert sorted(ordered_moves(position)) == sorted(position.moves())
        after = position.play(str(rng.choice(position.moves())))
        position = game.start() if after.seat is None else after
