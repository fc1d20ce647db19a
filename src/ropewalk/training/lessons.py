"""Lessons: teachers in processes of their own play by playouts, and a net learns from their games instead of its own.

For games whose playouts are so quick that a search by them teaches better than the net's few simulations.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .selfplay import ActorOutput, PhaseTimer
from .settings import TrainingConfig
from .teacher import MctsTeacher, TeacherGame
from .trainer import TrainingError

if TYPE_CHECKING:
    from ..nets.model import PolicyValueNet

MAX_QUEUED_GAMES = 64  # games that wait to be learnt from at most; then teachers wait
POLL_SECONDS = 0.02  # seconds to wait for a game before learning goes on


def teacher_main(config: TrainingConfig, teacher_index: int, game_queue: Any) -> None:
    """A teacher's life; who interrupts the run speaks to the one that learns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    teacher = MctsTeacher(config, teacher_index)
    while True:
        game_queue.put(teacher.play_game())


class TeacherPool:
    """The learner's side."""

    batches = ()
    queues = ()

    def __init__(self, config: TrainingConfig, num_teachers: int) -> None:
        MctsTeacher(config, 0)  # compiles once for all, and says here what is wrong
        context = multiprocessing.get_context("spawn")
        self.game_queue: Any = context.Queue(MAX_QUEUED_GAMES)
        self.processes = [
            context.Process(target=teacher_main, args=(config, teacher_index, self.game_queue), daemon=True)
            for teacher_index in range(num_teachers)
        ]
        for process in self.processes:
            process.start()

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterator[ActorOutput]:
        """Games that teachers have played."""
        while_waiting()
        with timer("waiting for lessons"):
            teacher_game = self._next_game()
        for _ in range(MAX_QUEUED_GAMES):
            if teacher_game is None:
                return
            yield ActorOutput(teacher_game.board_index, teacher_game.num_visits, 1, teacher_game.samples)
            teacher_game = self._next_game(0.0)

    def _next_game(self, timeout_seconds: float = POLL_SECONDS) -> TeacherGame | None:
        """A game, if there is one soon."""
        try:
            teacher_game: TeacherGame = (
                self.game_queue.get(timeout=timeout_seconds) if timeout_seconds else self.game_queue.get_nowait()
            )
        except queue.Empty:
            self._check_processes_alive()
            return None
        return teacher_game

    def _check_processes_alive(self) -> None:
        for number, process in enumerate(self.processes, 1):
            if not process.is_alive():
                raise TrainingError(
                    f"teacher {number} of {len(self.processes)} was lost (exit code {process.exitcode}); "
                    "run again to go on from the last checkpoint, with fewer --threads if memory was short"
                )

    def set_weights(self, net: PolicyValueNet) -> None:
        """Teachers ask no net."""

    def shut_down(self) -> None:
        """Send all teachers away."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()


@contextmanager
def teacher_pool(config: TrainingConfig, num_teachers: int) -> Iterator[TeacherPool]:
    """Teachers for as long as they are needed."""
    pool = TeacherPool(config, num_teachers)
    try:
        yield pool
    finally:
        pool.shut_down()
