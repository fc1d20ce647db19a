"""Bots that ask a net."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from ..games.game import Game, Position
from ..games.registry import entry_of
from ..nets.player import NetError, NetPlayer
from ..search.net_search import Branch, NetSearch
from .bot import Bot, Limit, Line, Report, refuse_finished

BETWEEN_REPORTS = 0.2  # seconds
LINES = 5  # in a report
VISITS = 200  # a move, when nothing else is said
SHIPPED = Path(__file__).parent.parent / "nets" / "weights"


class NetBot(Bot):
    """Searches with a net; thinks in one thread."""

    def __init__(self, game: Game, path: Path, visits: int = VISITS) -> None:
        self.game = game
        self.name = f"net {path.stem}"
        self.visits = visits
        self.budget = f"{visits:,} evaluations a move"
        self.search = NetSearch(game, NetPlayer(game, path))

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while the tree grows."""
        refuse_finished(position)
        began = reported = time.monotonic()
        growing = self._grow(position, limit)
        kept = self.search.visits
        for _ in growing:
            if time.monotonic() - reported > BETWEEN_REPORTS:
                reported = time.monotonic()
                yield self._report(position, reported - began, kept)
        yield self._report(position, time.monotonic() - began, kept)

    def new_game(self, seed: int) -> None:
        """Forget the tree."""
        self.search.forget()

    def _grow(self, position: Position, limit: Limit | None) -> Iterator[None]:
        limit = limit or Limit(visits=self.visits)
        visits = self.visits if limit.seconds is limit.visits is None else limit.visits
        self.search.look_at(position)
        return self.search.run(limit.seconds, visits, limit.cancelled)

    def _report(self, position: Position, seconds: float, kept: int) -> Report:
        seat = position.seat or 0
        branches = self.search.branches(seat) or [Branch(int(position.move_ids()[0]), 0, 0.5, 1.0, False)]
        lines = tuple(self._line(branch) for branch in branches[:LINES])
        return Report(
            seat=seat,
            value=lines[0].value,
            kind=lines[0].kind,
            visits=self.search.visits,
            seconds=seconds,
            lines=lines,
            kept=kept,
        )

    def _line(self, branch: Branch) -> Line:
        moves = [self.game.move_texts[move] for move in self.search.line(branch.move) or [branch.move]]
        return Line(tuple(moves), branch.visits, branch.value, "proven" if branch.is_final else "estimate")


def net_named(game: Game, path: str = "") -> NetBot:
    """The bot with the net of a file, or with the one that comes with the package."""
    if path:
        return NetBot(game, Path(path))
    shipped = SHIPPED / f"{entry_of(game.spec).key}.onnx"
    if not shipped.exists():
        raise NetError(f"no net for {game.name} comes with this version; name a file, as in net:run/lariat.onnx")
    return NetBot(game, shipped)
