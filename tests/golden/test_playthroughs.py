"""Recorded games: the rules and their texts are what they were when the files were written.

A file holds one random game with a fixed seed: for each step the position, the seat to move, the legal moves as a count and
a CRC-32 of their texts, refusals of some other moves, and the move with its explanation; then the outcome and the drawn
board. After an intended change, rewrite the files and review the difference:

    python -m tests.golden.test_playthroughs --write
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import pytest

import ropewalk
from ropewalk import Game, IllegalMove, Position, RopewalkError

FOLDER = Path(__file__).with_name("playthroughs")


class Recording(NamedTuple):
    """A game to play: moves by a fixed seed after the given ones, from the start or from a position."""

    spec: str
    seed: int
    moves: str = ""  # steps that are played first
    position: str = ""  # "": the start


RECORDINGS = {  # by the name of the file
    "lariat-1x6": Recording("lariat-1x6", 1),
    "lariat-1x2-pie": Recording("lariat-1x2-pie", 2),
    "lariat-1x2-pie-swapped": Recording("lariat-1x2-pie", 3, "a1 swap"),
    "cube-lariat-2": Recording("cube-lariat-2", 3),
    "cube-lariat-2-nocorners-nopie": Recording("cube-lariat-2-nocorners-nopie", 4),
    "tether-5": Recording("tether-5", 5),
    "tether-9": Recording("tether-9", 6),
    "laocoon-weave": Recording("laocoon-weave", 7),
    "laocoon-random-7": Recording("laocoon-random-7", 8),
    "laocoon-quick-7-norepetition": Recording("laocoon-quick-7-norepetition", 9),
    "laocoon-blocks-norepetition": Recording("laocoon-blocks-norepetition", 10),
    "liger-4": Recording("liger-4", 11),
    "liger-4-repetition": Recording("liger-4", 12, 2 * "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3 ", "2/b,rbr/2/2 red"),
    "liger-6": Recording("liger-6", 12),
    "liger-8-norepetition": Recording("liger-8-norepetition", 13),
    "liger-4x2-norepetition": Recording("liger-4x2-norepetition", 14),
}
MAX_STEPS = 160  # a longer game is cut off
FULL_REFUSALS_EVERY = 10  # steps; the reasons of all illegal moves are counted there
BAD_MOVES = ("", "z9", "swap", "a1-a2-a3", "A1", "pass", "a1 b2")
BAD_POSITIONS = ("", "1", "x y", "///// red")


def describe_game(game: Game) -> Iterator[str]:
    yield f"spec: {game.spec}"
    yield f"name: {game.name}, by {game.designer} ({game.year})"
    yield f"colours: {', '.join(game.colours)}"
    yield f"options: {dict(game.options)}"
    yield f"cells: {len(game.board)}, {checksum(game.board.names)}"
    yield f"moves: {game.num_actions}, {checksum(game.move_texts)}"
    yield f"symmetries: {len(game.symmetries)}"
    for text in BAD_MOVES:
        yield f"move {text!r}: {error_of(game.start(), text)}"
    for text in BAD_POSITIONS:
        try:
            yield f"position {text!r}: {game.position(text)}"
        except RopewalkError as error:
            yield f"position {text!r}: {type(error).__name__}: {error}"


def error_of(position: Position, text: str) -> str:
    try:
        position.play(text)
    except RopewalkError as error:
        return f"{type(error).__name__}: {error}"
    return "legal"


def checksum(texts: tuple[str, ...] | list[str]) -> str:
    """CRC-32 of some texts in their order."""
    return f"{crc32(' '.join(texts).encode()):08x}"


def describe_refusal(refusal: IllegalMove) -> str:
    witness = " ".join(refusal.witness)
    return f"refused {refusal.move}: [{refusal.reason}] [{refusal.clause}] [{witness}] {refusal}"


def describe_refusals(position: Position, rng: random.Random, step: int) -> Iterator[str]:
    """One illegal move in full, and now and then all of them as counts by reason with a CRC-32 of their texts."""
    legal = set(position.moves())
    illegal = [move for move in position.game.move_texts if move not in legal]
    if not illegal:
        return
    if step % FULL_REFUSALS_EVERY == 0:
        by_reason: dict[str, list[str]] = {}
        for move in illegal:
            refusal = position.refusal(move)
            assert refusal is not None
            by_reason.setdefault(refusal.reason, []).append(describe_refusal(refusal))
        for reason, lines in sorted(by_reason.items()):
            yield f"refusals by {reason}: {len(lines)}, {checksum(lines)}"
            yield lines[rng.randrange(len(lines))]
    else:
        refusal = position.refusal(rng.choice(illegal))
        assert refusal is not None
        yield describe_refusal(refusal)


def describe_step(position: Position, move: str, rng: random.Random, step: int) -> Iterator[str]:
    moves = position.moves()
    assert position.seat is not None
    yield f"position: {position}"
    yield f"seat: {position.seat}, {position.colours[position.seat]}"
    yield f"legal: {len(moves)}, {checksum(moves)}, ids {checksum(list(map(str, position.move_ids())))}"
    yield from describe_refusals(position, rng, step)
    yield f"move: {move} (id {position.game.move_id(move)})"
    yield f"explained: {position.explain(move)}"


def describe_end(position: Position) -> Iterator[str]:
    yield f"position: {position}"
    outcome = position.outcome
    if outcome is None:
        yield f"cut off after {len(position.steps())} steps"
    else:
        yield f"winner: {outcome.winner}"
        yield f"reason: {outcome.reason}"
        yield f"witness: {' '.join(outcome.witness)}"
        yield f"clause: {outcome.clause}"
        yield f"words: {outcome.words}"
        yield f"any move then: {error_of(position, position.game.move_texts[0])}"
    yield "board:"
    yield from (line.rstrip() for line in position.draw().splitlines())


def playthrough(recording: Recording) -> str:
    """The text of a recorded game."""
    game, rng = ropewalk.game(recording.spec), random.Random(recording.seed)
    position = game.position(recording.position) if recording.position else game.start()
    given = recording.moves.split()
    lines = [*describe_game(game), f"seed: {recording.seed}"]
    for step in range(MAX_STEPS):
        if position.seat is None:
            break
        move = given[step] if step < len(given) else rng.choice(position.moves())
        lines += ["", f"# step {step + 1}", *describe_step(position, move, rng, step)]
        position = position.play(move)
    lines += ["", "# end", *describe_end(position)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_recorded_game_is_played_again_word_for_word(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(RECORDINGS[name]).splitlines() == recorded.splitlines()


def test_every_file_has_a_test() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RECORDINGS)


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, recording in RECORDINGS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(recording), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
