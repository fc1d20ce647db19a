"""Eight levels for each game: which search, how much of it, and how often it slips.

Levels are measured against the one below; `docs/ladder.md` has the figures. The eighth asks a net, the seventh is the
strongest without one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..games.definition import GuidanceParams, MctsParams
from ..games.game import Game
from ..games.registry import spec_of
from ..nets.onnx_evaluator import resolve_net_path
from .alpha_beta_bot import AlphaBetaBot
from .bot import Bot, BotError
from .tree_bots import GuidedMctsBot, MctsBot

PLAIN_UCT_PARAMS = MctsParams(
    exploration=0.7, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=0
)

LARIAT_PARAMS = MctsParams(
    exploration=0.05, first_play_urgency=0.5, rave_equivalence=300.0, expansion_threshold=10, heavy_rollout=1
)

CUBE_LARIAT_PARAMS = LARIAT_PARAMS._replace(rave_equivalence=1000.0)

TETHER_PARAMS = LARIAT_PARAMS._replace(exploration=0.1, rave_equivalence=3000.0)

LAOCOON_PARAMS = MctsParams(
    exploration=0.4, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=16
)

BASELINE_VISITS = 10_000
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


@dataclass(frozen=True)
class MctsLevel:
    """A level that plays out at random what it has come to."""

    visits: int
    params: MctsParams
    softmax_temperature: float = 0.0

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level."""
        return MctsBot(game, name, self.params, self.visits, softmax_temperature=self.softmax_temperature, threads=threads)


@dataclass(frozen=True)
class AlphaBetaLevel:
    """A level that looks ahead and evaluates."""

    nodes: int

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level; it thinks in one thread."""
        return AlphaBetaBot(game, name, self.nodes)


@dataclass(frozen=True)
class NetLevel:
    """A level that looks for a proof that it wins, and else asks a net about every position that it comes to."""

    evaluations: int
    proof_nodes: int  # of the proof

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level; it thinks in one thread."""
        from ..nets.onnx_evaluator import resolve_net_path
        from .tree_bots import NetBot

        return add_proof_search(
            self.proof_nodes, NetBot(game, resolve_net_path(game), self.evaluations, name), self.evaluations
        )


@dataclass(frozen=True)
class GuidedLevel:
    """A level that looks for a proof that it wins, and else plays out, and asks a net about the positions that count."""

    visits: int
    proof_nodes: int  # of the proof

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level; it thinks in one thread."""
        from ..nets.onnx_evaluator import resolve_net_path
        from .tree_bots import GuidedMctsBot

        searcher = GuidedMctsBot(game, resolve_net_path(game), *get_guided_params(game), self.visits, name)
        return add_proof_search(self.proof_nodes, searcher, self.visits)


def add_proof_search(proof_nodes: int, searcher: Bot, search_visits: int) -> Bot:
    """A bot that thinks only where so many positions do not prove that it wins."""
    from .proof_bots import ProofBot, ProofThenSearchBot

    return ProofThenSearchBot(ProofBot(searcher.game, searcher.name, proof_nodes), proof_nodes, searcher, search_visits)


LevelSpec = MctsLevel | AlphaBetaLevel | NetLevel | GuidedLevel


def make_mcts_levels(params: MctsParams, *visits: int) -> tuple[LevelSpec, ...]:
    """Levels that differ in how much they think; the three weakest also slip."""
    weak_params = params._replace(expansion_threshold=1)
    weak_levels = (
        MctsLevel(30, weak_params, softmax_temperature=0.1),
        MctsLevel(50, weak_params, softmax_temperature=0.05),
        MctsLevel(80, weak_params, softmax_temperature=0.025),
    )
    return (*weak_levels, *(MctsLevel(count, params) for count in visits))


DEFAULT_LEVELS = make_mcts_levels(
    PLAIN_UCT_PARAMS, 300, 1_000, 4_000, 16_000, 64_000
)  # for a game that nobody has measured yet

LEVELS: dict[str, tuple[LevelSpec, ...]] = {
    "lariat": (*make_mcts_levels(LARIAT_PARAMS, 120, 600, 3_500, 25_000), NetLevel(400, 50_000)),
    "cube-lariat": (*make_mcts_levels(CUBE_LARIAT_PARAMS, 300, 1_000, 4_000, 16_000), NetLevel(400, 50_000)),
    "tether": (*make_mcts_levels(TETHER_PARAMS, 120, 400, 1_500, 6_000), NetLevel(400, 50_000)),
    "laocoon": (*make_mcts_levels(LAOCOON_PARAMS, 300, 1_000, 4_000, 16_000), GuidedLevel(64_000, 50_000)),
    "liger": (
        MctsLevel(30, PLAIN_UCT_PARAMS, softmax_temperature=0.15),
        MctsLevel(100, PLAIN_UCT_PARAMS, softmax_temperature=0.06),
        *(AlphaBetaLevel(positions) for positions in (100, 500, 3_000, 20_000, 120_000)),
        NetLevel(600, 50_000),
    ),
}


def bot(game: Game, level: int, *, threads: int = 1) -> Bot:
    """The bot of a level, 1 (a beginner) to 8."""
    levels = LEVELS.get(spec_of(game.spec).key, DEFAULT_LEVELS)
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= len(levels):
        raise BotError(f"{game.name} has levels 1 to {len(levels)}, not {level!r}")
    return levels[level - 1].make(game, f"level {level}", threads)


def make_level_bot(game: Game, level: str) -> Bot:
    """The bot of a level that was written as a text."""
    return bot(game, int(level))


def baseline_uct(game: Game) -> Bot:
    """Tree search with uniformly random playouts and nothing else: what the levels are measured against."""
    return MctsBot(game, "uct", PLAIN_UCT_PARAMS, BASELINE_VISITS)


def make_guided_bot(game: Game, path: str = "") -> GuidedMctsBot:
    """The bot with the net of a file, or with the one that comes with the package."""
    return GuidedMctsBot(game, resolve_net_path(game, path), *get_guided_params(game))


def get_guided_params(game: Game) -> tuple[MctsParams, GuidanceParams]:
    """How a game is best played out, and how much a net's advice counts in it."""
    return GUIDED_PARAMS.get(spec_of(game.spec).key, DEFAULT_GUIDED_PARAMS)
