"""PettingZoo: a game as an AEC environment of two agents with action masks.

    from ropewalk.adapters import pettingzoo
    env = pettingzoo.env("tether-9")

`player_0` makes the first move of the game. An agent may move several times in a row where a turn has several moves. An
observation is a dictionary of `observation`, int8 [cells, planes], and `action_mask`, int8 [actions]. The observation is
that of the agent to move, whoever asks for it: the games have no hidden information. The mask of an agent that is not to
move is all 0. An illegal action raises `IllegalMove` and changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import SpecError
from ..games.position import Position
from ..games.registry import game as find_game
from . import require_library

require_library("pettingzoo", "pettingzoo")

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

AGENTS = ("player_0", "player_1")
RENDER_MODES = ("ansi", "rgb_array")
MAX_PLANE_VALUE = 127


def env(spec: str, render_mode: str | None = None, max_steps: int | None = None) -> Any:
    """Return `raw_env` with PettingZoo's checks of the order of calls and of the range of actions."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(spec, render_mode, max_steps)))


def raw_env(spec: str, render_mode: str | None = None, max_steps: int | None = None) -> GameAecEnv:
    """Return the environment of a game.

    Args:
        spec: Game, board and options, such as "lariat-2x10-pie".
        render_mode: "ansi" for the drawn board as text, "rgb_array" for a picture, None for no rendering.
        max_steps: Number of moves after which the episode is truncated; None for no limit.

    Raises:
        SpecError: The spec or the render mode is invalid.
    """
    return GameAecEnv(spec, render_mode, max_steps)


class GameAecEnv(AECEnv):
    """A game as an environment of two agents; created by `env` and `raw_env`."""

    def __init__(self, spec: str, render_mode: str | None = None, max_steps: int | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise SpecError(f"unknown render mode {render_mode!r}; the modes are {', '.join(RENDER_MODES)}")
        self.game = find_game(spec)
        self.render_mode = render_mode
        self.max_steps = max_steps
        self.metadata = {
            "name": f"ropewalk_{self.game.spec}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: self._make_observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in AGENTS}
        self.position = self.game.start()

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _make_observation_space(self) -> spaces.Dict:
        planes = spaces.Box(0, MAX_PLANE_VALUE, self.game.observation_shape, np.int8)
        return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, the move ids; always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Nothing in it is random, so `seed` has no effect.

        Args:
            seed: Ignored.
            options: {"position": Position} begins from another position; it must be ongoing.
        """
        self.position = (options or {}).get("position", self.game.start())
        self.num_steps = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.seat or 0]

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """Return the observation of the position and the action mask of an agent, all 0 unless it is to move."""
        is_to_move = self.position.seat is not None and AGENTS[self.position.seat] == agent
        mask = self.position.action_mask().view(np.int8) if is_to_move else np.zeros(self.game.num_actions, np.int8)
        return {"observation": self.position.observation(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the move with this id for the selected agent; None for an agent whose episode is over.

        Raises:
            IllegalMove: The move is illegal in this position; nothing is changed.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        position: Position = self.position.play_id(int(action if action is not None else -1))
        mover = self.agent_selection
        self.position = position
        self.num_steps += 1
        self._cumulative_rewards[mover] = 0.0
        self._finish_step()
        if position.seat is None:
            self.agent_selection = AGENTS[1 - AGENTS.index(mover)]
        else:
            self.agent_selection = AGENTS[position.seat]
        self._accumulate_rewards()

    def _finish_step(self) -> None:
        """Set the rewards and the ends of the episode after a move."""
        self._clear_rewards()
        is_over = self.position.seat is None
        if self.position.result in (0, 1):
            for seat, agent in enumerate(AGENTS):
                self.rewards[agent] = 1.0 if seat == self.position.result else -1.0
        is_truncated = not is_over and self.max_steps is not None and self.num_steps >= self.max_steps
        self.terminations = dict.fromkeys(AGENTS, is_over)
        self.truncations = dict.fromkeys(AGENTS, is_truncated)

    def render(self) -> Any:
        """Return the drawn board as text, or a picture as uint8 [height, width, 3]; None without a render mode."""
        if self.render_mode == "ansi":
            return self.position.draw()
        return None if self.render_mode is None else draw_pixels(self.position)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


def draw_pixels(position: Position) -> NDArray[np.uint8]:
    """Return the diagram of a position as pixels [height, width, 3]."""
    from io import BytesIO

    pillow = require_library("PIL.Image", "pettingzoo")
    from ..diagrams.diagram import draw
    from ..diagrams.frame_renderer import render_png

    with pillow.open(BytesIO(render_png(draw(position)))) as image:
        return np.asarray(image.convert("RGB"), np.uint8)
