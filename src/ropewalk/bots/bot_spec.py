"""Bot specs: names of bots on the command line and in result files, with an optional budget for a move.

`level-3` (or `3`), `uct@0.1s`, `net:FILE@200`, `guided@0.3s`, `flat-mc@50`, `random`, `ugi:COMMAND`,
`py:MODULE:FUNCTION`.
"""

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
    from ..games.game import Game
    from ..games.position import Position

MAX_SPEC_LENGTH = 1000


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: its factory, and the argument that the spec takes."""

    factory: str  # module:callable, called with the game and the argument
    argument: str = ""  # its name in help, for example COMMAND; "" for none
    optional: bool = False  # whether the argument may be omitted


BOT_KINDS = {
    "level": BotKind("ropewalk.bots.levels:make_level_bot", argument="N"),
    "uct": BotKind("ropewalk.bots.levels:baseline_uct"),
    "net": BotKind("ropewalk.bots.tree_bots:make_net_bot", argument="FILE", optional=True),
    "guided": BotKind("ropewalk.bots.levels:make_guided_bot", argument="FILE", optional=True),
    "random": BotKind("ropewalk.bots.baseline:RandomBot"),
    "flat-mc": BotKind("ropewalk.bots.baseline:FlatMonteCarloBot"),
    "ugi": BotKind("ropewalk.bots.ugi_client:UgiBot", argument="COMMAND"),
    "py": BotKind("ropewalk.bots.bot_spec:python_bot", argument="MODULE:FUNCTION"),
}
FORMER_NAMES = {"guided": "advised", "flat-mc": "greedy"}  # also accepted: result files contain them
BOT_KINDS_BY_NAME = BOT_KINDS | {former: BOT_KINDS[kind] for kind, former in FORMER_NAMES.items()}

LEVEL_PATTERN = re.compile(r"(?:level-)?(\d{1,3})", re.ASCII)  # the number alone is a level too
BUDGET_PATTERN = re.compile(r"(.*)@(?:(\d{1,9}(?:\.\d{1,9})?)s|(\d{1,12}))", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class BotSpec:
    """A parsed bot spec."""

    text: str
    kind: str  # a key of BOT_KINDS_BY_NAME, as in the text
    argument: str  # "" for none
    limit: Limit | None  # of a move; None for the default budget of the bot

    def make(self, game: Game) -> Bot:
        """Make the bot, without the limit of the spec: the caller passes it with each search. Raises BotError."""
        bot_kind = BOT_KINDS_BY_NAME[self.kind]
        arguments = [self.argument] if self.argument else []
        bot: Bot = import_by_path(bot_kind.factory)(game, *arguments)
        return bot

    @property
    def budget(self) -> str:
        """The limit as text, "" for none. Stored in result files."""
        if self.limit is None:
            return ""
        return f"{self.limit.seconds:g} s" if self.limit.seconds is not None else f"{self.limit.visits} visits"


def make_bot(game: Game, text: str) -> Bot:
    """Make the bot of a spec; the budget in the spec applies where a search has no limit. Raises BotError."""
    bot_spec = parse_bot_spec(text)
    bot = bot_spec.make(game)
    return bot if bot_spec.limit is None else LimitedBot(bot, bot_spec, bot_spec.limit)


def parse_bot_spec(text: str) -> BotSpec:
    """Parse a bot spec without making the bot. Raises BotError with the allowed forms."""
    if len(text) > MAX_SPEC_LENGTH:
        raise BotError(f"the bot spec has {len(text)} characters; at most {MAX_SPEC_LENGTH} are allowed")
    base, limit = text, None
    if match := BUDGET_PATTERN.fullmatch(text):
        base, seconds, visits = match.groups()
        limit = Limit(seconds=float(seconds)) if seconds else Limit(visits=int(visits))
    if level_match := LEVEL_PATTERN.fullmatch(base):
        base = f"level:{level_match[1]}"
    kind, colon, argument = base.partition(":")
    if kind not in BOT_KINDS_BY_NAME:
        suggestion = did_you_mean(kind, BOT_KINDS)
        raise BotError(f"unknown bot {ellipsis(text)}; allowed are {format_bot_kinds()}{suggestion}")
    bot_kind = BOT_KINDS_BY_NAME[kind]
    is_valid = bool(argument) == bool(bot_kind.argument) or (bot_kind.optional and not argument)
    if not is_valid or (colon and not argument):
        raise BotError(
            f"invalid bot {ellipsis(text)}; expected {format_bot_kind(kind)}, "
            "optionally with a budget such as @0.1s or @5000"
        )
    return BotSpec(text, kind, argument, limit)


def format_bot_kinds() -> str:
    """Return the forms of all kinds, for error messages."""
    return ", ".join(map(format_bot_kind, BOT_KINDS))


def format_bot_kind(kind: str) -> str:
    """Return the form of a kind, for example "net or net:FILE"."""
    if kind == "level":
        return "level-N"
    bot_kind = BOT_KINDS_BY_NAME[kind]
    if bot_kind.optional:
        return f"{kind} or {kind}:{bot_kind.argument}"
    return f"{kind}:{bot_kind.argument}" if bot_kind.argument else kind


def import_by_path(path: str) -> Callable[..., Any]:
    """Import the object at `module:name`."""
    module, _, name = path.partition(":")
    target: Callable[..., Any] = getattr(import_module(module), name)
    return target


def python_bot(game: Game, path: str) -> Bot:
    """Make a bot by calling MODULE:FUNCTION with the game; modules of the current folder are found. Raises BotError."""
    if ":" not in path:
        raise BotError(f"invalid bot py:{path}; expected py:MODULE:FUNCTION")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        bot = import_by_path(path)(game)
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"cannot make the bot py:{path}: {type(error).__name__}: {error}") from error
    if not isinstance(bot, Bot):
        raise BotError(
            f"cannot make the bot py:{path}: expected a ropewalk.Bot, but the function returned {ellipsis(repr(bot))}"
        )
    return bot


class LimitedBot(Bot):
    """A bot with a default limit for searches without one."""

    def __init__(self, bot: Bot, bot_spec: BotSpec, limit: Limit) -> None:
        self.bot = bot
        self.game = bot.game
        self.limit = limit
        self.net = bot.net
        self.name = f"{bot.name}, {bot_spec.budget}"
        self.budget = bot_spec.budget

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Analyse with the default limit unless `limit` bounds time or visits."""
        return self.bot.analyse(position, self.resolve_limit(limit))

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Choose with the default limit unless `limit` bounds time or visits."""
        return self.bot.choose(position, self.resolve_limit(limit))

    def resolve_limit(self, limit: Limit | None) -> Limit:
        """Return the limit that applies; a limit without bounds contributes its cancel event and its moves."""
        if limit is None:
            return self.limit
        has_bounds = limit.seconds is not None or limit.visits is not None
        return limit if has_bounds else replace(self.limit, cancelled=limit.cancelled, moves=limit.moves)

    def new_game(self, seed: int) -> None:
        """Reset the wrapped bot."""
        self.bot.new_game(seed)

    def close(self) -> None:
        """Close the wrapped bot."""
        self.bot.close()
