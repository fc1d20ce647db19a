"""A training run: groves play, the net answers and learns, in turns that always come out the same for the same seed.

In a turn every grove takes its answers and asks again. While threads grow one grove, the GPU answers another, and the
steps of learning that are due are queued between.
"""

from __future__ import annotations

import copy
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..errors import RopewalkError
from ..games.registry import game, spec_of
from ..nets.around import make_net_config, neighbour_index
from ..nets.net import invert_neighbour_index
from ..search.growing import SampleBatch
from . import checkpoint
from .evaluating import Evaluator
from .learner import Learner
from .replay import Replay
from .selfplay import Play, SelfPlay, Stopwatch
from .settings import Settings

STEPS_AT_ONCE = 4  # of learning, while threads grow one grove


class TrainingError(RopewalkError):
    """A run that cannot be made."""


class Trainer:
    """The parts of a run, and its counts."""

    def __init__(
        self,
        settings: Settings,
        device: str,
        *,
        compiles: bool = True,
        threads: int | None = None,
        gated: bool = False,
        workers: Play | None = None,  # who play elsewhere, so that nobody plays here
    ) -> None:
        self.settings = settings
        self.device = torch.device(device)
        self.games = [game(spec) for spec in settings.specs]
        if len({spec_of(board.spec).key for board in self.games}) != 1:
            raise TrainingError(f"a net plays one game, not {', '.join(settings.specs)}")
        design = make_net_config(self.games[0], settings.blocks, settings.channels)
        self.threads = threads or os.cpu_count() or 1
        self.learner = Learner(design, settings, self.device)
        self.gated = gated  # whether new weights play only after they were promoted
        self.player = copy.deepcopy(self.learner.mean) if gated else self.learner.mean
        self.gates: Counter[str] = Counter()  # accepted and refused
        self.evaluator = Evaluator(self.player, self.device, compiles=compiles)
        self.play: Play = workers or SelfPlay(settings, self.evaluator, threads)
        self.play.renew(self.player)
        capacity = max(settings.buffer // len(self.games), 1)
        self.replays = [Replay(board, capacity, self.device) for board in self.games]
        self.boards = [with_ways_back(torch.from_numpy(neighbour_index(board)).to(self.device)) for board in self.games]
        self.waiting: list[list[SampleBatch]] = [[] for _ in self.games]
        self.owed = [0.0] * len(self.games)  # positions that are still to be learnt from
        self.chance = torch.Generator().manual_seed(settings.seed)
        self.rate = settings.rate
        self.counts: Counter[str] = Counter()
        self.stopwatch = Stopwatch()

    def turn(self) -> None:
        """Every grove grows once, or workers bring what they have; steps of learning that are due come between."""
        for crop in self.play.turn(self._learn, self.stopwatch):
            self.counts["evaluations"] += crop.evaluations
            if crop.harvest is not None:
                with self.stopwatch("harvesting games"):
                    self._take(crop.board, crop.games, crop.harvest)
        self.counts["turns"] += 1

    def _take(self, board: int, games: int, harvest: SampleBatch) -> None:
        """Remember the positions of finished games."""
        self.waiting[board].append(harvest)
        if sum(len(part.outcomes) for part in self.waiting[board]) >= self.settings.batch:
            self._remember(board)
        self.counts["games"] += games
        self.counts["positions"] += len(harvest.outcomes)
        for result, name in enumerate(("won", "drawn", "lost")):
            self.counts[name] += int(np.count_nonzero(harvest.outcomes == result))

    def _remember(self, board: int) -> None:
        """Put what was harvested where it can be learnt from, much at a time."""
        for harvest in self.waiting[board]:
            self.replays[board].put(harvest)
            self.owed[board] += self.settings.samples * len(harvest.outcomes)
        self.waiting[board] = []

    def _learn(self) -> None:
        """Take the steps that are due, a few at a time."""
        with self.stopwatch("queueing steps of learning"):
            self._take_steps()

    def _take_steps(self) -> None:
        if sum(map(len, self.replays)) < self.settings.least:
            self.owed = [0.0] * len(self.games)
            return
        done = 0
        for _ in range(STEPS_AT_ONCE):
            board = max(range(len(self.games)), key=self.owed.__getitem__)
            if self.owed[board] < self.settings.batch:
                break
            self.owed[board] -= self.settings.batch
            sample = self.replays[board].sample(self.settings.batch, self.chance)
            self.learner.learn(sample, self.boards[board], self.rate)
            done += 1
        if done and not self.gated:
            self._hand_over()
        self.counts["steps"] += done

    def promote(self) -> None:
        """Let the mean of the weights play from now on."""
        self.player.load_state_dict(self.learner.mean.state_dict())
        self._hand_over()

    def _hand_over(self) -> None:
        """Give the player's weights to all who play."""
        self.evaluator.refresh(self.player)
        self.play.renew(self.player)

    def wait(self) -> None:
        """Until the net has answered all groves."""
        for line in self.play.lines:
            line.wait()

    def hardware(self) -> str:
        """What it runs on, for the card."""
        cores = f"{os.cpu_count()} CPU cores"
        return f"{torch.cuda.get_device_name(self.device)}, {cores}" if self.device.type == "cuda" else cores

    # Checkpoints

    def state(self) -> dict[str, Any]:
        """What goes on in another place: the weights, without games and positions."""
        state = {
            "settings": self.settings.as_json(),
            "design": self.learner.net.config.as_json(),
            "learner": self.learner.state(),
            "counts": dict(self.counts),
            "gates": dict(self.gates),
        }
        return state | ({"player": self.player.state_dict()} if self.gated else {})

    def whole_state(self) -> dict[str, Any]:
        """What goes on exactly as if there had been no break."""
        self.wait()
        return self.state() | {
            "groves": [[as_tensors(part) for part in grove.parts] for grove in self.play.groves],
            "replays": [(replay.seen, [ring[: len(replay)] for ring in replay.rings]) for replay in self.replays],
            "owed": self.owed,
            "chance": self.chance.get_state(),
        }

    def begin_with(self, weights: dict[str, NDArray[np.float32]]) -> None:
        """Begin with the weights of a net that was exported."""
        try:
            self.learner.begin_with({name: torch.from_numpy(array) for name, array in weights.items()})
        except RuntimeError as error:
            raise TrainingError(f"that net has another shape: {str(error).splitlines()[-1].strip()}") from None
        if self.gated:
            self.player.load_state_dict(self.learner.mean.state_dict())
        self._hand_over()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint, exactly where it holds games and positions too."""
        design = self.learner.net.config.as_json()
        if state["design"] != design:
            raise TrainingError(f"the checkpoint's net is another: {state['design']}, not {design}")
        self.learner.restore(state["learner"])
        self.counts = Counter(state["counts"])
        self.gates = Counter(state.get("gates", {}))
        if self.gated:
            self.player.load_state_dict(state.get("player", state["learner"]["mean"]))
        self._hand_over()
        if "groves" in state and self.play.groves:
            self._restore_play(state)

    def _restore_play(self, state: dict[str, Any]) -> None:
        """Games in flight and remembered positions."""
        if not self._fits(state):
            raise TrainingError(
                "whole.pt was made by another version or with other settings, so its games and positions do not fit; "
                "remove it to go on with the weights in checkpoint.pt"
            )
        for grove, parts in zip(self.play.groves, state["groves"], strict=True):
            for mine, theirs in zip(grove.parts, parts, strict=True):
                for name, array in theirs.items():
                    getattr(mine, name)[...] = array.numpy()
        for replay, (seen, rings) in zip(self.replays, state["replays"], strict=True):
            replay.seen = seen
            for ring, kept in zip(replay.rings, rings, strict=True):
                ring[: len(kept)] = kept.to(self.device)
        self.owed = state["owed"]
        self.chance.set_state(state["chance"])

    def _fits(self, state: dict[str, Any]) -> bool:
        """Whether a checkpoint's games and positions have the shapes of ours."""
        mine = [shapes(as_tensors(part)) for grove in self.play.groves for part in grove.parts]
        theirs = [shapes(part) for parts in state["groves"] for part in parts]
        return mine == theirs and all(map(Replay.holds, self.replays, state["replays"]))

    def save(self, folder: Path, *, whole: bool) -> None:
        """Write the checkpoint; with `whole` also the one that goes on exactly."""
        for board in range(len(self.games)):
            self._remember(board)
        checkpoint.write(folder / "checkpoint.pt", self.state() | {"alone": not whole})
        if whole:
            checkpoint.write(folder / "whole.pt", self.whole_state())


def with_ways_back(board: Tensor) -> tuple[Tensor, Tensor]:
    """What learning needs to know of a board."""
    return board, invert_neighbour_index(board)


def as_tensors(part: Any) -> dict[str, Tensor]:
    """Named arrays as a checkpoint takes them."""
    return {name: torch.from_numpy(array) for name, array in part._asdict().items()}


def shapes(arrays: dict[str, Tensor]) -> dict[str, torch.Size]:
    """By name."""
    return {name: array.shape for name, array in arrays.items()}
