"""Bots that ask a net."""

from __future__ import annotations

from pathlib import Path

from ..games.game import Game, Position
from ..games.registry import spec_of
from ..nets.card import file_sha256
from ..nets.player import NetError, OnnxEvaluator
from ..search.net_search import GumbelRootMove, GumbelSearch
from .bot import Line
from .growing_bot import LINES, GrowingBot

VISITS = 200  # a move, when nothing else is said
SHIPPED = Path(__file__).parent.parent / "nets" / "weights"


class NetBot(GrowingBot):
    """Searches with a net; thinks in one thread."""

    def __init__(self, game: Game, path: Path, visits: int = VISITS, name: str = "") -> None:
        self.game = game
        self.name = name or f"net {path.stem}"
        self.visits = visits
        self.budget = f"{visits:,} evaluations a move"
        self.search: GumbelSearch = GumbelSearch(game, OnnxEvaluator(game, path))
        self.net = file_sha256(path)

    def new_game(self, seed: int) -> None:
        """Forget the tree."""
        self.search.reset()

    def _lines(self, position: Position) -> list[Line]:
        unknown = [GumbelRootMove(int(position.move_ids()[0]), 0, 0.5, 1.0, False)]
        return [self._line(branch) for branch in (self.search.root_moves(position.seat or 0) or unknown)[:LINES]]

    def _line(self, branch: GumbelRootMove) -> Line:
        moves = [self.game.move_texts[move] for move in self.search.principal_variation(branch.move) or [branch.move]]
        return Line(tuple(moves), branch.visits, branch.value, "proven" if branch.is_final else "estimate")


def net_named(game: Game, path: str = "") -> NetBot:
    """The bot with the net of a file, or with the one that comes with the package."""
    return NetBot(game, net_file(game, path))


def net_file(game: Game, path: str = "") -> Path:
    """The file that was named, or the one that comes with the package."""
    if path:
        return Path(path)
    shipped = SHIPPED / f"{spec_of(game.spec).key}.onnx"
    if not shipped.exists():
        raise NetError(f"no net for {game.name} comes with this version; name a file, as in net:run/lariat.onnx")
    return shipped
