"""Train a small policy by self-play with `Batch` and torch, then play it against random moves.

    python examples/tutorials/train_policy.py [--spec tether-5] [--iterations 50]

The loss is REINFORCE (Williams 1992): the log-probability of every move, weighted by the result of the game for the seat
that made it.
"""

import argparse

import numpy as np
import torch
from numpy.typing import NDArray

import ropewalk
from ropewalk import Batch, Game

GAMES = 512  # played at the same time
HIDDEN_UNITS = 256
MINIBATCH = 1024  # moves
LEARNING_RATE = 1e-3
ENTROPY_WEIGHT = 0.02


class Policy(torch.nn.Module):
    """A perceptron with one hidden layer from an observation to one logit per action."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        cells, planes = game.observation_shape
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(cells * planes, HIDDEN_UNITS),
            torch.nn.ReLU(),
            torch.nn.Linear(HIDDEN_UNITS, game.num_actions),
        )

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return the log-probabilities of actions; illegal ones have a very small probability."""
        logits = self.layers(observations.flatten(1).float())
        return torch.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)


def choose(policy: Policy, batch: Batch) -> NDArray[np.int64]:
    """Sample an action for every position; any action where the game is over."""
    with torch.no_grad():
        log_probs = policy(torch.from_numpy(batch.observations()), torch.from_numpy(batch.action_masks()))
        actions: NDArray[np.int64] = torch.multinomial(log_probs.exp(), 1)[:, 0].numpy()
    return actions


def play_games(policy: Policy, game: Game, seed: int) -> tuple[torch.Tensor, ...]:
    """Play GAMES games to their end; return observations, masks, actions and returns of the policy's moves.

    Each seat follows the policy in half of the games and plays random moves in the others: a policy that sees only itself
    learns to beat nobody else.
    """
    batch, columns = Batch(game, GAMES, seed=seed), []
    follows_policy = np.random.default_rng(seed).random((GAMES, 2)) < 0.5
    while (batch.outcomes == -1).any():
        by_policy = follows_policy[np.arange(GAMES), batch.seats]
        actions = np.where(by_policy, choose(policy, batch), batch.choose())
        kept = np.flatnonzero(by_policy & (batch.outcomes == -1))
        columns.append((batch.observations()[kept], batch.action_masks()[kept], actions[kept], kept, batch.seats[kept]))
        batch.play(np.where(batch.outcomes == -1, actions, 0))
    observations, masks, actions, games, seats = (np.concatenate(column) for column in zip(*columns, strict=True))
    results = batch.outcomes[games]
    returns = np.where(results == 2, 0.0, np.where(results == seats, 1.0, -1.0))
    for seat in (0, 1):  # the advantage of moving first is no merit of a move
        returns[seats == seat] -= returns[seats == seat].mean()
    return tuple(map(torch.from_numpy, (observations, masks, actions, returns.astype(np.float32))))


def train(game: Game, iterations: int, seed: int = 1) -> Policy:
    """Return a policy trained by self-play."""
    torch.manual_seed(seed)
    policy = Policy(game)
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    for iteration in range(iterations):
        samples = play_games(policy, game, seed + iteration)
        for rows in torch.randperm(len(samples[0])).split(MINIBATCH):
            loss = compute_loss(policy, *(column[rows] for column in samples))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return policy


def compute_loss(
    policy: Policy, observations: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor, returns: torch.Tensor
) -> torch.Tensor:
    """Return the loss of some moves: REINFORCE with a bonus for entropy, so that the policy goes on exploring."""
    log_probs = policy(observations, masks)
    chosen = log_probs.gather(1, actions[:, None])[:, 0]
    entropy = -(log_probs.exp() * log_probs.clamp(min=-30)).sum(dim=1)
    return -(returns * chosen).mean() - ENTROPY_WEIGHT * entropy.mean()


def score_against_random(policy: Policy, game: Game, seed: int = 1) -> float:
    """Return the share of games that the policy wins against random moves; it has each seat in half of them."""
    batch = Batch(game, GAMES, seed=seed)
    policy_seats = np.arange(GAMES) % 2
    while (batch.outcomes == -1).any():
        moves = np.where(batch.seats == policy_seats, choose(policy, batch), batch.choose())
        batch.play(np.where(batch.outcomes == -1, moves, 0))
    points = np.where(batch.outcomes == 2, 0.5, batch.outcomes == policy_seats)
    return float(points.mean())


def main() -> None:
    """Train a policy and print its score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", default="tether-5")
    parser.add_argument("--iterations", type=int, default=50)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    game = ropewalk.game(arguments.spec)
    print(f"untrained: {score_against_random(Policy(game), game):.0%} against random moves")
    print(f"trained: {score_against_random(train(game, arguments.iterations), game):.0%} against random moves")


if __name__ == "__main__":
    main()
