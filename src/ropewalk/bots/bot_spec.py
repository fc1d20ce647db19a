"""Bots by name: `level-3`, `uct@0.1s`, `net:FILE@200`, `advised@0.3s`, `greedy@50`, `ugi:COMMAND`, `py:MODULE:FUNCTION`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..text import did_you_mean, ellipsis
from .bot import Bot, BotError, Limit, Report

if TYPE_CHECKING:
    from ..games.game import Game, Position

MAX_SPEC_LENGTH = 1000


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: who makes it from a game (`module:callable`), and the argument that it takes, if any."""

    factory: str
    argument: str = ""  # its name in help, for example COMMAND; the maker gets its text after the game
    optional: bool = False  # whether it can be left out


BOT_KINDS = {
    "level": BotKind("ropewalk.bots.levels:make_level_bot", argument="N"),
    "uct": BotKind("ropewalk.bots.levels:baseline_uct"),
    "net": BotKind("ropewalk.bots.tree_bots:make_net_bot", argument="FILE", optional=True),
    "advised": BotKind("ropewalk.bots.levels:make_guided_bot", argument="FILE", optional=True),
    "random": BotKind("ropewalk.bots.baseline:RandomBot"),
    "greedy": BotKind("ropewalk.bots.baseline:FlatMonteCarloBot"),
    "ugi": BotKind("ropewalk.bots.ugi_client:UgiBot", argument="COMMAND"),
    "py": BotKind("ropewalk.bots.bot_spec:python_bot", argument="MODULE:FUNCTION"),
}

LEVEL_PATTERN = re.compile(r"(?:level-)?(\d{1,3})", re.ASCII)  # a level's number is enough
BUDGET_PATTERN = re.compile(r"(.*)@(?:(\d{1,9}(?:\.\d{1,9})?)s|(\d{1,12}))", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class BotSpec:
    """A bot's name taken apart."""

    text: str
    kind: str
    argument: str
    limit: Limit | None  # of every move; None: what the bot itself thinks right

    def make(self, game: Game) -> Bot:
        """The bot, which gets its limit from whoever asks it for a move."""
        bot_kind = BOT_KINDS[self.kind]
        arguments = [self.argument] if self.argument else []
        bot: Bot = import_by_path(bot_kind.factory)(game, *arguments)
        return bot

    @property
    def budget(self) -> str:
        """The limit in words, "" for none."""
        if self.limit is None:
            return ""
        return f"{self.limit.seconds:g} s" if self.limit.seconds is not None else f"{self.limit.visits} visits"


def make_bot(game: Game, text: str) -> Bot:
    """The bot that a text names; a budget in the name holds wherever no other limit is given."""
    bot_spec = parse_bot_spec(text)
    bot = bot_spec.make(game)
    return bot if bot_spec.limit is None else LimitedBot(bot, bot_spec, bot_spec.limit)


def parse_bot_spec(text: str) -> BotSpec:
    """Take a name apart, or say what names look like. No bot is made yet."""
    if len(text) > MAX_SPEC_LENGTH:
        raise BotError(f"a bot's name has at most {MAX_SPEC_LENGTH} characters, this one {len(text)}")
    base, limit = text, None
    if match := BUDGET_PATTERN.fullmatch(text):
        base, seconds, visits = match.groups()
        limit = Limit(seconds=float(seconds)) if seconds else Limit(visits=int(visits))
    if level_match := LEVEL_PATTERN.fullmatch(base):
        base = f"level:{level_match[1]}"
    kind, colon, argument = base.partition(":")
    if kind not in BOT_KINDS:
        raise BotError(f"{ellipsis(text)} is not a bot; there are {format_bot_kinds()}{did_you_mean(kind, BOT_KINDS)}")
    bot_kind = BOT_KINDS[kind]
    is_valid = bool(argument) == bool(bot_kind.argument) or (bot_kind.optional and not argument)
    if not is_valid or (colon and not argument):
        raise BotError(
            f"{ellipsis(text)} should be {format_bot_kind(kind)}, with a budget such as @0.1s or @5000 if you like"
        )
    return BotSpec(text, kind, argument, limit)


def format_bot_kinds() -> str:
    """All kinds as they are spelt."""
    return ", ".join(map(format_bot_kind, BOT_KINDS))


def format_bot_kind(kind: str) -> str:
    """How a kind is written."""
    if kind == "level":
        return "level-N"
    if BOT_KINDS[kind].optional:
        return f"{kind} or {kind}:{BOT_KINDS[kind].argument}"
    return f"{kind}:{BOT_KINDS[kind].argument}" if BOT_KINDS[kind].argument else kind


def import_by_path(path: str) -> Callable[..., Any]:
    """What `module:callable` names."""
    module, _, name = path.partition(":")
    target: Callable[..., Any] = getattr(import_module(module), name)
    return target


def python_bot(game: Game, path: str) -> Bot:
    """A bot from a Python function of a game; its module may lie in the current folder."""
    if ":" not in path:
        raise BotError(f"py:{path} should be py:MODULE:FUNCTION")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        bot = import_by_path(path)(game)
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"py:{path} makes no bot: {type(error).__name__}: {error}") from error
    if not isinstance(bot, Bot):
        raise BotError(f"py:{path} makes no bot: it returned {ellipsis(repr(bot))}")
    return bot


class LimitedBot(Bot):
    """A bot with a limit of its own, for when none is given."""

    def __init__(self, bot: Bot, bot_spec: BotSpec, limit: Limit) -> None:
        self.bot = bot
        self.game = bot.game
        self.limit = limit
        self.net = bot.net
        self.name = f"{bot.name}, {bot_spec.budget}"
        self.budget = bot_spec.budget

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while it thinks."""
        return self.bot.analyse(position, self.resolve_limit(limit))

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The step that it plays."""
        return self.bot.choose(position, self.resolve_limit(limit))

    def resolve_limit(self, limit: Limit | None) -> Limit:
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
