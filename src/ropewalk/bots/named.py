"""Bots by name: `level-3`, `uct@0.1s`, `net:FILE@200`, `advised@0.3s`, `greedy@50`, `ugi:COMMAND`, `py:MODULE:FUNCTION`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import did_you_mean, ellipsis
from .bot import Bot, BotError, Limit, Report

if TYPE_CHECKING:
    from ..games.game import Game, Position

LONGEST_NAME = 1000


@dataclass(frozen=True)
class Kind:
    """A kind of bot: who makes it from a game (`module:callable`), and the argument that it takes, if any."""

    maker: str
    argument: str = ""  # its name in help, for example COMMAND; the maker gets its text after the game
    optional: bool = False  # whether it can be left out


KINDS = {
    "level": Kind("ropewalk.bots.levels:level_named", argument="N"),
    "uct": Kind("ropewalk.bots.levels:plain"),
    "net": Kind("ropewalk.bots.net_bot:net_named", argument="FILE", optional=True),
    "advised": Kind("ropewalk.bots.advised_bot:advised_named", argument="FILE", optional=True),
    "random": Kind("ropewalk.bots.simple:RandomBot"),
    "greedy": Kind("ropewalk.bots.simple:GreedyBot"),
    "ugi": Kind("ropewalk.bots.external:ExternalBot", argument="COMMAND"),
    "py": Kind("ropewalk.bots.named:made_by_python", argument="MODULE:FUNCTION"),
}

LEVEL = re.compile(r"(?:level-)?(\d{1,3})", re.ASCII)  # a level's number is enough
BUDGET = re.compile(r"(.*)@(?:(\d{1,9}(?:\.\d{1,9})?)s|(\d{1,12}))", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class BotName:
    """A bot's name taken apart."""

    text: str
    kind: str
    argument: str
    limit: Limit | None  # of every move; None: what the bot itself thinks right

    def make(self, game: Game) -> Bot:
        """The bot, which gets its limit from whoever asks it for a move."""
        kind = KINDS[self.kind]
        arguments = [self.argument] if self.argument else []
        made: Bot = named(kind.maker)(game, *arguments)
        return made

    @property
    def budget(self) -> str:
        """The limit in words, "" for none."""
        if self.limit is None:
            return ""
        return f"{self.limit.seconds:g} s" if self.limit.seconds is not None else f"{self.limit.visits} visits"


def bot_named(game: Game, text: str) -> Bot:
    """The bot that a text names; a budget in the name holds wherever no other limit is given."""
    name = read_name(text)
    bot = name.make(game)
    return bot if name.limit is None else Budgeted(bot, name, name.limit)


def read_name(text: str) -> BotName:
    """Take a name apart, or say what names look like. No bot is made yet."""
    if len(text) > LONGEST_NAME:
        raise BotError(f"a bot's name has at most {LONGEST_NAME} characters, this one {len(text)}")
    base, limit = text, None
    if found := BUDGET.fullmatch(text):
        base, seconds, visits = found.groups()
        limit = Limit(seconds=float(seconds)) if seconds else Limit(visits=int(visits))
    if level := LEVEL.fullmatch(base):
        base = f"level:{level[1]}"
    kind, colon, argument = base.partition(":")
    if kind not in KINDS:
        raise BotError(f"{ellipsis(text)} is not a bot; there are {listed_kinds()}{did_you_mean(kind, KINDS)}")
    wants = KINDS[kind]
    fits = bool(argument) == bool(wants.argument) or (wants.optional and not argument)
    if not fits or (colon and not argument):
        raise BotError(f"{ellipsis(text)} should be {spelt(kind)}, with a budget such as @0.1s or @5000 if you like")
    return BotName(text, kind, argument, limit)


def listed_kinds() -> str:
    """All kinds as they are spelt."""
    return ", ".join(map(spelt, KINDS))


def spelt(kind: str) -> str:
    """How a kind is written."""
    if kind == "level":
        return "level-N"
    if KINDS[kind].optional:
        return f"{kind} or {kind}:{KINDS[kind].argument}"
    return f"{kind}:{KINDS[kind].argument}" if KINDS[kind].argument else kind


def named(path: str) -> Callable[..., Any]:
    """What `module:callable` names."""
    module, _, name = path.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def made_by_python(game: Game, path: str) -> Bot:
    """A bot from a Python function of a game; its module may lie in the current folder."""
    if ":" not in path:
        raise BotError(f"py:{path} should be py:MODULE:FUNCTION")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        bot = named(path)(game)
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"py:{path} makes no bot: {type(error).__name__}: {error}") from error
    if not isinstance(bot, Bot):
        raise BotError(f"py:{path} makes no bot: it returned {ellipsis(repr(bot))}")
    return bot


class Budgeted(Bot):
    """A bot with a limit of its own, for when none is given."""

    def __init__(self, bot: Bot, name: BotName, limit: Limit) -> None:
        self.bot = bot
        self.game = bot.game
        self.limit = limit
        self.net = bot.net
        self.name = f"{bot.name}, {name.budget}"
        self.budget = name.budget

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while it thinks."""
        return self.bot.analyse(position, self.within(limit))

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The step that it plays."""
        return self.bot.choose(position, self.within(limit))

    def within(self, limit: Limit | None) -> Limit:
        """The limit that holds: one that says neither time nor visits can still be cancelled."""
        if limit is None:
            return self.limit
        return replace(self.limit, cancelled=limit.cancelled) if limit.seconds is limit.visits is None else limit

    def new_game(self, seed: int) -> None:
        """Forget what was thought before."""
        self.bot.new_game(seed)

    def close(self) -> None:
        """Give back processes and memory."""
        self.bot.close()
