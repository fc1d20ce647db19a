"""Self-play: groves on CPU threads that ask one net, the GPU answering one grove while threads grow another."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ..bots.advised_bot import get_guided_params
from ..games.registry import game
from ..nets.net import PolicyValueNet
from ..search.growing import SampleBatch
from ..search.outlook import LeafRolloutParams
from .evaluating import Evaluator, Line
from .grove import MOST_HARVESTED, Grove
from .settings import Settings

HALVES = 2  # groves a board: the GPU answers one while threads grow the other


class Crop(NamedTuple):
    """What came in from one board."""

    board: int  # its number among the settings' specs
    evaluations: int
    games: int  # that ended
    harvest: SampleBatch | None


class Stopwatch:
    """Adds up what was waited for."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        """Count the time that this takes."""
        began = time.perf_counter()
        yield
        self.seconds[what] += time.perf_counter() - began


class Play(Protocol):
    """Where games come from: groves in this process, or workers elsewhere."""

    @property
    def groves(self) -> Sequence[Grove]:
        """Those in this process."""

    @property
    def lines(self) -> Sequence[Line]:
        """Through which they ask the net."""

    def turn(self, meanwhile: Callable[[], None], stopwatch: Stopwatch) -> Iterable[Crop]:
        """Go on playing; `meanwhile` is called while others are at work."""

    def renew(self, net: PolicyValueNet) -> None:
        """The net that plays has new weights."""


class SelfPlay:
    """All groves of a run in this process."""

    def __init__(self, settings: Settings, evaluator: Evaluator, threads: int | None) -> None:
        self.settings = settings
        self.pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
        self.games = [game(spec) for spec in settings.specs]
        self.groves = [self._grove(number) for number in range(HALVES * len(self.games))]
        self.lines = [evaluator.line_to(grove) for grove in self.groves]

    def _grove(self, number: int) -> Grove:
        """One of the groves; the boards take turns."""
        settings = self.settings
        trees = max(settings.trees // (HALVES * len(self.games)), 1)
        board = self.games[number % len(self.games)]
        seed = settings.seed * 1000 + number
        playouts = LeafRolloutParams(settings.playouts, get_guided_params(board)[0].heavy_rollout, settings.trust)
        return Grove(board, trees, settings.tuning, playouts, longest=settings.longest, seed=seed)

    def turn(self, meanwhile: Callable[[], None], stopwatch: Stopwatch) -> Iterator[Crop]:
        """Every grove grows once."""
        for number in range(len(self.groves)):
            yield self._grow(number, meanwhile, stopwatch)

    def _grow(self, number: int, meanwhile: Callable[[], None], stopwatch: Stopwatch) -> Crop:
        grove, line = self.groves[number], self.lines[number]
        with stopwatch("waiting for the net"):
            line.wait()
        growing = grove.grow(self.pool)
        meanwhile()
        with stopwatch("waiting for the forest"):
            evaluations = sum(share.result() for share in growing)
        with stopwatch("asking the net"):
            line.ask()
        with stopwatch("harvesting games"):
            finished = min(len(grove.finished()), MOST_HARVESTED)
            return Crop(number % len(self.games), evaluations, finished, grove.harvest())

    def renew(self, net: PolicyValueNet) -> None:
        """The evaluator, which is the trainer's too, has the weights already."""
