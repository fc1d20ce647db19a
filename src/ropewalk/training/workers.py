"""Self-play on several machines: Ray actors play with their own groves and nets, and send home what they harvest."""

from __future__ import annotations

import math
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray.exceptions import RayActorError

from ..games.registry import game
from ..nets.around import make_net_config
from ..nets.net import PolicyValueNet
from .evaluating import Evaluator
from .selfplay import Crop, SelfPlay, Stopwatch
from .settings import Settings
from .trainer import TrainingError

PLAY_SECONDS = 2.0  # that a worker plays before it sends home what it has
SEND_SECONDS = 3.0  # between new weights, at least
KNOCK_SECONDS = 5.0  # for a cluster to answer
PATIENCE = 0.02  # seconds to wait for workers before learning goes on

Weights: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Crew:
    """How many workers there are, and how each works."""

    workers: int
    device: str = "auto"
    compiles: bool = True
    threads: int | None = None  # of each; its share of the machine's where none is said


class Worker:
    """Plays in a process of its own, perhaps far away."""

    def __init__(self, settings: Settings, crew: Crew, neighbours: int) -> None:
        device = crew.device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.set_num_threads(1)
        self.net = PolicyValueNet(make_net_config(game(settings.specs[0]), settings.blocks, settings.channels)).to(device)
        self.evaluator = Evaluator(self.net, torch.device(device), compiles=crew.compiles)
        self.play = SelfPlay(settings, self.evaluator, crew.threads or max((os.cpu_count() or 1) // neighbours, 1))

    def harvest(self, weights: Weights, seconds: float) -> list[Crop]:
        """Play for a while with these weights; what came in, and last the evaluations that brought nothing yet."""
        self.net.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
        self.evaluator.refresh(self.net)
        crops, evaluations, until = [], 0, time.monotonic() + seconds
        while time.monotonic() < until:
            for crop in self.play.turn(lambda: None, Stopwatch()):
                if crop.harvest is None:
                    evaluations += crop.evaluations
                else:
                    crops.append(crop)
        return [*crops, Crop(0, evaluations, 0, None)]


class Workers:
    """The driver's side: keeps all workers at play, and takes another in the place of one that is lost."""

    groves = ()
    lines = ()

    def __init__(self, settings: Settings, crew: Crew) -> None:
        self.settings = settings
        self.crew = crew
        self.machines = sum(bool(node["Alive"]) for node in ray.nodes())
        self.actors: list[Any] = [self._actor(number) for number in range(crew.workers)]
        self.brought = [0] * crew.workers  # crops, by worker
        self.lost = 0
        self.playing: dict[Any, int] = {}  # who plays for which answer
        self.net: PolicyValueNet | None = None
        self.sent = -math.inf
        self.weights: Any = None

    def _actor(self, number: int) -> Any:
        """A worker, wherever Ray has room for it."""
        crew, gpus = self.crew, ray.cluster_resources().get("GPU", 0)
        share = 0 if crew.device == "cpu" or not gpus else 1 / math.ceil(crew.workers / gpus)
        made = ray.remote(Worker).options(num_cpus=1, num_gpus=share, scheduling_strategy="SPREAD")
        settings = replace(self.settings, seed=self.settings.seed + 1 + number)
        return made.remote(settings, crew, math.ceil(crew.workers / self.machines))

    def renew(self, net: PolicyValueNet) -> None:
        """Workers that begin to play again get these weights, though not more often than every few seconds."""
        self.net = net

    def turn(self, meanwhile: Callable[[], None], stopwatch: Stopwatch) -> Iterator[Crop]:
        """What workers have brought; they play on at once."""
        for number in set(range(len(self.actors))) - set(self.playing.values()):
            self._set_to_play(number)
        meanwhile()
        with stopwatch("waiting for workers"):
            ready, _ = ray.wait(list(self.playing), num_returns=len(self.playing), timeout=PATIENCE)
        for answer in ready:
            number = self.playing.pop(answer)
            with stopwatch("fetching what workers brought"):
                crops = self._fetched(number, answer)
            self._set_to_play(number)
            yield from crops

    def _set_to_play(self, number: int) -> None:
        """Have a worker play for a while."""
        if self.net is not None and time.monotonic() - self.sent >= SEND_SECONDS:
            self.weights = ray.put({name: tensor.cpu().numpy() for name, tensor in self.net.state_dict().items()})
            self.sent = time.monotonic()
            self.net = None
        self.playing[self.actors[number].harvest.remote(self.weights, PLAY_SECONDS)] = number

    def _fetched(self, number: int, answer: Any) -> list[Crop]:
        """A worker's crops; nothing from one that was lost, in whose place another comes."""
        try:
            crops = [own(crop) for crop in ray.get(answer)]
        except RayActorError as error:
            if not self.brought[number]:
                raise TrainingError(f"worker {number + 1} was lost before it had brought anything: {error}") from None
            self.lost += 1
            self.brought[number] = 0
            self.actors[number] = self._actor(number + self.crew.workers * self.lost)
            return []
        self.brought[number] += len(crops)
        return crops

    def dismiss(self) -> None:
        """Send all workers away."""
        for actor in self.actors:
            ray.kill(actor)


def own(crop: Crop) -> Crop:
    """With arrays that can be written, which Ray's cannot."""
    return crop if crop.harvest is None else crop._replace(harvest=type(crop.harvest)(*map(np.array, crop.harvest)))


@contextmanager
def working(settings: Settings, crew: Crew, cluster: str | None) -> Iterator[Workers]:
    """Workers on a cluster, or on one that is started for them on this machine and ended with them."""
    begins = not ray.is_initialized()
    if begins:
        connect(cluster)
    try:
        cores = int(ray.cluster_resources().get("CPU", 0))
        if crew.workers > cores:
            raise TrainingError(f"{crew.workers} workers need a core each; the cluster has {cores}")
        workers = Workers(settings, crew)
        try:
            yield workers
        finally:
            workers.dismiss()
    finally:
        if begins:
            ray.shutdown()


def connect(cluster: str | None) -> None:
    """Join a cluster, or begin one here."""
    here: dict[str, Any] = {"address": "local", "include_dashboard": False}
    try:
        if cluster is not None:
            knock(cluster)
        ray.init(**(here if cluster is None else {"address": cluster}), logging_level="ERROR", log_to_driver=False)
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error).split(". ", maxsplit=1)[0]
        raise TrainingError(f"no Ray cluster answers at {cluster or 'this machine'}: {why}") from None


def knock(cluster: str) -> None:
    """See whether anybody is at a host's port, for Ray would wait for ever; `auto` it finds out by itself."""
    host, colon, port = cluster.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()
