"""Eight levels for each game: which search, how much of it, and how often it slips.

Levels are measured against the one below; `docs/ladder.md` has the figures. The eighth asks a net, the seventh is the
strongest without one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..games.game import Game
from ..games.registry import spec_of
from ..search.uct import MctsParams
from .alpha_beta_bot import AlphaBetaBot
from .bot import Bot, BotError
from .tree_bot import TreeBot

PLAIN = MctsParams(exploration=0.7, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=0)
LARIAT = MctsParams(
    exploration=0.05, first_play_urgency=0.5, rave_equivalence=300.0, expansion_threshold=10, heavy_rollout=1
)
CUBE = LARIAT._replace(rave_equivalence=1000.0)
TETHER = LARIAT._replace(exploration=0.1, rave_equivalence=3000.0)
LAOCOON = MctsParams(exploration=0.4, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=16)
PLAIN_VISITS = 10_000


@dataclass(frozen=True)
class Playouts:
    """A level that plays out at random what it has come to."""

    visits: int
    tuning: MctsParams
    slip: float = 0.0

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level."""
        return TreeBot(game, name, self.tuning, self.visits, slip=self.slip, threads=threads)


@dataclass(frozen=True)
class AlphaBeta:
    """A level that looks ahead and evaluates."""

    positions: int

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level; it thinks in one thread."""
        return AlphaBetaBot(game, name, self.positions)


@dataclass(frozen=True)
class Net:
    """A level that looks for a proof that it wins, and else asks a net about every position that it comes to."""

    evaluations: int
    positions: int  # of the proof

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level; it thinks in one thread."""
        from .net_bot import NetBot, net_file

        return after_a_proof(self.positions, NetBot(game, net_file(game), self.evaluations, name), self.evaluations)


@dataclass(frozen=True)
class Advised:
    """A level that looks for a proof that it wins, and else plays out, and asks a net about the positions that count."""

    visits: int
    positions: int  # of the proof

    def make(self, game: Game, name: str, threads: int) -> Bot:
        """The bot of this level; it thinks in one thread."""
        from .advised_bot import AdvisedBot, tuned
        from .net_bot import net_file

        thinker = AdvisedBot(game, net_file(game), *tuned(game), self.visits, name)
        return after_a_proof(self.positions, thinker, self.visits)


def after_a_proof(positions: int, thinker: Bot, usual: int) -> Bot:
    """A bot that thinks only where so many positions do not prove that it wins."""
    from .prover_bot import ProverBot
    from .scouted_bot import ScoutedBot

    return ScoutedBot(ProverBot(thinker.game, thinker.name, positions), positions, thinker, usual)


Level = Playouts | AlphaBeta | Net | Advised


def playouts(tuning: MctsParams, *visits: int) -> tuple[Level, ...]:
    """Levels that differ in how much they think; the three weakest also slip."""
    quick = tuning._replace(expansion_threshold=1)
    slips = (Playouts(30, quick, slip=0.1), Playouts(50, quick, slip=0.05), Playouts(80, quick, slip=0.025))
    return (*slips, *(Playouts(count, tuning) for count in visits))


UNTUNED = playouts(PLAIN, 300, 1_000, 4_000, 16_000, 64_000)  # for a game that nobody has measured yet
LEVELS: dict[str, tuple[Level, ...]] = {
    "lariat": (*playouts(LARIAT, 120, 600, 3_500, 25_000), Net(400, 50_000)),
    "cube-lariat": (*playouts(CUBE, 300, 1_000, 4_000, 16_000), Net(400, 50_000)),
    "tether": (*playouts(TETHER, 120, 400, 1_500, 6_000), Net(400, 50_000)),
    "laocoon": (*playouts(LAOCOON, 300, 1_000, 4_000, 16_000), Advised(64_000, 50_000)),
    "liger": (
        Playouts(30, PLAIN, slip=0.15),
        Playouts(100, PLAIN, slip=0.06),
        *(AlphaBeta(positions) for positions in (100, 500, 3_000, 20_000, 120_000)),
        Net(600, 50_000),
    ),
}


def bot(game: Game, level: int, *, threads: int = 1) -> Bot:
    """The bot of a level, 1 (a beginner) to 8."""
    levels = LEVELS.get(spec_of(game.spec).key, UNTUNED)
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= len(levels):
        raise BotError(f"{game.name} has levels 1 to {len(levels)}, not {level!r}")
    return levels[level - 1].make(game, f"level {level}", threads)


def level_named(game: Game, number: str) -> Bot:
    """The bot of a level that was written as a text."""
    return bot(game, int(number))


def plain(game: Game) -> Bot:
    """Tree search with uniformly random playouts and nothing else: what the levels are measured against."""
    return TreeBot(game, "uct", PLAIN, PLAIN_VISITS)
