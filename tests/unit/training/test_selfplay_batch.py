"""Games of self-play do not depend on the number of threads that share them."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk
from ropewalk.games.helper_threads import HelperThreads
from ropewalk.search.gumbel_tree import IDLE, PHASE
from ropewalk.training.config import TrainingConfig
from ropewalk.training.selfplay.batch import NO_LEAF_ROLLOUTS, TREES_PER_RANGE, SelfPlayBatch
from ropewalk.training.selfplay.kernels import LeafRolloutParams

NUM_TREES = 4 * TREES_PER_RANGE + 3
NUM_ADVANCES = 300  # enough for several games of each tree


@pytest.mark.parametrize("rollouts", [NO_LEAF_ROLLOUTS, LeafRolloutParams(2, 0, 0.5)], ids=["net", "rollouts"])
def test_games_are_those_of_one_thread(rollouts: LeafRolloutParams) -> None:
    config, game = TrainingConfig(specs=("lariat-1x2",), simulations=4), ropewalk.game("lariat-1x2")
    parameters = (config.gumbel_params, config.selfplay_params, rollouts)
    alone, shared = (
        SelfPlayBatch(game, NUM_TREES, *parameters, max_moves=100, seed=5, threads=HelperThreads(count)) for count in (0, 3)
    )
    num_finished = 0
    for _ in range(NUM_ADVANCES):
        assert alone.advance() == shared.advance()
        finished = alone.find_finished_trees()
        num_finished += len(finished)
        for batch in (alone, shared):
            batch.evaluations.logits[:] = batch.evaluations.planes.sum(2)[:, :1] % 5 * np.arange(game.encoding.policy_size)
            batch.evaluations.values[:] = np.sin(batch.evaluations.planes.sum((1, 2)))
            batch.trees.counters[finished, PHASE] = IDLE
    assert num_finished > NUM_TREES
    for one, other in zip(alone.checkpoint_arrays, shared.checkpoint_arrays, strict=True):
        for name, array in one._asdict().items():
            assert (array == getattr(other, name)).all(), name
