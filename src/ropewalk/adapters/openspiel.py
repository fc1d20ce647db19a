"""OpenSpiel: all games as one registered Python game, `ropewalk(spec=tether-9)`.

    from ropewalk.adapters import openspiel
    game = openspiel.load_game("tether-9")

After the import of this module, `pyspiel.load_game("ropewalk(spec=tether-9)")` does the same. States can be cloned and
serialised. Tensors are the planes of an observation, float32 in the order [cells, planes], from the point of view of the
seat to move: the games have no hidden information, so information states and observations are the same.

OpenSpiel requires a bound of the length of a game. Where the rules have none, a game is a draw after `max_game_length`
moves, a parameter of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..games.position import Position
from ..games.registry import game as find_game
from ..rules.interface import DRAW
from . import require_library

require_library("pyspiel", "openspiel")

import pyspiel  # noqa: E402

SHORT_NAME = "ropewalk"
DEFAULT_SPEC = "tether-9"
DEFAULT_MAX_GAME_LENGTH = 2000  # where the rules have no bound
PLANES_NAME = "planes"

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Ropewalk",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"spec": DEFAULT_SPEC, "max_game_length": DEFAULT_MAX_GAME_LENGTH},
)


def load_game(spec: str, max_game_length: int = DEFAULT_MAX_GAME_LENGTH) -> Any:
    """Return a game of OpenSpiel.

    Args:
        spec: Game, board and options, such as "lariat-2x10-pie".
        max_game_length: Number of moves after which a game is a draw; ignored where the rules bound the length.

    Raises:
        SpecError: The spec is invalid.
    """
    return pyspiel.load_game(SHORT_NAME, {"spec": find_game(spec).spec, "max_game_length": max_game_length})


class SpielGame(pyspiel.Game):
    """A game with the interface of OpenSpiel; created by `load_game`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters: dict[str, Any] = {"spec": DEFAULT_SPEC, "max_game_length": DEFAULT_MAX_GAME_LENGTH} | (params or {})
        self.game = find_game(parameters["spec"])
        self.length_limit = self.game.max_game_length or parameters["max_game_length"]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.length_limit,
        )
        super().__init__(GAME_TYPE, info, parameters)

    def new_initial_state(self, state: Any = None) -> SpielState:
        """Return the state of the start position."""
        return self.state_of(self.game.start())

    def state_of(self, position: Position) -> SpielState:
        """Return the state of any position; it cannot be serialised, because OpenSpiel does not know its history."""
        return SpielState(self, position)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PlanesObserver:
        """Return the observer, the same for all types of information."""
        return PlanesObserver(self.game.observation_shape)


class SpielState(pyspiel.State):
    """A position with the interface of a state of OpenSpiel; `position` is the position."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.position = position
        self.length_limit = game.length_limit
        self.num_steps = 0

    def current_player(self) -> int:
        """Return the seat to move, or the terminal player."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.position.seat or 0)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the ids of the legal moves, ascending."""
        moves: list[int] = self.position.move_ids().tolist()
        return moves

    def _apply_action(self, action: int) -> None:
        """Play a move."""
        self.position = self.position.play_id(action)
        self.num_steps += 1

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the text of a move."""
        return self.position.game.move_text(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over, by the rules or by the limit of its length."""
        return self.position.seat is None or self.num_steps >= self.length_limit

    def returns(self) -> list[float]:
        """Return the rewards of both seats: 1 for a win, -1 for a loss, else 0."""
        result = self.position.result
        if not self.is_terminal() or result not in (0, 1) or result == DRAW:
            return [0.0, 0.0]
        return [1.0, -1.0] if result == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.position)


class PlanesObserver:
    """Observes a state as the planes of its position; conforms to OpenSpiel's observer interface."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.tensor = np.zeros(shape[0] * shape[1], np.float32)
        self.dict = {PLANES_NAME: self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the observation of the state into `tensor`, from the point of view of the seat to move."""
        self.dict[PLANES_NAME][:] = state.position.observation()

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the text of the position."""
        return str(state.position)


pyspiel.register_game(GAME_TYPE, SpielGame)
