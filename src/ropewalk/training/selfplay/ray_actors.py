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

from ...games.registry import game
from ...nets.config import make_net_config
from ...nets.model import PolicyValueNet
from ..config import TrainingConfig
from ..inference import TorchEvaluator
from ..trainer import TrainingError
from .actors import ActorOutput, LocalActors, PhaseTimer

ACTOR_PLAY_SECONDS = 2.0  # that a worker plays before it sends home what it has
MIN_WEIGHT_SYNC_SECONDS = 3.0  # between new weights, at least
CONNECT_TIMEOUT_SECONDS = 5.0  # for a cluster to answer
POLL_SECONDS = 0.02  # seconds to wait for workers before learning goes on

Weights: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class RayPoolConfig:
    """How many workers there are, and how each works."""

    num_actors: int
    device: str = "auto"
    compile_net: bool = True
    num_threads: int | None = None  # of each; its share of the machine's where none is said


class RayActor:
    """Plays in a process of its own, perhaps far away."""

    def __init__(self, config: TrainingConfig, pool_config: RayPoolConfig, actors_per_machine: int) -> None:
        device = pool_config.device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.set_num_threads(1)
        self.net = PolicyValueNet(make_net_config(game(config.specs[0]), config.blocks, config.channels)).to(device)
        self.evaluator = TorchEvaluator(self.net, torch.device(device), compile_net=pool_config.compile_net)
        self.local_actors = LocalActors(
            config, self.evaluator, pool_config.num_threads or max((os.cpu_count() or 1) // actors_per_machine, 1)
        )

    def play_games(self, weights: Weights, seconds: float) -> list[ActorOutput]:
        """Play for a while with these weights; what came in, and last the evaluations that brought nothing yet."""
        self.net.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
        self.evaluator.load_weights(self.net)
        outputs, num_evaluations, deadline = [], 0, time.monotonic() + seconds
        while time.monotonic() < deadline:
            for output in self.local_actors.poll(lambda: None, PhaseTimer()):
                if output.samples is None:
                    num_evaluations += output.num_evaluations
                else:
                    outputs.append(output)
        return [*outputs, ActorOutput(0, num_evaluations, 0, None)]


class RayActorPool:
    """The driver's side: keeps all workers at play, and takes another in the place of one that is lost."""

    batches = ()
    queues = ()

    def __init__(self, config: TrainingConfig, pool_config: RayPoolConfig) -> None:
        self.config = config
        self.pool_config = pool_config
        self.num_machines = sum(bool(node["Alive"]) for node in ray.nodes())
        self.actors: list[Any] = [self._start_actor(actor_index) for actor_index in range(pool_config.num_actors)]
        self.num_outputs = [0] * pool_config.num_actors  # crops, by worker
        self.num_lost = 0
        self.pending_calls: dict[Any, int] = {}  # who plays for which answer
        self.net: PolicyValueNet | None = None
        self.last_sync_at = -math.inf
        self.weights_ref: Any = None

    def _start_actor(self, actor_index: int) -> Any:
        """A worker, wherever Ray has room for it."""
        pool_config, num_gpus = self.pool_config, ray.cluster_resources().get("GPU", 0)
        gpu_share = 0 if pool_config.device == "cpu" or not num_gpus else 1 / math.ceil(pool_config.num_actors / num_gpus)
        actor_class = ray.remote(RayActor).options(num_cpus=1, num_gpus=gpu_share, scheduling_strategy="SPREAD")
        config = replace(self.config, seed=self.config.seed + 1 + actor_index)
        return actor_class.remote(config, pool_config, math.ceil(pool_config.num_actors / self.num_machines))

    def set_weights(self, net: PolicyValueNet) -> None:
        """Workers that begin to play again get these weights, though not more often than every few seconds."""
        self.net = net

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterator[ActorOutput]:
        """What workers have brought; they play on at once."""
        for actor_index in set(range(len(self.actors))) - set(self.pending_calls.values()):
            self._start_playing(actor_index)
        while_waiting()
        with timer("waiting for workers"):
            ready, _ = ray.wait(list(self.pending_calls), num_returns=len(self.pending_calls), timeout=POLL_SECONDS)
        for result_ref in ready:
            actor_index = self.pending_calls.pop(result_ref)
            with timer("fetching what workers brought"):
                outputs = self._fetch_outputs(actor_index, result_ref)
            self._start_playing(actor_index)
            yield from outputs

    def _start_playing(self, actor_index: int) -> None:
        """Have a worker play for a while."""
        if self.net is not None and time.monotonic() - self.last_sync_at >= MIN_WEIGHT_SYNC_SECONDS:
            self.weights_ref = ray.put({name: tensor.cpu().numpy() for name, tensor in self.net.state_dict().items()})
            self.last_sync_at = time.monotonic()
            self.net = None
        self.pending_calls[self.actors[actor_index].play_games.remote(self.weights_ref, ACTOR_PLAY_SECONDS)] = actor_index

    def _fetch_outputs(self, actor_index: int, result_ref: Any) -> list[ActorOutput]:
        """A worker's crops; nothing from one that was lost, in whose place another comes."""
        try:
            outputs = [make_writable(output) for output in ray.get(result_ref)]
        except RayActorError as error:
            if not self.num_outputs[actor_index]:
                raise TrainingError(f"worker {actor_index + 1} was lost before it had brought anything: {error}") from None
            self.num_lost += 1
            self.num_outputs[actor_index] = 0
            self.actors[actor_index] = self._start_actor(actor_index + self.pool_config.num_actors * self.num_lost)
            return []
        self.num_outputs[actor_index] += len(outputs)
        return outputs

    def shut_down(self) -> None:
        """Send all workers away."""
        for actor in self.actors:
            ray.kill(actor)


def make_writable(output: ActorOutput) -> ActorOutput:
    """With arrays that can be written, which Ray's cannot."""
    return (
        output if output.samples is None else output._replace(samples=type(output.samples)(*map(np.array, output.samples)))
    )


@contextmanager
def ray_actor_pool(config: TrainingConfig, pool_config: RayPoolConfig, address: str | None) -> Iterator[RayActorPool]:
    """Workers on a cluster, or on one that is started for them on this machine and ended with them."""
    starts_ray = not ray.is_initialized()
    if starts_ray:
        connect_to_ray(address)
    try:
        num_cores = int(ray.cluster_resources().get("CPU", 0))
        if pool_config.num_actors > num_cores:
            raise TrainingError(f"{pool_config.num_actors} workers need a core each; the cluster has {num_cores}")
        pool = RayActorPool(config, pool_config)
        try:
            yield pool
        finally:
            pool.shut_down()
    finally:
        if starts_ray:
            ray.shutdown()


def connect_to_ray(address: str | None) -> None:
    """Join a cluster, or begin one here."""
    local_options: dict[str, Any] = {"address": "local", "include_dashboard": False}
    try:
        if address is not None:
            check_reachable(address)
        ray.init(**(local_options if address is None else {"address": address}), logging_level="ERROR", log_to_driver=False)
    except (OSError, RuntimeError, ValueError) as error:
        reason = str(error).split(". ", maxsplit=1)[0]
        raise TrainingError(f"no Ray cluster answers at {address or 'this machine'}: {reason}") from None


def check_reachable(address: str) -> None:
    """See whether anybody is at a host's port, for Ray would wait for ever; `auto` it finds out by itself."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT_SECONDS).close()
