"""Bots that play out, and ask a net about the positions that count."""

from __future__ import annotations

from pathlib import Path

from ..games.game import Game
from ..games.registry import spec_of
from ..nets.card import file_sha256
from ..nets.player import OnnxEvaluator
from ..search.advised import GuidanceParams
from ..search.advised_search import GuidedMctsSearch
from ..search.tree_search import MctsSearch
from ..search.uct import MctsParams
from .levels import CUBE, LAOCOON, LARIAT, PLAIN, TETHER
from .net_bot import net_file
from .tree_bot import TreeBot

VISITS = 20_000  # a move, when nothing else is said
UNTUNED = (
    PLAIN,
    GuidanceParams(eval_threshold=30, prior_weight=1.0, exploration=0.1, value_weight=20),
)  # for a game that nobody has measured yet
TUNED = {  # Cube's and laoCoon's by a few matches (docs/search.md); Lariat's and Tether's are Cube's
    "lariat": (LARIAT, GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.05, value_weight=100)),
    "cube-lariat": (CUBE, GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.05, value_weight=100)),
    "tether": (TETHER, GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.1, value_weight=100)),
    "laocoon": (LAOCOON, GuidanceParams(eval_threshold=300, prior_weight=1.0, exploration=0.1, value_weight=300)),
}


class AdvisedBot(TreeBot):
    """Monte Carlo tree search with a net as its advisor; thinks in one thread."""

    def __init__(
        self, game: Game, path: Path, tuning: MctsParams, guidance: GuidanceParams, visits: int = VISITS, name: str = ""
    ) -> None:
        self.guidance = guidance
        self.judge = OnnxEvaluator(game, path)
        self.net = file_sha256(path)
        super().__init__(game, name or f"advised by {path.stem}", tuning, visits)

    def _search(self, tuning: MctsParams, threads: int, seed: int) -> MctsSearch:
        return GuidedMctsSearch(self.game, tuning, self.guidance, self.judge, seed=seed)


def advised_named(game: Game, path: str = "") -> AdvisedBot:
    """The bot with the net of a file, or with the one that comes with the package."""
    return AdvisedBot(game, net_file(game, path), *tuned(game))


def tuned(game: Game) -> tuple[MctsParams, GuidanceParams]:
    """How a game is best played out, and how much a net's advice counts in it."""
    return TUNED.get(spec_of(game.spec).key, UNTUNED)
