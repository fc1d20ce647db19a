"""Gymnasium: a vector environment over `Batch`, for self-play or against an opponent.

    from ropewalk.adapters import gymnasium
    envs = gymnasium.make_vec("tether-9", 1024, opponent="random")

Observations are dictionaries of `observation`, int8 [num_envs, cells, planes], and `action_mask`, int8
[num_envs, actions], all 0 after the end of a game. An illegal action raises `IllegalMove` and changes nothing. A finished
game is replaced in the next step, whose action is ignored (`AutoresetMode.NEXT_STEP`).

In self-play (no opponent) an action is the move of the seat to move, and the reward is that of the seat that moved. Against
an opponent the reward is that of the agent's seat, and every observation is one in which the agent is to move.
`infos["seat"]` is the seat to move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bots.bot import Bot
from ..bots.bot_spec import make_bot
from ..errors import SpecError
from ..games.batch import Batch
from ..games.registry import game as find_game
from ..rules.interface import ONGOING
from . import require_library

require_library("gymnasium", "gymnasium")

from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

MAX_PLANE_VALUE = 127
RANDOM_OPPONENT = "random"


def make_vec(
    spec: str, num_envs: int, *, opponent: str | None = None, agent_seat: int | None = 0, threads: int | None = None
) -> BatchVectorEnv:
    """Return a vector environment of a game.

    Args:
        spec: Game, board and options, such as "lariat-2x10-pie".
        num_envs: Number of games.
        opponent: A bot spec such as "level-3" or "uct@500"; "random" is the fastest; None for self-play.
        agent_seat: The seat of the agent against an opponent, 0 or 1; None for seat i % 2 in game i.
        threads: Number of threads; None for one per core.

    Raises:
        SpecError: The spec or the seat is invalid.
        BotError: The opponent is unknown.
    """
    return BatchVectorEnv(spec, num_envs, opponent=opponent, agent_seat=agent_seat, threads=threads)


class BatchVectorEnv(VectorEnv):
    """Many games stepped together; created by `make_vec`. `batch` holds their positions."""

    def __init__(
        self, spec: str, num_envs: int, *, opponent: str | None, agent_seat: int | None, threads: int | None
    ) -> None:
        super().__init__()
        if agent_seat not in (0, 1, None):
            raise SpecError(f"invalid seat {agent_seat!r} of the agent; it must be 0, 1 or None")
        game = find_game(spec)
        self.num_envs = num_envs
        self.batch = Batch(game, num_envs, threads=threads)
        self.opponent: Bot | None = None if opponent in (None, RANDOM_OPPONENT) else make_bot(game, str(opponent))
        self.is_selfplay = opponent is None
        self.agent_seats = np.arange(num_envs) % 2 if agent_seat is None else np.full(num_envs, agent_seat)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, MAX_PLANE_VALUE, game.observation_shape, np.int8),
                "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
            }
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.int8]], dict[str, Any]]:
        """Begin all games anew; return observations and infos.

        Args:
            seed: Seeds the moves of a random opponent and the bot: one integer, or one for each game. None lets the random
                streams go on.
            options: Ignored.
        """
        if seed is not None:
            self.batch.seed(seed)
            first = int(np.ravel(np.asarray(seed))[0])
            super().reset(seed=first)
            if self.opponent is not None:
                self.opponent.new_game(first)
        self.batch.restart(np.ones(self.num_envs, np.bool_))
        self._play_opponent(self.batch.rewards.copy(), self.batch.finished.copy())
        return self._observe(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[np.int8]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one move of the agent in every game, then the opponent's; restart games that were over.

        Args:
            actions: Move ids [num_envs]; those of games that were over are ignored.

        Returns:
            Observations, rewards, terminations, truncations (always False) and infos.

        Raises:
            MoveError: An action is not a move id.
            IllegalMove: A move is illegal; then no game is changed.
        """
        batch = self.batch
        was_over = batch.outcomes != ONGOING
        movers = np.where(self.is_selfplay, batch.seats, self.agent_seats)
        batch.play(np.where(was_over, 0, actions))
        rewards, terminations = batch.rewards.copy(), batch.finished.copy()
        batch.restart(was_over)
        self._play_opponent(rewards, terminations)
        agent_rewards = np.take_along_axis(rewards, movers[:, np.newaxis], axis=1)[:, 0].astype(np.float64)
        return self._observe(), agent_rewards, terminations, np.zeros(self.num_envs, np.bool_), self._infos()

    def _play_opponent(self, rewards: NDArray[np.float32], terminations: NDArray[np.bool_]) -> None:
        """Let the opponent move until the agent is to move or the game is over; add up rewards and ends of games."""
        batch = self.batch
        while not self.is_selfplay and (waiting := (batch.outcomes == ONGOING) & (batch.seats != self.agent_seats)).any():
            batch.play(self._choose_opponent_moves(waiting), where=waiting)
            rewards += batch.rewards
            terminations |= batch.finished

    def _choose_opponent_moves(self, waiting: NDArray[np.bool_]) -> NDArray[np.int16]:
        """Return the opponent's moves; entries where it is not to move are arbitrary."""
        if self.opponent is None:
            return self.batch.choose()
        moves = np.zeros(self.num_envs, np.int16)
        for index in np.flatnonzero(waiting).tolist():
            moves[index] = self.batch.game.move_id(self.opponent.choose(self.batch[index]))
        return moves

    def _observe(self) -> dict[str, NDArray[np.int8]]:
        return {"observation": self.batch.observations(), "action_mask": self.batch.action_masks().view(np.int8)}

    def _infos(self) -> dict[str, Any]:
        return {"seat": self.batch.seats.copy(), "_seat": np.ones(self.num_envs, np.bool_)}

    def close_extras(self, **kwargs: Any) -> None:
        """Close the opponent."""
        if self.opponent is not None:
            self.opponent.close()
