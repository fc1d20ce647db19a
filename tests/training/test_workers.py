"""Workers in other processes play, and this one learns from what they bring."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
ray = pytest.importorskip("ray")

from ropewalk.cli.main import main
from ropewalk.training.config import RunSchedule
from ropewalk.training.run import Run
from ropewalk.training.selfplay.ray_actors import RayActorPool, RayPoolConfig, connect_to_ray, ray_actor_pool
from ropewalk.training.trainer import Trainer, TrainingError
from tests.training.test_training import TINY

CREW = RayPoolConfig(2, "cpu", compile_net=False, num_threads=1)
LONGEST = 300  # seconds that anything here may take


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    yield
    ray.shutdown()


def trained_with(workers: RayActorPool) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(TINY, "cpu", num_threads=1, game_source=workers)


def turn_until(made: Trainer, reached: Callable[[], bool]) -> None:
    until = time.monotonic() + LONGEST
    while not reached():
        assert time.monotonic() < until
        made.iterate()


def test_workers_play_while_the_driver_learns_and_another_comes_in_the_place_of_a_lost_one(tmp_path: Path) -> None:
    with ray_actor_pool(TINY, CREW, None) as workers:
        made = trained_with(workers)
        turn_until(made, lambda: made.counts["steps"] >= 10)
        first = workers.weights_ref
        turn_until(made, lambda: workers.weights_ref != first)  # new ones were sent
        turn_until(made, lambda: all(workers.num_outputs))
        assert made.counts["games"] > 10
        assert made.counts["evaluations"] > made.counts["positions"]
        ray.kill(workers.actors[0])
        turn_until(made, lambda: workers.num_lost > 0)
        assert workers.num_outputs[0] == 0
        turn_until(made, lambda: workers.num_outputs[0] > 0)
        run = Run(made, RunSchedule(output_dir=tmp_path, max_minutes=0, full_checkpoints=False, log=lambda line: None))
        run.run()
        assert "the net alone" not in run.summary_table()
    assert (tmp_path / "checkpoint.pt").exists()


def test_a_worker_that_cannot_begin_ends_the_run_in_words() -> None:
    with ray_actor_pool(TINY, CREW, None) as workers:
        made = trained_with(workers)
        ray.kill(workers.actors[1])
        with pytest.raises(TrainingError, match="worker 2 was lost before it had brought anything"):
            turn_until(made, lambda: False)


def test_more_workers_than_cores_are_refused() -> None:
    with (
        pytest.raises(TrainingError, match="3 workers need a core each; the cluster has 2"),
        ray_actor_pool(TINY, replace(CREW, num_actors=3), None),
    ):
        pass


@pytest.mark.parametrize("cluster", ["127.0.0.1:1", "127.0.0.1:many"])
def test_a_cluster_that_does_not_answer_is_refused(cluster: str) -> None:
    with pytest.raises(TrainingError, match=f"no Ray cluster answers at {cluster}"):
        connect_to_ray(cluster)


@pytest.mark.parametrize(
    ("words", "refusal"),
    [("--ray-address auto", "--ray-workers N"), ("--ray-workers 2 --iterations 5", "use --minutes")],
)
def test_words_that_do_not_go_together_are_refused(
    tmp_path: Path, words: str, refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(f"train lariat-1x1 -o {tmp_path} {words}".split()) == 2
    assert refusal in capsys.readouterr().err
