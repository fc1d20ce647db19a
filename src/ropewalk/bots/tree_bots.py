"""Bots that search a tree and reuse it between moves: MCTS, MCTS guided by a net, and Gumbel search with a net."""

from __future__ import annotations

import math
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..games.definition import GuidanceParams, MctsParams
from ..games.game import Game
from ..games.position import Position
from ..nets.config import file_sha256
from ..nets.onnx_evaluator import OnnxEvaluator, resolve_net_path
from ..rules.interface import ONGOING
from ..search.gumbel_search import GumbelSearch
from ..search.interfaces import RootMove, Search
from ..search.mcts_search import GuidedMctsSearch, MctsSearch
from .bot import Bot, Limit, Line, Report, find_searched_moves, require_ongoing

REPORT_INTERVAL_SECONDS = 0.2
MAX_REPORT_LINES = 20
DEFAULT_GUIDED_VISITS = 20_000  # per move
DEFAULT_NET_VISITS = 200  # per move


class TreeSearchBot(Bot, ABC):
    """A bot whose reports come from a tree search."""

    default_visits: int  # per move, without a limit of time or visits
    search: Search

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield a report every REPORT_INTERVAL_SECONDS while the search runs, and one at its end."""
        require_ongoing(position)
        started_at = last_report_at = time.monotonic()
        search_chunks = self._run_search(position, limit)
        reused_visits = self.search.visits
        for _ in search_chunks:
            if time.monotonic() - last_report_at > REPORT_INTERVAL_SECONDS:
                last_report_at = time.monotonic()
                yield self._make_report(position, last_report_at - started_at, reused_visits)
        yield self._make_report(position, time.monotonic() - started_at, reused_visits)

    def _run_search(self, position: Position, limit: Limit | None) -> Iterator[None]:
        limit = limit or Limit(visits=self.default_visits)
        max_visits = self.default_visits if limit.seconds is limit.visits is None else limit.visits
        self.search.set_root(position, None if limit.moves is None else find_searched_moves(position, limit))
        return self.search.run(limit.seconds, max_visits, limit.cancelled)

    def _make_report(self, position: Position, seconds: float, reused_visits: int) -> Report:
        lines = tuple(self._make_line(root_move) for root_move in self._root_moves(position)[:MAX_REPORT_LINES])
        return Report(
            seat=position.seat or 0,
            value=lines[0].value,
            certainty=lines[0].certainty,
            visits=self.search.visits,
            seconds=seconds,
            lines=lines,
            kept=reused_visits,
        )

    @abstractmethod
    def _root_moves(self, position: Position) -> Sequence[RootMove]:
        """Return the moves at the root, the best first; at least one, also before the first visit."""

    @abstractmethod
    def _principal_variation(self, move: int) -> list[int]:
        """Return the principal variation that begins with `move`."""

    def _make_line(self, root_move: RootMove) -> Line:
        moves = tuple(self.game.move_texts[move] for move in self._principal_variation(root_move.move))
        return Line(moves, root_move.visits, root_move.value, "estimate" if root_move.proven == ONGOING else "proven")


class MctsBot(TreeSearchBot):
    """MCTS. A positive `softmax_temperature` samples moves by exp(value / temperature) instead of playing the best."""

    def __init__(
        self,
        game: Game,
        name: str,
        params: MctsParams,
        visits: int,
        *,
        softmax_temperature: float = 0.0,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.name = name
        self.default_visits = visits
        self.softmax_temperature = softmax_temperature
        self.budget = f"{visits:,} playouts a move"
        self.threads = threads
        self.seed = seed
        self.search: MctsSearch = self._make_search(params, threads, seed)
        self.rng = random.Random(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        temperature = self.softmax_temperature
        make_bot = partial(MctsBot, softmax_temperature=temperature, threads=self.threads, seed=self.seed)
        return make_bot, (self.game, self.name, self.search.params, self.default_visits)

    def _make_search(self, params: MctsParams, threads: int, seed: int) -> MctsSearch:
        return MctsSearch(self.game, params, threads=threads, seed=seed)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Return the best move, or a sample by `softmax_temperature`."""
        require_ongoing(position)
        for _ in self._run_search(position, limit):
            pass
        return self._select_move(position)

    def decide(self, position: Position, last: Report) -> str:
        """Return the move that `choose` would return, from all moves and not only those in the report."""
        return self._select_move(position)

    def _root_moves(self, position: Position) -> list[RootMove]:
        return self.search.root_moves() or [RootMove(int(move)) for move in position.move_ids()]

    def _principal_variation(self, move: int) -> list[int]:
        return self.search.principal_variation(move)

    def _select_move(self, position: Position) -> str:
        return self.game.move_texts[self._sample_root_move(self._root_moves(position)).move]

    def _sample_root_move(self, root_moves: list[RootMove]) -> RootMove:
        """Return the best move, or a sample by exp(RAVE value / temperature); a proven best move is always played."""
        if self.softmax_temperature == 0 or root_moves[0].proven != ONGOING:
            return root_moves[0]
        candidates = [
            root_move for root_move in root_moves if root_move.visits > 0 or self.search.params.rave_equivalence > 0
        ]
        candidates = candidates or root_moves
        best_value = max(root_move.rave_value for root_move in candidates)
        weights = [math.exp((root_move.rave_value - best_value) / self.softmax_temperature) for root_move in candidates]
        return self.rng.choices(candidates, weights)[0]

    def new_game(self, seed: int) -> None:
        """Clear the tree and reseed the random generators."""
        self.seed = seed
        self.search.reset(seed)
        self.rng.seed(seed)


class GuidedMctsBot(MctsBot):
    """MCTS guided by a net, in one thread."""

    def __init__(
        self,
        game: Game,
        net_path: Path,
        params: MctsParams,
        guidance: GuidanceParams,
        visits: int = DEFAULT_GUIDED_VISITS,
        name: str = "",
        *,
        seed: int = 0,
    ) -> None:
        self.net_path = net_path
        self.guidance = guidance
        self.evaluator = OnnxEvaluator(game, net_path)
        self.net = file_sha256(net_path)
        super().__init__(game, name or f"advised by {net_path.stem}", params, visits, seed=seed)

    def __reduce__(self) -> tuple[Any, ...]:
        params = (self.search.params, self.guidance, self.default_visits, self.name)
        return partial(GuidedMctsBot, seed=self.seed), (self.game, self.net_path, *params)

    def _make_search(self, params: MctsParams, threads: int, seed: int) -> MctsSearch:
        return GuidedMctsSearch(self.game, params, self.guidance, self.evaluator, seed=seed)


class NetBot(TreeSearchBot):
    """Gumbel search with a net, in one thread."""

    def __init__(self, game: Game, net_path: Path, visits: int = DEFAULT_NET_VISITS, name: str = "") -> None:
        self.game = game
        self.name = name or f"net {net_path.stem}"
        self.net_path = net_path
        self.default_visits = visits
        self.budget = f"{visits:,} evaluations a move"
        self.search: GumbelSearch = GumbelSearch(
            game, OnnxEvaluator(game, net_path), value_scale=game.definition.value_scale
        )
        self.net = file_sha256(net_path)

    def __reduce__(self) -> tuple[Any, ...]:
        return NetBot, (self.game, self.net_path, self.default_visits, self.name)

    def new_game(self, seed: int) -> None:
        """Clear the tree; the search has no randomness to reseed."""
        self.search.reset()

    def _root_moves(self, position: Position) -> list[RootMove]:
        return self.search.root_moves() or [RootMove(int(position.move_ids()[0]))]

    def _principal_variation(self, move: int) -> list[int]:
        return self.search.principal_variation(move) or [move]


def make_net_bot(game: Game, path: str = "") -> NetBot:
    """Return a `NetBot` with the net at `path`, or with the game's net in the package if it is empty."""
    return NetBot(game, resolve_net_path(game, path))
