"""Ray actors play, and this process learns from their samples."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.optional import import_optional

torch = import_optional("torch")
ray = import_optional("ray")

from ropewalk.cli.main import main
from ropewalk.training.config import RunSchedule, TrainingError
from ropewalk.training.run import Run
from ropewalk.training.selfplay.ray_actors import RayActorPool, RayPoolConfig, connect_to_ray, ray_actor_pool
from ropewalk.training.trainer import Trainer
from tests.unit.training.test_training import TINY

POOL_CONFIG = RayPoolConfig(2, "cpu", compile_net=False, num_threads=1)
TIMEOUT_SECONDS = 300


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    yield
    ray.shutdown()


def make_trainer(pool: RayActorPool) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(TINY, "cpu", num_threads=1, game_source=pool)


def iterate_until(trainer: Trainer, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        trainer.iterate()


def test_actors_play_while_the_driver_learns_and_a_lost_actor_is_replaced(tmp_path: Path) -> None:
    with ray_actor_pool(TINY, POOL_CONFIG, None) as pool:
        trainer = make_trainer(pool)
        iterate_until(trainer, lambda: trainer.counts["steps"] >= 10)
        initial_weights = pool.weights_ref
        iterate_until(trainer, lambda: pool.weights_ref != initial_weights)  # new weights were sent
        iterate_until(trainer, lambda: all(pool.num_outputs))
        assert trainer.counts["games"] > 10
        assert trainer.counts["evaluations"] > trainer.counts["positions"]
        ray.kill(pool.actors[0])
        iterate_until(trainer, lambda: pool.num_lost > 0)
        assert pool.num_outputs[0] == 0
        iterate_until(trainer, lambda: pool.num_outputs[0] > 0)
        run = Run(trainer, RunSchedule(output_dir=tmp_path, max_minutes=0, full_checkpoints=False, log=lambda line: None))
        run.run()
        assert "the net alone" not in run.summary_table()
    assert (tmp_path / "checkpoint.pt").exists()


def test_an_actor_that_is_lost_before_its_first_output_ends_the_run() -> None:
    with ray_actor_pool(TINY, POOL_CONFIG, None) as pool:
        trainer = make_trainer(pool)
        ray.kill(pool.actors[1])
        with pytest.raises(TrainingError, match="worker 2 was lost before it returned any results"):
            iterate_until(trainer, lambda: False)


def test_more_actors_than_cores_are_refused() -> None:
    with (
        pytest.raises(TrainingError, match="3 workers need one core each; the cluster has 2 cores"),
        ray_actor_pool(TINY, replace(POOL_CONFIG, num_actors=3), None),
    ):
        pass


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:many"])
def test_an_unreachable_cluster_is_refused(address: str) -> None:
    with pytest.raises(TrainingError, match=f"cannot connect to a Ray cluster at {address}"):
        connect_to_ray(address)


@pytest.mark.parametrize(
    ("options", "message"),
    [("--ray-address auto", "--ray-workers N"), ("--ray-workers 2 --iterations 5", "use --minutes")],
)
def test_contradicting_options_are_refused(
    tmp_path: Path, options: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(f"train lariat-1x1 -o {tmp_path} {options}".split()) == 2
    assert message in capsys.readouterr().err
