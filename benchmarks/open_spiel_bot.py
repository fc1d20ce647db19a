"""OpenSpiel's Monte Carlo tree search as a bot for Ropewalk's games, for comparisons in the arena.

    ropewalk arena tether-5 py:benchmarks.open_spiel_bot:bot@100 flat-mc@2000 --games 20

The games are defined for OpenSpiel in Python, as a thin layer over `Position`. Tree and random rollouts are OpenSpiel's own
C++ (`pyspiel.MCTSBot`, `pyspiel.RandomRolloutEvaluator`), but every move calls back into Python. This is slow: compare at
equal visits, not at equal time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pyspiel

from ropewalk import Game, Position
from ropewalk.bots.bot import Bot, Certainty, Limit, Line, Report, require_ongoing

EXPLORATION = 2.0  # OpenSpiel's usual constant for UCT
USUAL_VISITS = 100
MOST_VISITS = 10**9  # where time is the limit
NO_CLOCK = -1.0
MOST_MEGABYTES = 1000
LONGEST_GAME = 100_000  # OpenSpiel wants a number; nothing depends on it


def bot(game: Game) -> Bot:
    """Make the bot; the entry point `py:benchmarks.open_spiel_bot:bot`."""
    return OpenSpielBot(game)


class Held:
    """A position that copies share: OpenSpiel copies the attributes of a state, and positions are immutable."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def __deepcopy__(self, memo: object) -> Held:
        return self


class RopewalkState(pyspiel.State):  # type: ignore[misc]
    """A position with the interface of an OpenSpiel state."""

    def __init__(self, game: RopewalkGame, position: Position) -> None:
        super().__init__(game)
        self.held = Held(position)

    def current_player(self) -> int:
        seat = self.held.position.seat
        return pyspiel.PlayerId.TERMINAL if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        actions: list[int] = sorted(self.held.position.move_ids().tolist())
        return actions

    def _apply_action(self, action: int) -> None:
        self.held = Held(self.held.position.play_id(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.held.position.game.move_text(action)

    def is_terminal(self) -> bool:
        return self.held.position.seat is None

    def returns(self) -> list[float]:
        over = self.held.position.outcome
        if over is None or over.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if over.winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.held.position)


class RopewalkGame(pyspiel.Game):  # type: ignore[misc]
    """A Ropewalk game with the interface of an OpenSpiel game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        super().__init__(game_type(game), game_info(game), {})

    def new_initial_state(self) -> RopewalkState:
        return self.state(self.game.start())

    def state(self, position: Position) -> RopewalkState:
        """Return the state of any position, without its history."""
        return RopewalkState(self, position)


def game_type(game: Game) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=f"ropewalk_{game.spec}",
        long_name=game.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )


def game_info(game: Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST_GAME,
    )


class OpenSpielBot(Bot):
    """Plain UCT by OpenSpiel, one random rollout per visit; the tree is not reused between moves."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.theirs = RopewalkGame(game)
        self.name = "OpenSpiel MCTS"
        self.budget = f"{USUAL_VISITS} visits"
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.seed = seed % 2**31
        self.moves = 0

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield one report: OpenSpiel's search cannot report progress or be cancelled."""
        require_ongoing(position)
        assert position.seat is not None
        began = time.monotonic()
        root = self.search(position, limit or Limit())
        best = root.best_child()
        rest = sorted(
            (child for child in root.children if child.action != best.action), key=lambda child: -child.explore_count
        )
        lines = tuple(self.line(child) for child in (best, *rest))
        spent = time.monotonic() - began
        yield Report(position.seat, lines[0].value, lines[0].certainty, root.explore_count, seconds=spent, lines=lines)

    def search(self, position: Position, limit: Limit) -> Any:
        """Return the tree of a search; `step` cannot be used: it releases the GIL and then fails on a Python state."""
        visits = limit.visits or (USUAL_VISITS if limit.seconds is None else MOST_VISITS)
        visits = max(2, visits)  # the first visit sees no step yet
        seconds = NO_CLOCK if limit.seconds is None else limit.seconds
        self.moves += 1
        seed = (self.seed + self.moves) % 2**31
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        policy = pyspiel.ChildSelectionPolicy.UCT
        searcher = pyspiel.MCTSBot(
            self.theirs, evaluator, EXPLORATION, visits, MOST_MEGABYTES, True, seed, False, policy, seconds
        )
        return searcher.mcts_search(self.theirs.state(position))

    def line(self, child: Any) -> Line:
        """Return the line of a root move; OpenSpiel's values are from -1 to 1, for the seat that makes the move."""
        if child.outcome:
            value = child.outcome[child.player]
        else:
            value = child.total_reward / child.explore_count if child.explore_count else -1.0
        kind: Certainty = "proven" if child.outcome else "estimate"
        return Line((self.game.move_text(child.action),), child.explore_count, (value + 1) / 2, kind)
