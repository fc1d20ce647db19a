"""Bots that play out, and ask a net about the positions that count."""

from __future__ import annotations

from pathlib import Path

from ..games.game import Game
from ..games.registry import spec_of
from ..nets.config import file_sha256
from ..nets.onnx_evaluator import OnnxEvaluator
from ..search.mcts import GuidanceParams, MctsParams
from ..search.mcts_search import GuidedMctsSearch, MctsSearch
from .levels import CUBE_LARIAT_PARAMS, LAOCOON_PARAMS, LARIAT_PARAMS, PLAIN_UCT_PARAMS, TETHER_PARAMS
from .net_bot import resolve_net_path
from .tree_bot import MctsBot

DEFAULT_GUIDED_VISITS = 20_000  # a move, when nothing else is said
DEFAULT_GUIDED_PARAMS = (
    PLAIN_UCT_PARAMS,
    GuidanceParams(eval_threshold=30, prior_weight=1.0, exploration=0.1, value_weight=20),
)  # for a game that nobody has measured yet
GUIDED_PARAMS = {  # Cube's and laoCoon's by a few matches (docs/search.md); Lariat's and Tether's are Cube's
    "lariat": (LARIAT_PARAMS, GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.05, value_weight=100)),
    "cube-lariat": (
        CUBE_LARIAT_PARAMS,
        GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.05, value_weight=100),
    ),
    "tether": (TETHER_PARAMS, GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.1, value_weight=100)),
    "laocoon": (LAOCOON_PARAMS, GuidanceParams(eval_threshold=300, prior_weight=1.0, exploration=0.1, value_weight=300)),
}


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


def make_guided_bot(game: Game, path: str = "") -> GuidedMctsBot:
    """The bot with the net of a file, or with the one that comes with the package."""
    return GuidedMctsBot(game, resolve_net_path(game, path), *get_guided_params(game))


def get_guided_params(game: Game) -> tuple[MctsParams, GuidanceParams]:
    """How a game is best played out, and how much a net's advice counts in it."""
    return GUIDED_PARAMS.get(spec_of(game.spec).key, DEFAULT_GUIDED_PARAMS)
