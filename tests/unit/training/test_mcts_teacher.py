"""MCTS teachers play in processes, and a net learns from their games."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.optional import import_optional

torch = import_optional("torch")

from ropewalk import game
from ropewalk.cli.main import main
from ropewalk.training.config import RunSchedule, TrainingConfig, TrainingError
from ropewalk.training.run import Run
from ropewalk.training.selfplay.mcts_teacher import MctsTeacher, TeacherGame, TeacherPool, teacher_pool
from ropewalk.training.trainer import Trainer
from tests.unit.training.test_training import TINY

CONFIG = replace(TINY, teacher_visits=50)
LAOCOON = replace(CONFIG, specs=("laocoon-weave",), opening_moves=16, max_moves=120)
TIMEOUT_SECONDS = 300


@pytest.mark.parametrize("config", [CONFIG, LAOCOON])
def test_samples_of_a_teacher_game_are_valid_targets(config: TrainingConfig) -> None:
    teacher = MctsTeacher(config, 3)
    board = game(teacher.game.spec)
    for _ in range(4):
        teacher_game = teacher.play_game()
        planes, moves, targets, values, outcomes, ownership = teacher_game.samples
        legal = moves >= 0
        assert teacher_game.num_visits > 0
        assert len(planes) == len(outcomes) > 0
        assert np.all(targets[~legal] == 0)
        assert np.all(np.abs(targets.sum(1, dtype=np.int64) - 65535) <= legal.sum(1))
        assert np.all(np.abs(values.astype(np.int64)) <= 32767)
        assert set(outcomes.tolist()) <= {0, 1, 2}
        assert np.all(np.abs(ownership) <= 1)
        assert moves.max() < board.num_actions
        if outcomes[-1] == 0:
            assert values[-1] == 32767  # the search proves a win in one move


def test_config_and_teacher_index_determine_the_games() -> None:
    first, second, other = (sample_bytes(MctsTeacher(LAOCOON, index).play_game()) for index in (1, 1, 2))
    assert first == second
    assert first != other


def test_openings_are_shorter_than_the_maximum_length() -> None:
    teacher = MctsTeacher(replace(LAOCOON, opening_moves=50, max_moves=6), 0)
    assert all(len(teacher.play_game().samples.outcomes) >= 1 for _ in range(6))


def sample_bytes(teacher_game: TeacherGame) -> list[bytes]:
    return [np.asarray(array).tobytes() for array in teacher_game.samples]


def make_trainer(pool: TeacherPool) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(CONFIG, "cpu", num_threads=1, game_source=pool)


def iterate_until(trainer: Trainer, deadline: float) -> None:
    while time.monotonic() < deadline:
        trainer.iterate()


def test_a_net_learns_from_teachers_and_a_lost_teacher_ends_the_run(tmp_path: Path) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    with teacher_pool(CONFIG, 2) as pool:
        trainer = make_trainer(pool)
        while trainer.counts["steps"] < 10:
            assert time.monotonic() < deadline
            trainer.iterate()
        assert trainer.counts["evaluations"] > 50 * trainer.counts["games"] > 0
        run = Run(trainer, RunSchedule(output_dir=tmp_path, max_minutes=0, full_checkpoints=False, log=lambda line: None))
        run.run()
        assert (tmp_path / "checkpoint.pt").exists()
        os.kill(pool.processes[0].pid or 0, signal.SIGKILL)
        with pytest.raises(TrainingError, match=r"teacher 1 of 2 was lost \(exit code -9\)"):
            iterate_until(trainer, deadline)
    assert not any(process.is_alive() for process in pool.processes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--teacher-visits", "8"], "--teacher-visits must be at least 32 visits per move, not 8"),
        (
            ["--teacher-visits", "100", "--iterations", "5"],
            "turns are not counted with --teacher-visits; use --minutes and --checkpoint-minutes",
        ),
        (["--teacher-visits", "100", "--ray-workers", "2"], "exclude each other"),
    ],
)
def test_contradicting_options_are_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "lariat-1x1", "-o", str(tmp_path / "run"), *options]) == 2
    assert message in capsys.readouterr().err
