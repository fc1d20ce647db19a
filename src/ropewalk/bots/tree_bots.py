"""Bots that grow a search tree and keep it between moves: what they have in common."""
# MERGED DOCSTRING: """Bots that grow a search tree by playouts."""
# MERGED DOCSTRING: """Bots that play out, and ask a net about the positions that count."""
# MERGED DOCSTRING: """Bots that ask a net."""

from __future__ import annotations

import math
import random
import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..games.definition import GuidanceParams, MctsParams
from ..games.game import Game, Position
from ..nets.config import file_sha256
from ..nets.onnx_evaluator import OnnxEvaluator, resolve_net_path
from ..rules.interface import ONGOING
from ..search.gumbel_search import GumbelRootMove, GumbelSearch
from ..search.interfaces import Search
from ..search.mcts_search import GuidedMctsSearch, MctsSearch, RootMove
from .bot import Bot, Limit, Line, Report, require_ongoing

REPORT_INTERVAL_SECONDS = 0.2  # seconds

MAX_REPORT_LINES = 5  # in a report


class TreeSearchBot(Bot):
    """Reports while its tree grows."""

    default_visits: int  # a move, when nothing else is said
    search: Search

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while the tree grows."""
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
        self.search.set_root(position)
        return self.search.run(limit.seconds, max_visits, limit.cancelled)

    def _make_report(self, position: Position, seconds: float, reused_visits: int) -> Report:
        lines = tuple(self._make_lines(position))
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
    def _make_lines(self, position: Position) -> Sequence[Line]:
        """The best moves, at most LINES of them, and how the game may go on from each."""


class MctsBot(TreeSearchBot):
    """Monte Carlo tree search. A `slip` above 0 lets it take moves whose value is about so much worse than the best."""

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
        self.search: MctsSearch = self._make_search(params, threads, seed)
        self.rng = random.Random(seed)

    def _make_search(self, params: MctsParams, threads: int, seed: int) -> MctsSearch:
        return MctsSearch(self.game, params, threads=threads, seed=seed)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The best move, or one of those that look nearly as good."""
        require_ongoing(position)
        for _ in self._run_search(position, limit):
            pass
        return self._select_move(position)

    def decide(self, position: Position, last: Report) -> str:
        """As it would choose, from all moves and not only those that it reports."""
        return self._select_move(position)

    def root_moves(self, position: Position) -> list[RootMove]:
        """The moves from the root, the best first; before the first visits, in the game's order."""
        unvisited = [RootMove(int(move), 0, 0.5, 0.5, ONGOING) for move in position.move_ids()]
        return self.search.root_moves() or unvisited

    def _select_move(self, position: Position) -> str:
        return self.game.move_texts[self._sample_root_move(self.root_moves(position)).move]

    def _sample_root_move(self, root_moves: list[RootMove]) -> RootMove:
        """Without a slip the best; with one, moves are the likelier the better they look."""
        if self.softmax_temperature == 0 or root_moves[0].proven != ONGOING:
            return root_moves[0]
        candidates = [
            root_move for root_move in root_moves if root_move.visits > 0 or self.search.params.rave_equivalence > 0
        ]
        best_value = max(root_move.rave_value for root_move in candidates or root_moves)
        weights = [
            math.exp((root_move.rave_value - best_value) / self.softmax_temperature)
            for root_move in candidates or root_moves
        ]
        return self.rng.choices(candidates or root_moves, weights)[0]

    def _make_lines(self, position: Position) -> list[Line]:
        return [self._make_line(root_move) for root_move in self.root_moves(position)[:MAX_REPORT_LINES]]

    def _make_line(self, root_move: RootMove) -> Line:
        moves = tuple(self.game.move_texts[move] for move in self.search.principal_variation(root_move.move))
        return Line(moves, root_move.visits, root_move.value, "estimate" if root_move.proven == ONGOING else "proven")

    def new_game(self, seed: int) -> None:
        """Forget the tree and begin the chances anew."""
        self.search.reset(seed)
        self.rng.seed(seed)


DEFAULT_GUIDED_VISITS = 20_000  # a move, when nothing else is said


class GuidedMctsBot(MctsBot):
    """Monte Carlo tree search with a net as its advisor; thinks in one thread."""

    def __init__(
        self,
        game: Game,
        net_path: Path,
        params: MctsParams,
        guidance: GuidanceParams,
        visits: int = DEFAULT_GUIDED_VISITS,
        name: str = "",
    ) -> None:
        self.guidance = guidance
        self.evaluator = OnnxEvaluator(game, net_path)
        self.net = file_sha256(net_path)
        super().__init__(game, name or f"advised by {net_path.stem}", params, visits)

    def _make_search(self, params: MctsParams, threads: int, seed: int) -> MctsSearch:
        return GuidedMctsSearch(self.game, params, self.guidance, self.evaluator, seed=seed)


DEFAULT_NET_VISITS = 200  # a move, when nothing else is said


class NetBot(TreeSearchBot):
    """Searches with a net; thinks in one thread."""

    def __init__(self, game: Game, net_path: Path, visits: int = DEFAULT_NET_VISITS, name: str = "") -> None:
        self.game = game
        self.name = name or f"net {net_path.stem}"
        self.default_visits = visits
        self.budget = f"{visits:,} evaluations a move"
        self.search: GumbelSearch = GumbelSearch(game, OnnxEvaluator(game, net_path))
        self.net = file_sha256(net_path)

    def new_game(self, seed: int) -> None:
        """Forget the tree."""
        self.search.reset()

    def _make_lines(self, position: Position) -> list[Line]:
        unvisited = [GumbelRootMove(int(position.move_ids()[0]), 0, 0.5, 1.0, False)]
        return [
            self._make_line(root_move)
            for root_move in (self.search.root_moves(position.seat or 0) or unvisited)[:MAX_REPORT_LINES]
        ]

    def _make_line(self, root_move: GumbelRootMove) -> Line:
        moves = [self.game.move_texts[move] for move in self.search.principal_variation(root_move.move) or [root_move.move]]
        return Line(tuple(moves), root_move.visits, root_move.value, "proven" if root_move.is_final else "estimate")


def make_net_bot(game: Game, path: str = "") -> NetBot:
    """The bot with the net of a file, or with the one that comes with the package."""
    return NetBot(game, resolve_net_path(game, path))
