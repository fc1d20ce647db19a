"""Bot levels: builds the bots that a game's declaration (`GameSpec.bots`) describes.

Each level is measured against the one below; `docs/ladder.md` has the figures.
"""

from __future__ import annotations

from ..games.definition import (
    DEFAULT_MCTS,
    AlphaBetaLevel,
    GuidanceParams,
    GuidedLevel,
    LevelSpec,
    MctsLevel,
    MctsParams,
    NetLevel,
    PolicyLevel,
)
from ..games.game import Game
from ..nets.onnx_evaluator import resolve_net_path
from .alpha_beta_bot import AlphaBetaBot
from .bot import Bot, BotError
from .policy_bot import PolicyBot
from .tree_bots import GuidedMctsBot, MctsBot, NetBot

BASELINE_VISITS = 10_000


def bot(game: Game, level: int, *, threads: int = 1) -> Bot:
    """Return the bot of a level.

    Args:
        game: The game that the bot plays.
        level: The strength, from 1 (beginner) to the number of levels of the game, usually 8.
        threads: Number of search threads; only MCTS levels use more than one.

    Returns:
        A new bot. Call its `close` method when it is no longer needed.

    Raises:
        BotError: The game has no such level.
    """
    levels = game.definition.bots.levels
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= len(levels):
        raise BotError(f"invalid level {level!r}; {game.name} has levels 1 to {len(levels)}")
    return build_bot(game, levels[level - 1], f"level {level}", threads)


def build_bot(game: Game, level: LevelSpec, name: str, threads: int) -> Bot:
    """Return the bot that a level describes; only MCTS levels use more than one thread."""
    match level:
        case PolicyLevel(temperature, lookahead_turns):
            return PolicyBot(game, resolve_net_path(game), name, temperature, lookahead_turns)
        case MctsLevel(visits, params, temperature, proof_nodes):
            searcher: Bot = MctsBot(game, name, params, visits, softmax_temperature=temperature, threads=threads)
            return add_proof_search(proof_nodes, searcher, visits)
        case AlphaBetaLevel(nodes, proof_nodes):
            return add_proof_search(proof_nodes, AlphaBetaBot(game, name, nodes), nodes)
        case NetLevel(evaluations, proof_nodes):
            searcher = NetBot(game, resolve_net_path(game), evaluations, name)
            return add_proof_search(proof_nodes, searcher, evaluations)
        case GuidedLevel(visits, proof_nodes):
            searcher = GuidedMctsBot(game, resolve_net_path(game), *get_guided_params(game), visits, name)
            return add_proof_search(proof_nodes, searcher, visits)


def add_proof_search(proof_nodes: int, searcher: Bot, search_visits: int) -> Bot:
    """Return a bot that looks for a proof within `proof_nodes` positions before it searches; for 0 the searcher itself."""
    if proof_nodes == 0:
        return searcher
    from .proof_bots import ProofBot, ProofThenSearchBot

    return ProofThenSearchBot(ProofBot(searcher.game, searcher.name, proof_nodes), proof_nodes, searcher, search_visits)


def make_level_bot(game: Game, level: str) -> Bot:
    """Return the bot of a level given as text."""
    return bot(game, int(level))


def baseline_uct(game: Game) -> Bot:
    """Return plain UCT with uniform rollouts, against which the levels are measured."""
    return MctsBot(game, "uct", DEFAULT_MCTS, BASELINE_VISITS)


def make_guided_bot(game: Game, path: str = "") -> GuidedMctsBot:
    """Return MCTS guided by the net of a file, or by the bundled net."""
    return GuidedMctsBot(game, resolve_net_path(game, path), *get_guided_params(game))


def get_guided_params(game: Game) -> tuple[MctsParams, GuidanceParams]:
    """Return the declared parameters of MCTS and of its guidance by a net."""
    return game.definition.mcts, game.definition.guidance
