"""What the search thought of a position is remembered beside the result, and learnt from as far as one wishes."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.optional import import_optional

torch = import_optional("torch")

import ropewalk
from ropewalk.nets.model import expected_value
from ropewalk.search.gumbel import VALUE_SCALE
from ropewalk.search.gumbel_tree import LEAF_DEPTH
from ropewalk.training.config import TrainingError
from ropewalk.training.selfplay.batch import SelfPlayBatch
from ropewalk.training.selfplay.kernels import LeafRolloutParams
from ropewalk.training.selfplay.samples import SampleBatch
from ropewalk.training.trainer import Trainer
from tests.unit.training.test_training import TINY

FAVOUR = 0.5  # for seat 0


def answer(grove: SelfPlayBatch) -> None:
    """Say that every leaf is as good for seat 0."""
    leaves = np.arange(len(grove.trees.seat))
    seats = grove.trees.seat[leaves, grove.trees.path[leaves, grove.trees.counters[:, LEAF_DEPTH]]]
    grove.evaluations.values[:] = np.where(seats == 0, FAVOUR, -FAVOUR)


def harvest_of(grove: SelfPlayBatch) -> SampleBatch:
    while True:
        grove.advance()
        answer(grove)
        harvest = grove.collect_samples()
        if harvest is not None:
            return harvest


def test_the_value_of_the_search_is_kept_for_the_seat_to_move() -> None:
    config = replace(TINY, simulations=2, opening_moves=0)
    batch = SelfPlayBatch(ropewalk.game("lariat-1x2"), 1, config.gumbel_params, config.selfplay_params, max_moves=100)
    harvest = harvest_of(batch)
    values = harvest.search_values / VALUE_SCALE
    assert values[:4] == pytest.approx([FAVOUR, -FAVOUR, FAVOUR, -FAVOUR], abs=1e-3)  # no game ends so soon
    assert np.abs(values).max() <= 1


@pytest.mark.parametrize(("mix", "expected"), [(1.0, -0.5), (0.5, 0.25), (0.0, 1.0)])
def test_the_net_learns_as_much_of_the_value_as_the_mix_says(mix: float, expected: float) -> None:
    torch.set_num_threads(1)
    created = Trainer(replace(TINY, search_value_weight=mix), "cpu", num_threads=1)
    harvest = harvest_of(created.game_source.batches[0])
    thought, won = np.full_like(harvest.search_values, round(-0.5 * VALUE_SCALE)), np.zeros_like(harvest.outcomes)
    buffer, neighbours = created.replay_buffers[0], created.training_steps[0].neighbours
    buffer.append(harvest._replace(search_values=thought, outcomes=won))
    for _ in range(150):
        sample = buffer.gather(buffer.draw(32, created.generator))
        created.learner.train_step(sample, neighbours, 1e-2)
    _, value, _ = created.learner.net(sample.planes.float(), *neighbours)
    assert float(expected_value(value).mean().detach()) == pytest.approx(expected, abs=0.15)


def test_games_that_do_not_fit_are_refused_in_words() -> None:
    torch.set_num_threads(1)
    state = Trainer(TINY, "cpu", num_threads=1).full_state_dict()
    with pytest.raises(TrainingError, match=r"remove it to continue with the weights in checkpoint\.pt"):
        Trainer(replace(TINY, parallel_games=8), "cpu", num_threads=1).load_state_dict(state)
    for parts in state["batches"]:
        del parts[1]["search_values"]
    with pytest.raises(TrainingError, match="another version"):
        Trainer(TINY, "cpu", num_threads=1).load_state_dict(state)


def test_playouts_from_a_leaf_count_beside_the_net_as_much_as_they_are_trusted() -> None:
    position = ropewalk.game("lariat-1x1").start()
    for move in ("a1", "c1", "b1"):
        position = position.play(move)
    for trust in (0.0, 0.25, 1.0):
        config = replace(TINY, opening_moves=0)
        params = (config.gumbel_params, config.selfplay_params, LeafRolloutParams(200, 0, trust))
        grove = SelfPlayBatch(position.game, 1, *params, max_moves=100)
        grove.start_row[:] = position.row
        grove.advance()
        assert grove.trees.seat[0, 0] == position.seat == 1
        text = float(grove.rollout_values.values[0])
        assert -1 <= text < -0.2, "black has the centre"
        grove.evaluations.values[0] = FAVOUR
        grove.advance()
        assert grove.trees.raw_value[0, 0] == pytest.approx(-(trust * text + (1 - trust) * FAVOUR), abs=1e-5)


@pytest.mark.parametrize(("even", "drawn_anew"), [(1.0, False), (0.4, True), (0.6, False)])
def test_lopsided_openings_are_mostly_drawn_anew(even: float, drawn_anew: bool) -> None:
    config = replace(TINY, opening_moves=8, max_opening_value=even)
    grove = SelfPlayBatch(ropewalk.game("tether-9"), 256, config.gumbel_params, config.selfplay_params, max_moves=100)
    grove.game_buffers.num_moves[:] = 0
    grove.advance()
    openings, first = grove.game_buffers.num_opening_moves.copy(), grove.game_buffers.moves[:, :8].copy()
    answer(grove)
    grove.advance()
    changed = (grove.game_buffers.moves[:, :8] != first).any(1) | (grove.game_buffers.num_opening_moves != openings)
    assert not changed[openings == 0].any(), "games from the start are played as they are"
    assert (grove.game_buffers.num_opening_moves[openings > 0] > 0).all(), "an opening is drawn in the place of another"
    played = (~changed[openings > 0]).mean()
    assert 0 < played < 0.3 if drawn_anew else played == 1
