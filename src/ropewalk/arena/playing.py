"""Playing one game: the bots think in turn, the arena keeps time and looks at every step."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from ..bots.bot import Bot, BotError, Limit
from ..bots.external import GRACE, LONGEST_MOVE, START_SECONDS, ExternalBot, Overtime
from ..bots.named import BotName
from ..errors import RopewalkError
from ..games.game import Game, Position
from .record import CRASH, ILLEGAL, OVERTIME, TOO_LONG, Identity
from .schedule import Fixture

LONGEST_GAME = 5000  # steps; then it is a draw
WARM_UP_STEPS, WARM_UP_VISITS = 3, 20


@dataclass
class Sitting:
    """What is known of a game under way: enough to score it should a bot take its process down."""

    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    overrun: list[float] = field(default_factory=lambda: [0.0, 0.0])
    seat: int = 0  # who is at work
    patience: float = START_SECONDS + GRACE  # how many seconds that may take before it is taken to hang


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winner: int | None
    reason: str
    words: str
    sitting: Sitting


class Fault(Exception):
    """A bot has lost by its own doing."""

    def __init__(self, seat: int, reason: str, words: str) -> None:
        super().__init__(words)
        self.seat = seat
        self.reason = reason

    def result(self, sitting: Sitting) -> Result:
        """The other seat wins."""
        return Result(1 - self.seat, self.reason, str(self), sitting)


Watcher: TypeAlias = Callable[[Sitting], None]  # called whenever a bot is about to do something


class Player:
    """A bot with its name and limit; after a fault it is made anew."""

    def __init__(self, game: Game, name: BotName) -> None:
        self.game = game
        self.name = name
        self.bot: Bot | None = None

    def ready(self) -> Bot:
        """The bot, made if there is none."""
        if self.bot is None:
            self.bot = self.name.make(self.game)
            self.warm_up(self.bot)
        return self.bot

    def warm_up(self, bot: Bot) -> None:
        """A few thoughts, so that no kernel compiles on a game's time; should they fail, so will the game, with a word."""
        if not isinstance(bot, ExternalBot):
            with suppress(Exception):
                position = self.game.start()
                for _ in range(WARM_UP_STEPS):  # a tree is first replanted at the second of them
                    position = position.play(bot.choose(position, Limit(visits=WARM_UP_VISITS)))

    def identity(self) -> Identity:
        """Who it is and what it may spend."""
        bot = self.ready()
        return Identity(self.name.text, bot.name, self.name.budget or bot.budget, bot.net)

    def patience(self) -> float:
        """How many seconds a move may take before it loses the game."""
        limit = self.name.limit
        return GRACE + (LONGEST_MOVE if limit is None or limit.seconds is None else limit.seconds)

    def overrun(self, seconds: float) -> float:
        """How far a move went beyond the limit."""
        limit = self.name.limit
        return 0.0 if limit is None or limit.seconds is None else max(0.0, seconds - limit.seconds)

    def begin(self, seed: int) -> None:
        """Begin a new game."""
        self.ready().new_game(seed)

    def choose(self, position: Position, steps: list[str]) -> str:
        """The step that the bot plays after those steps from the start."""
        bot = self.ready()
        if isinstance(bot, ExternalBot):
            bot.follow(steps)
        return bot.choose(position, self.name.limit)

    def dismiss(self) -> None:
        """Let the bot go; what it does at the end is no longer of interest."""
        bot, self.bot = self.bot, None
        with suppress(Exception):
            if bot is not None:
                bot.close()


def play(fixture: Fixture, players: tuple[Player, Player], watch: Watcher) -> Result:
    """Play a game to its end, or to the first fault."""
    sitting = Sitting()
    try:
        begin(players, fixture, sitting, watch)
        position = play_on(after(players[0].game, fixture.opening), fixture, players, sitting, watch)
    except Fault as fault:
        players[fault.seat].dismiss()
        return fault.result(sitting)
    over = position.outcome
    if over is None:
        return Result(None, TOO_LONG, f"nobody had won after {LONGEST_GAME} steps", sitting)
    return Result(over.winner, over.reason, over.words, sitting)


def after(game: Game, steps: tuple[str, ...]) -> Position:
    """The position after an opening."""
    position = game.start()
    for step in steps:
        position = position.play(step)
    return position


def begin(players: tuple[Player, Player], fixture: Fixture, sitting: Sitting, watch: Watcher) -> None:
    """Tell both bots that a new game begins, each with a seed of its own."""
    for seat, player in enumerate(players):
        sitting.seat = seat
        watch(sitting)
        try:
            player.begin(fixture.seed ^ seat)
        except Overtime as error:
            raise Fault(seat, OVERTIME, str(error)) from None
        except (Exception, SystemExit) as error:
            raise Fault(seat, CRASH, told(error)) from None


def play_on(
    position: Position, fixture: Fixture, players: tuple[Player, Player], sitting: Sitting, watch: Watcher
) -> Position:
    """Step by step until the game is over; the last position."""
    while position.seat is not None and len(sitting.moves) < LONGEST_GAME:
        player = players[position.seat]
        sitting.seat, sitting.patience = position.seat, player.patience()
        watch(sitting)
        step = thought(player, position, [*fixture.opening, *sitting.moves], sitting)
        position = stepped(position, step)
        sitting.moves.append(step)
    return position


def thought(player: Player, position: Position, steps: list[str], sitting: Sitting) -> str:
    """Let a player choose, and keep its time."""
    seat = sitting.seat
    began = time.perf_counter()
    try:
        step = player.choose(position, steps)
    except Overtime as error:
        raise Fault(seat, OVERTIME, str(error)) from None
    except (Exception, SystemExit) as error:
        raise Fault(seat, CRASH, told(error)) from None
    finally:
        spent = time.perf_counter() - began
        sitting.seconds[seat] += spent
        sitting.overrun[seat] = max(sitting.overrun[seat], player.overrun(spent))
    if spent > player.patience():
        raise Fault(seat, OVERTIME, f"took {spent:.3g} s for a move, more than {player.patience():g} s")
    return step


def stepped(position: Position, step: object) -> Position:
    """The position after a step, which must be one, and legal."""
    assert position.seat is not None
    if not isinstance(step, str):
        raise Fault(position.seat, ILLEGAL, f"a step is a text, not {type(step).__name__}")
    try:
        return position.play_id(position.game.move_id(step))
    except RopewalkError as error:
        raise Fault(position.seat, ILLEGAL, str(error)) from None


def told(error: BaseException) -> str:
    """An error of a bot in one line."""
    return str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
