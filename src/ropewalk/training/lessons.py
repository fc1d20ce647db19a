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

from .selfplay import Crop, Stopwatch
from .settings import Settings
from .teacher import Lesson, Teacher
from .trainer import TrainingError

if TYPE_CHECKING:
    from ..nets.net import PolicyValueNet

READY = 64  # games that wait to be learnt from at most; then teachers wait
PATIENCE = 0.02  # seconds to wait for a game before learning goes on


def teach(settings: Settings, number: int, lessons: Any) -> None:
    """A teacher's life; who interrupts the run speaks to the one that learns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    teacher = Teacher(settings, number)
    while True:
        lessons.put(teacher.lesson())


class Lessons:
    """The learner's side."""

    groves = ()
    lines = ()

    def __init__(self, settings: Settings, teachers: int) -> None:
        Teacher(settings, 0)  # compiles once for all, and says here what is wrong
        context = multiprocessing.get_context("spawn")
        self.lessons: Any = context.Queue(READY)
        self.teachers = [
            context.Process(target=teach, args=(settings, number, self.lessons), daemon=True) for number in range(teachers)
        ]
        for teacher in self.teachers:
            teacher.start()

    def turn(self, meanwhile: Callable[[], None], stopwatch: Stopwatch) -> Iterator[Crop]:
        """Games that teachers have played."""
        meanwhile()
        with stopwatch("waiting for lessons"):
            found = self._next()
        for _ in range(READY):
            if found is None:
                return
            yield Crop(found.board, found.visits, 1, found.harvest)
            found = self._next(0.0)

    def _next(self, patience: float = PATIENCE) -> Lesson | None:
        """A game, if there is one soon."""
        try:
            lesson: Lesson = self.lessons.get(timeout=patience) if patience else self.lessons.get_nowait()
        except queue.Empty:
            self._look_after_teachers()
            return None
        return lesson

    def _look_after_teachers(self) -> None:
        for number, teacher in enumerate(self.teachers, 1):
            if not teacher.is_alive():
                raise TrainingError(
                    f"teacher {number} of {len(self.teachers)} was lost (exit code {teacher.exitcode}); "
                    "run again to go on from the last checkpoint, with fewer --threads if memory was short"
                )

    def renew(self, net: PolicyValueNet) -> None:
        """Teachers ask no net."""

    def dismiss(self) -> None:
        """Send all teachers away."""
        for teacher in self.teachers:
            teacher.terminate()
        for teacher in self.teachers:
            teacher.join()


@contextmanager
def teaching(settings: Settings, teachers: int) -> Iterator[Lessons]:
    """Teachers for as long as they are needed."""
    lessons = Lessons(settings, teachers)
    try:
        yield lessons
    finally:
        lessons.dismiss()
