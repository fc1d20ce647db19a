"""Analysis of many positions at once, in lines of JSON, in the manner of KataGo's; `docs/engine.md` is its manual."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from threading import Event, Thread
from typing import Any

from .. import __version__
from ..bots.bot import Bot, Line, Report
from ..bots.levels import bot
from ..errors import PositionError, SpecError, ellipsis
from ..games.game import Game, Position
from ..games.registry import game as game_of
from .desk import Desk
from .following import MoveRefused, opened, play_on
from .lines import LONGEST_LINE, Heard, Speaker, listen
from .queries import Action, Query, QueryError, read_fields, read_id, read_query, refused_move
from .warming import warm_bot

KEPT_BOTS = 4  # of a worker: each has memory of its own
DIGITS = 4  # of a value
GLANCE = 0.2  # seconds between two looks at whether somebody has interrupted us
SWITCH = 0.0005  # seconds that a thread may keep others from Python: who listens must not wait for who reports
SEED = 0  # of every query, so that the same question gets the same answer


class Analysis:
    """Hears queries in one thread, answers them in others."""

    def __init__(self, games: Sequence[Game], level: int, workers: int, room: int, speaker: Speaker) -> None:
        self.games = {game.spec: game for game in games}
        self.level = level
        self.workers = workers
        self.ends: list[Event] = []  # of the workers that are at work
        self.desk = Desk(room)
        self.speaker = speaker

    def run(self) -> None:
        """Answer until the input ends and nothing is left; whoever interrupts us gets what is known so far."""
        sys.setswitchinterval(SWITCH)
        self.speaker.cut = self.stop
        listen(self.hear, self.desk.close)
        try:
            self.prepare()
            self.start()
            self.wait()
        except KeyboardInterrupt:
            self.stop()
            self.wait()
            raise
        self.speaker.refuse_cut()

    def prepare(self) -> None:
        """Compile what the games need, before many threads want it at once."""
        for game in self.games.values():
            warm_bot(game, self.level).close()

    def start(self) -> None:
        """Set the workers to work."""
        for _ in range(self.workers):
            end = Event()
            Thread(target=self.work, args=(end,), daemon=True).start()
            self.ends.append(end)

    def wait(self) -> None:
        """Wait until all work is done."""
        for end in self.ends:  # not by `join`: when that is interrupted, Python takes the thread for dead
            while not end.wait(GLANCE):
                pass

    def stop(self) -> None:
        """Answer everything now, and take nothing more."""
        self.desk.close()
        self.terminate(self.desk.find())

    # What the listening thread does

    def hear(self, line: Heard) -> None:
        """Take a line in."""
        asked: Mapping[str, Any] = {}
        try:
            if line.text:
                asked = self.fields_of(line)
                self.take(read_query(asked))
        except Exception as error:  # whatever is said, the next line is heard
            self.say(refusal(id_of(asked), error))

    def fields_of(self, line: Heard) -> Mapping[str, Any]:
        """The fields of a line that is not too long."""
        if not line.is_whole:
            raise QueryError("line-too-long", f"a line has at most {LONGEST_LINE} bytes, this one is longer")
        return read_fields(line.text)

    def take(self, asked: Query | Action) -> None:
        """Hand a query in, or act."""
        if isinstance(asked, Query):
            self.game_of(asked)
            self.desk.add(asked)
        elif asked.action == "query_version":
            about = {"version": __version__, "specs": list(self.games), "level": self.level, "workers": self.workers}
            self.say(asked.echo() | about)
        else:
            meant = self.desk.find(asked.terminate_id)
            self.say(asked.echo() | {"terminated": len(meant)})
            self.terminate(meant)

    def terminate(self, queries: Iterable[Query]) -> None:
        """Have some queries answered now."""
        for query in self.desk.withdraw(queries):
            self.say(cut_short(query))

    def game_of(self, query: Query) -> Game:
        """The game that a query is about."""
        if query.spec is None and len(self.games) == 1:
            return next(iter(self.games.values()))
        served = ", ".join(self.games)
        if query.spec is None:
            raise QueryError("bad-spec", f'a query needs a "spec", one of {served}', "spec")
        try:
            spec = game_of(query.spec).spec
        except SpecError as error:
            raise QueryError("bad-spec", str(error), "spec") from None
        if spec not in self.games:
            raise QueryError("spec-not-served", f"{ellipsis(spec)} is not served here: {served}", "spec")
        return self.games[spec]

    # What the workers do

    def work(self, end: Event) -> None:
        """Answer one query after another."""
        bots: dict[str, Bot] = {}
        for game in list(self.games.values())[:KEPT_BOTS]:  # now: a bot that is still being made cannot be stopped
            self.player(game, bots)
        while (query := self.desk.take()) is not None:
            try:
                answer = self.answer(query, bots)
            except Exception as error:  # a fault of ours shall not leave others without an answer
                answer = refusal(query.id, error)
            self.desk.settle(query)
            self.say(answer)
        for made in bots.values():
            made.close()
        end.set()

    def answer(self, query: Query, bots: dict[str, Bot]) -> dict[str, Any]:
        """Think about a query, and say so meanwhile if that is wanted."""
        position = placed(self.game_of(query), query)
        player = self.player(position.game, bots)
        player.new_game(SEED)
        reported = time.monotonic()
        for report in player.analyse(position, query.limit()):
            if query.every is not None and time.monotonic() - reported >= query.every:
                reported = time.monotonic()
                self.say(described(query, position, report, is_during=True))
        return described(query, position, report, is_during=False)

    def player(self, game: Game, bots: dict[str, Bot]) -> Bot:
        """A worker's bot for a game; those used longest ago make room."""
        made = bots.pop(game.spec, None) or bot(game, self.level)
        while len(bots) >= KEPT_BOTS:
            bots.pop(next(iter(bots))).close()
        bots[game.spec] = made
        return made

    def say(self, answer: Mapping[str, Any]) -> None:
        """One line."""
        self.speaker.say(json.dumps(answer))


def id_of(fields: Mapping[str, Any]) -> str | None:
    """The id of a query that may be wrong in every way."""
    try:
        return read_id(fields)
    except QueryError:
        return None


def refusal(name: str | None, error: Exception) -> dict[str, Any]:
    """A refusal as an answer."""
    if not isinstance(error, QueryError):
        error = QueryError("internal", f"{type(error).__name__}: {error}")
    details = {"field": error.wrong, "reason": error.reason}
    return {"id": name, "code": error.code, "error": str(error)} | {key: value for key, value in details.items() if value}


def placed(game: Game, query: Query) -> Position:
    """The position that a query is about; one in which there is something to think about."""
    try:
        position = play_on([opened(game, query.position)], query.moves)[-1]
    except PositionError as error:
        raise QueryError("bad-position", str(error), "position") from None
    except MoveRefused as error:
        raise refused_move(error) from None
    if position.outcome is not None:
        raise QueryError("game-over", f"the game is over: {position.outcome.words}")
    return position


def described(query: Query, position: Position, report: Report, *, is_during: bool) -> dict[str, Any]:
    """A report as an answer; its values are those of the seat to move."""
    if report.visits == 0:
        return cut_short(query)
    answer = {
        "id": query.id,
        "isDuringSearch": is_during,
        "spec": position.game.spec,
        "seat": report.seat,
        "colour": position.colours[report.seat],
        "value": round(report.value, DIGITS),
        "kind": report.kind,
        "visits": report.visits,
        "seconds": round(report.seconds, DIGITS),
        "lines": [line_of(line) for line in report.lines[: query.lines]],
    }
    return answer | ({"terminated": True} if query.cancelled.is_set() and not is_during else {})


def cut_short(query: Query) -> dict[str, Any]:
    """The answer to a query that nobody has thought about."""
    return {"id": query.id, "isDuringSearch": False, "noResults": True, "terminated": True}


def line_of(line: Line) -> dict[str, Any]:
    """A line of play."""
    return {
        "move": line.moves[0],
        "value": round(line.value, DIGITS),
        "kind": line.kind,
        "visits": line.visits,
        "moves": list(line.moves),
    }
