"""The generator: the same puzzles for the same seed, whole files after an interruption, what makes a puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ropewalk
from ropewalk.puzzles.difficulty import DifficultyRater
from ropewalk.puzzles.generator import MAX_PER_LATE_GAME, GeneratorOptions, PuzzleGenerator, generate_file
from ropewalk.puzzles.library import read_puzzles
from ropewalk.puzzles.puzzle import Puzzle, PuzzleError, check_puzzle, find_canonical_text
from tests.unit.puzzles.samples import SAMPLE

OPTIONS = GeneratorOptions(count=6, seed=3, max_share=1.0, game_visits=50, solver_nodes=5_000, max_positions=1_000)


def ignore_progress(generator: PuzzleGenerator) -> None:
    """Show nothing."""


def generate(path: Path, on_progress: Callable[[PuzzleGenerator], None] = ignore_progress) -> None:
    """Run a new generator of a tiny board on a file."""
    generator = PuzzleGenerator(ropewalk.game("lariat-1x2"), OPTIONS)
    try:
        generate_file(generator, path, on_progress)
    finally:
        generator.close()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzles") / "lariat.jsonl"
    generate(path)
    return path


def test_every_puzzle_keeps_the_conditions(generated: Path) -> None:
    puzzles = read_puzzles(generated)
    assert len(puzzles) == OPTIONS.count
    for puzzle in puzzles:
        assert 0 < check_puzzle(puzzle) <= OPTIONS.max_positions
        assert 1 <= puzzle.turns <= OPTIONS.max_turns
        assert len(puzzle.winning_moves) <= OPTIONS.max_winning_moves
        assert puzzle.turns == 1 or puzzle.difficulty > 1
    assert len({find_canonical_text(puzzle.position) for puzzle in puzzles}) == len(puzzles)


def test_an_interrupted_run_resumes_with_the_same_file(generated: Path, tmp_path: Path) -> None:
    path = tmp_path / "lariat.jsonl"

    def interrupt(generator: PuzzleGenerator) -> None:
        if len(generator.puzzles) == OPTIONS.count // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(path, interrupt)
    assert len(read_puzzles(path)) == OPTIONS.count // 2
    with path.open("a", encoding="ascii") as file:
        file.write('{"id": "lari')  # a line that was being written
    generate(path)
    assert path.read_text(encoding="ascii") == generated.read_text(encoding="ascii")


LATE_OPTIONS = replace(OPTIONS, count=8, late_turns=4, min_turns=2, max_share=0.5)


def generate_late(path: Path, max_games: int | None = None) -> list[Puzzle]:
    """Generate puzzles of random games on a small board."""
    generator = PuzzleGenerator(ropewalk.game("lariat-1x3"), LATE_OPTIONS)
    try:
        generate_file(generator, path, ignore_progress, max_games)
    finally:
        generator.close()
    return read_puzzles(path)


def test_random_games_give_puzzles_of_several_lengths_and_the_same_after_an_interruption(tmp_path: Path) -> None:
    puzzles = generate_late(tmp_path / "once.jsonl")
    assert len(puzzles) == LATE_OPTIONS.count
    lengths = Counter(puzzle.turns for puzzle in puzzles)
    assert len(lengths) > 1
    assert min(lengths) >= LATE_OPTIONS.min_turns
    assert max(lengths.values()) <= LATE_OPTIONS.count / 2
    assert all(check_puzzle(puzzle) <= LATE_OPTIONS.max_positions for puzzle in puzzles)
    generate_late(tmp_path / "twice.jsonl", max_games=3)
    generate_late(tmp_path / "twice.jsonl")
    assert (tmp_path / "twice.jsonl").read_bytes() == (tmp_path / "once.jsonl").read_bytes()


def test_a_random_game_gives_two_puzzles_at_most() -> None:
    generator = PuzzleGenerator(ropewalk.game("lariat-1x3"), replace(LATE_OPTIONS, count=100, min_turns=1))
    found = [[puzzle.turns for puzzle in generator.run_game()] for _ in range(8)]
    generator.close()
    assert max(map(len, found)) <= MAX_PER_LATE_GAME
    assert sum(map(len, found)) > 1


def test_a_complete_file_is_left_alone(generated: Path) -> None:
    before = generated.read_bytes()
    generate(generated)
    assert generated.read_bytes() == before


def test_the_file_of_another_seed_or_spec_is_refused(generated: Path) -> None:
    for spec, seed in (("lariat-1x2", 4), ("lariat-1x1", 3)):
        generator = PuzzleGenerator(ropewalk.game(spec), GeneratorOptions(seed=seed))
        with pytest.raises(PuzzleError, match="line 1: the file has another spec or seed"):
            generate_file(generator, generated, ignore_progress)
        generator.close()


def test_a_symmetric_position_is_no_second_puzzle() -> None:
    generator = PuzzleGenerator(SAMPLE.game, GeneratorOptions(max_share=1.0))
    images = [SAMPLE.position.transform(symmetry) for symmetry in SAMPLE.game.symmetries]
    found = [generator.examine(image) for image in images[:1]]
    assert [None if puzzle is None else puzzle.id for puzzle in found] == [SAMPLE.id]
    generator.add(SAMPLE)
    assert [generator.examine(image) for image in images] == [None] * len(images)
    assert generator.rejections["known"] == len(images)
    generator.close()


def test_positions_without_a_puzzle_are_rejected_with_a_reason() -> None:
    generator = PuzzleGenerator(SAMPLE.game, GeneratorOptions(max_turns=2))
    assert generator.examine(SAMPLE.position) is None
    assert generator.examine(SAMPLE.position.play("g5")) is None
    over = SAMPLE.position
    for move in SAMPLE.main_line:
        over = over.play(move)
    assert generator.examine(over) is None
    assert dict(generator.rejections) == {"3 turns": 1, "not won": 1, "few moves": 1}
    generator.close()


def test_the_difficulty_is_the_weakest_level_that_solves_with_every_seed() -> None:
    rater = DifficultyRater(SAMPLE.game)
    assert rater.rate(SAMPLE.position, SAMPLE.winning_moves) == SAMPLE.difficulty
    assert not any(rater.solves(level, SAMPLE.position, SAMPLE.winning_moves) for level in range(1, SAMPLE.difficulty))
    assert rater.rate(SAMPLE.position, tuple(SAMPLE.position.moves())) == 1
    assert rater.rate(SAMPLE.position, ()) == rater.num_levels + 1
    rater.close()
