"""A step of learning that is captured as a CUDA graph changes the weights as one that is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.optional import import_optional

torch = import_optional("torch")

from ropewalk.training.learner import Learner
from ropewalk.training.trainer import Trainer
from ropewalk.training.training_step import NUM_WARM_UP_STEPS, CapturedTrainingStep, TrainingStep
from tests.unit.training.test_training import TINY

NUM_STEPS = NUM_WARM_UP_STEPS + 20


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("search_value_weight", [0.0, 0.5])
def test_captured_steps_learn_the_same(search_value_weight: float) -> None:
    config = replace(TINY, search_value_weight=search_value_weight)
    trainer = Trainer(replace(config, min_replay=config.replay_size + 1), "cuda", compile_net=False, num_threads=1)
    while trainer.counts["positions"] < 4 * config.batch_size:
        trainer.iterate()
    trainer._flush_staged_samples(0)
    buffer, neighbours = trainer.replay_buffers[0], trainer.training_steps[0].neighbours
    learners = []
    for step_type in (TrainingStep, CapturedTrainingStep):
        learner = Learner(trainer.learner.net.config, config, trainer.device)
        step, generator = step_type(learner, buffer, neighbours), torch.Generator().manual_seed(1)
        for _ in range(NUM_STEPS):
            step.run(generator, 1e-3)
        learners.append(learner)
    eager, captured = learners
    assert captured.pop_mean_losses() == pytest.approx(eager.pop_mean_losses(), rel=1e-2)
    for expected, actual in zip(eager.net.parameters(), captured.net.parameters(), strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-2, atol=1e-3)
    for expected, actual in zip(eager.ema_parameters, captured.ema_parameters, strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-2, atol=1e-3)


def test_a_checkpoint_of_a_gpu_resumes_on_a_cpu() -> None:
    """Only the settings of the optimiser are those of a GPU here; its step counts are loaded by torch."""
    learner = Learner(Trainer(TINY, "cpu", num_threads=1).learner.net.config, TINY, torch.device("cpu"))
    state = learner.state_dict()
    for group in state["optimiser"]["param_groups"]:
        group |= {"fused": True, "capturable": True, "lr": torch.tensor(1e-3)}
    learner.load_state_dict(state)
    assert all(not group["fused"] and not group["capturable"] for group in learner.optimiser.param_groups)
