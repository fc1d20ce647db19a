"""Self-play on Ray actors, on one or several machines.

Each actor has its own self-play batches and copy of the net. It returns samples every ACTOR_PLAY_SECONDS and receives the
current weights with the next call. A lost actor is replaced. Such a run is not reproducible.
"""

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
from ..config import TrainingConfig, TrainingError
from ..inference import TorchEvaluator
from .actors import ActorOutput, LocalActors, PhaseTimer

ACTOR_PLAY_SECONDS = 2.0  # duration of one call of RayActor.play_games
MIN_WEIGHT_SYNC_SECONDS = 3.0  # minimum interval between weight broadcasts
CONNECT_TIMEOUT_SECONDS = 5.0
POLL_SECONDS = 0.02  # maximum time that a poll waits for actors

Weights: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class RayPoolConfig:
    """Number of Ray actors, and the settings of each."""

    num_actors: int
    device: str = "auto"
    compile_net: bool = True
    num_threads: int | None = None  # per actor; None: the machine's cores divided by its actors


class RayActor:
    """Ray actor that plays self-play games in its own process, possibly on another machine."""

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
        """Play for `seconds` with `weights` and return the outputs with samples.

        A last output without samples has the number of evaluations of all other polls.
        """
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
    """Game source that keeps all actors playing and replaces lost ones."""

    batches = ()
    queues = ()

    def __init__(self, config: TrainingConfig, pool_config: RayPoolConfig) -> None:
        self.config = config
        self.pool_config = pool_config
        self.num_machines = sum(bool(node["Alive"]) for node in ray.nodes())
        self.actors: list[Any] = [self._start_actor(actor_index) for actor_index in range(pool_config.num_actors)]
        self.num_outputs = [0] * pool_config.num_actors  # by actor, since it was started
        self.num_lost = 0
        self.pending_calls: dict[Any, int] = {}  # result reference -> actor index
        self.net: PolicyValueNet | None = None
        self.last_sync_at = -math.inf
        self.weights_ref: Any = None

    def _start_actor(self, actor_index: int) -> Any:
        """Start an actor with its share of a GPU, if the cluster has any; its seed depends on `actor_index`."""
        pool_config, num_gpus = self.pool_config, ray.cluster_resources().get("GPU", 0)
        gpu_share = 0 if pool_config.device == "cpu" or not num_gpus else 1 / math.ceil(pool_config.num_actors / num_gpus)
        actor_class = ray.remote(RayActor).options(num_cpus=1, num_gpus=gpu_share, scheduling_strategy="SPREAD")
        config = replace(self.config, seed=self.config.seed + 1 + actor_index)
        return actor_class.remote(config, pool_config, math.ceil(pool_config.num_actors / self.num_machines))

    def set_weights(self, net: PolicyValueNet) -> None:
        """Send these weights with the next calls, at most every MIN_WEIGHT_SYNC_SECONDS."""
        self.net = net

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterator[ActorOutput]:
        """Yield the outputs of finished calls and start the next call of these actors."""
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
        """Start a call of `play_games`; puts new weights into the object store first if they are due."""
        if self.net is not None and time.monotonic() - self.last_sync_at >= MIN_WEIGHT_SYNC_SECONDS:
            self.weights_ref = ray.put({name: tensor.cpu().numpy() for name, tensor in self.net.state_dict().items()})
            self.last_sync_at = time.monotonic()
            self.net = None
        self.pending_calls[self.actors[actor_index].play_games.remote(self.weights_ref, ACTOR_PLAY_SECONDS)] = actor_index

    def _fetch_outputs(self, actor_index: int, result_ref: Any) -> list[ActorOutput]:
        """Return an actor's outputs; if it was lost, replace it and return none.

        Raises TrainingError if it was lost before its first output.
        """
        try:
            outputs = [make_writable(output) for output in ray.get(result_ref)]
        except RayActorError as error:
            if not self.num_outputs[actor_index]:
                raise TrainingError(f"worker {actor_index + 1} was lost before it returned any results: {error}") from None
            self.num_lost += 1
            self.num_outputs[actor_index] = 0
            self.actors[actor_index] = self._start_actor(actor_index + self.pool_config.num_actors * self.num_lost)
            return []
        self.num_outputs[actor_index] += len(outputs)
        return outputs

    def shut_down(self) -> None:
        """Kill all Ray actors; games in progress are lost."""
        for actor in self.actors:
            ray.kill(actor)


def make_writable(output: ActorOutput) -> ActorOutput:
    """Return the output with copied arrays: those from Ray's object store are read-only."""
    return (
        output if output.samples is None else output._replace(samples=type(output.samples)(*map(np.array, output.samples)))
    )


@contextmanager
def ray_actor_pool(config: TrainingConfig, pool_config: RayPoolConfig, address: str | None) -> Iterator[RayActorPool]:
    """Run Ray actors for the duration of the `with` block, on the cluster at `address` or on a temporary local one.

    Raises TrainingError if there is no cluster or it has fewer cores than actors.
    """
    starts_ray = not ray.is_initialized()
    if starts_ray:
        connect_to_ray(address)
    try:
        num_cores = int(ray.cluster_resources().get("CPU", 0))
        if pool_config.num_actors > num_cores:
            raise TrainingError(f"{pool_config.num_actors} workers need one core each; the cluster has {num_cores} cores")
        pool = RayActorPool(config, pool_config)
        try:
            yield pool
        finally:
            pool.shut_down()
    finally:
        if starts_ray:
            ray.shutdown()


def connect_to_ray(address: str | None) -> None:
    """Connect to the cluster at `address`, or start one on this machine; raises TrainingError on failure."""
    local_options: dict[str, Any] = {"address": "local", "include_dashboard": False}
    try:
        if address is not None:
            check_reachable(address)
        ray.init(**(local_options if address is None else {"address": address}), logging_level="ERROR", log_to_driver=False)
    except (OSError, RuntimeError, ValueError) as error:
        reason = str(error).split(". ", maxsplit=1)[0]
        raise TrainingError(f"cannot connect to a Ray cluster at {address or 'this machine'}: {reason}") from None


def check_reachable(address: str) -> None:
    """Raise OSError if no server listens at a HOST:PORT address, for which Ray would wait forever; other forms pass."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT_SECONDS).close()
