"""Teachers play by playouts, and a net learns from their games."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ropewalk import game
from ropewalk.cli.main import main
from ropewalk.training.config import (
    RunSchedule,
    TrainingConfig,
)
from ropewalk.training.run import Run
from ropewalk.training.selfplay.mcts_teacher import MctsTeacher, TeacherGame, TeacherPool, teacher_pool
from ropewalk.training.trainer import Trainer, TrainingError
from tests.training.test_training import TINY

SETTINGS = replace(TINY, teacher_visits=50)
LAOCOON = replace(SETTINGS, specs=("laocoon-weave",), opening_moves=16, max_moves=120)
LONGEST = 300  # seconds that anything here may take


@pytest.mark.parametrize("settings", [SETTINGS, LAOCOON])
def test_a_lesson_says_how_often_moves_were_visited_and_who_won(settings: TrainingConfig) -> None:
    teacher = MctsTeacher(settings, 3)
    board = game(teacher.game.spec)
    for _ in range(4):
        lesson = teacher.play_game()
        planes, moves, targets, values, results, owners = lesson.samples
        legal = moves >= 0
        assert lesson.num_visits > 0
        assert len(planes) == len(results) > 0
        assert np.all(targets[~legal] == 0)
        assert np.all(np.abs(targets.sum(1, dtype=np.int64) - 65535) <= legal.sum(1))
        assert np.all(np.abs(values.astype(np.int64)) <= 32767)
        assert set(results.tolist()) <= {0, 1, 2}
        assert np.all(np.abs(owners) <= 1)
        assert moves.max() < board.move_count
        if results[-1] == 0:
            assert values[-1] == 32767  # who wins with the last move has seen it


def test_the_same_seed_and_number_give_the_same_lessons_and_others_others() -> None:
    first, second, other = (bytes_of(MctsTeacher(LAOCOON, number).play_game()) for number in (1, 1, 2))
    assert first == second
    assert first != other


def test_openings_leave_room_for_a_game() -> None:
    teacher = MctsTeacher(replace(LAOCOON, opening_moves=50, max_moves=6), 0)
    assert all(len(teacher.play_game().samples.outcomes) >= 1 for _ in range(6))


def bytes_of(lesson: TeacherGame) -> list[bytes]:
    return [np.asarray(part).tobytes() for part in lesson.samples]


def trained_by(lessons: TeacherPool) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(SETTINGS, "cpu", num_threads=1, game_source=lessons)


def turn_until(made: Trainer, until: float) -> None:
    while time.monotonic() < until:
        made.iterate()


def test_a_net_learns_from_teachers_and_hears_of_one_that_is_lost(tmp_path: Path) -> None:
    until = time.monotonic() + LONGEST
    with teacher_pool(SETTINGS, 2) as lessons:
        made = trained_by(lessons)
        while made.counts["steps"] < 10:
            assert time.monotonic() < until
            made.iterate()
        assert made.counts["evaluations"] > 50 * made.counts["games"] > 0
        run = Run(made, RunSchedule(output_dir=tmp_path, max_minutes=0, full_checkpoints=False, log=lambda line: None))
        run.run()
        assert (tmp_path / "checkpoint.pt").exists()
        os.kill(lessons.processes[0].pid or 0, signal.SIGKILL)
        with pytest.raises(TrainingError, match=r"teacher 1 of 2 was lost \(exit code -9\)"):
            turn_until(made, until)
    assert not any(teacher.is_alive() for teacher in lessons.processes)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--teacher-visits", "8"], "--teacher-visits 8 is too few to learn from: at least 32 visits a move"),
        (
            ["--teacher-visits", "100", "--iterations", "5"],
            "lessons do not count turns: use --minutes and --checkpoint-minutes",
        ),
        (["--teacher-visits", "100", "--ray-workers", "2"], "choose one"),
    ],
)
def test_lessons_that_cannot_be_are_refused(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "lariat-1x1", "-o", str(tmp_path / "run"), *words]) == 2
    assert says in capsys.readouterr().err
