"""An engine process: a line of JSON asks, a line of JSON answers, one at a time, for any game and level.

`python -m ropewalk.server.engine_pool.worker` is started by the pool, and ends when its input does. With `plain` it compiles
nothing, and so answers soon and slowly; with `polite` it lets everybody else go first.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections import OrderedDict
from collections.abc import Callable
from threading import Event, Timer
from typing import TYPE_CHECKING, Any

from ...bootstrap import block_scipy_import

if TYPE_CHECKING:
    from ...bots.bot import Bot, Limit, Report
    from ...games.position import Position

MAX_BOTS = 3  # each may hold a large tree
WORKER_NICENESS, COMPILER_NICENESS = 5, 15  # the server itself goes first
Request = dict[str, Any]


class Worker:
    """Answers questions; the bots that were used last are kept."""

    def __init__(self) -> None:
        self.bots: OrderedDict[tuple[str, int], Bot] = OrderedDict()
        self.answers: dict[str, Callable[[Request], Request]] = {
            "warm": self.warm,
            "choose": self.choose,
            "analyse": self.analyse,
        }

    def answer(self, line: str) -> Request:
        """The answer to a line; whatever is wrong is told."""
        asked = json.loads(line)
        try:
            return {"id": asked["id"]} | self.answers[asked["do"]](asked)
        except Exception as error:  # the server decides what to do about it
            return {"id": asked["id"], "error": f"{type(error).__name__}: {error}"}

    def bot(self, spec: str, level: int) -> Bot:
        """A bot, made or kept."""
        from ...bots.levels import bot
        from ...games.registry import game

        made = self.bots.pop((spec, level), None) or bot(game(spec), level)
        self.bots[spec, level] = made
        while len(self.bots) > MAX_BOTS:
            self.bots.popitem(last=False)[1].close()
        return made

    def warm(self, asked: Request) -> Request:
        """Compile or load what every level of a game needs."""
        from ...bots.bot import Limit

        for level in asked["levels"]:
            player = self.bot(asked["spec"], level)
            player.choose(player.game.start(), Limit(visits=1))
        return {"warm": asked["spec"]}

    def choose(self, asked: Request) -> Request:
        """The step that a level plays; `seconds` cut its thinking short."""
        player = self.bot(asked["spec"], asked["level"])
        player.new_game(secrets.randbelow(2**31))
        with time_limit(asked.get("seconds")) as limit:
            return {"move": player.choose(position_of(player, asked), limit), "by": describe_engine(player)}

    def analyse(self, asked: Request) -> Request:
        """What a level thinks of a position."""
        from ...bots.bot import Limit

        player = self.bot(asked["spec"], asked["level"])
        player.new_game(1)
        report = None
        for report in player.analyse(position_of(player, asked), Limit(asked.get("seconds"), asked.get("visits"))):  # noqa: B007
            pass
        assert report is not None
        return build_analysis(report, asked["lines"])


def describe_engine(player: Bot) -> dict[str, str]:
    """What a bot's move is due to: this version, and the net that it asks."""
    from ... import __version__

    return {"version": __version__} | ({"net": player.net} if player.net else {})


class time_limit:  # noqa: N801  (reads as a sentence where it is used)
    """The budget of the level, cut short after some seconds."""

    def __init__(self, seconds: float | None) -> None:
        self.cancelled = Event()
        self.timer = None if seconds is None else Timer(seconds, self.cancelled.set)

    def __enter__(self) -> Limit:
        """Start to count."""
        from ...bots.bot import Limit

        if self.timer is not None:
            self.timer.start()
        return Limit(cancelled=self.cancelled)

    def __exit__(self, *error: object) -> None:
        """Stop counting."""
        if self.timer is not None:
            self.timer.cancel()


def position_of(player: Bot, asked: Request) -> Position:
    """The position that is asked about."""
    from ...games.sequence import MoveSequence

    return MoveSequence.parse(player.game, asked.get("position"), asked["moves"]).position


def build_analysis(report: Report, lines: int) -> Request:
    """A report as JSON."""
    shown = [
        {"moves": list(line.moves), "value": round(line.value, 4), "certainty": line.certainty, "visits": line.visits}
        for line in report.lines[:lines]
    ]
    return {
        "seat": report.seat,
        "value": round(report.value, 4),
        "certainty": report.certainty,
        "visits": report.visits,
        "lines": shown,
    }


def main() -> None:
    """Answer until the input ends."""
    block_scipy_import()
    if "plain" in sys.argv:
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # read when numba is imported, with the first question
    if hasattr(os, "nice"):
        os.nice(COMPILER_NICENESS if "polite" in sys.argv else WORKER_NICENESS)
    worker = Worker()
    for line in sys.stdin:
        print(json.dumps(worker.answer(line)), flush=True)


if __name__ == "__main__":
    main()
