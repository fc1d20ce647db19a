"""Bots that ask a net."""

from __future__ import annotations

from pathlib import Path

from ..games.game import Game, Position
from ..games.registry import spec_of
from ..nets.config import file_sha256
from ..nets.onnx_evaluator import NetError, OnnxEvaluator
from ..search.gumbel_search import GumbelRootMove, GumbelSearch
from .bot import Line
from .growing_bot import MAX_REPORT_LINES, TreeSearchBot

DEFAULT_NET_VISITS = 200  # a move, when nothing else is said
BUNDLED_NETS_DIR = Path(__file__).parent.parent / "nets" / "weights"


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


def resolve_net_path(game: Game, path: str = "") -> Path:
    """The file that was named, or the one that comes with the package."""
    if path:
        return Path(path)
    bundled = BUNDLED_NETS_DIR / f"{spec_of(game.spec).key}.onnx"
    if not bundled.exists():
        raise NetError(f"no net for {game.name} comes with this version; name a file, as in net:run/lariat.onnx")
    return bundled
