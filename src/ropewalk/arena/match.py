"""Playing one game: the bots think in turn, the arena keeps time and looks at every step."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from ..bots.bot import Bot, BotError, Limit
from ..bots.bot_spec import BotSpec
from ..bots.ugi_client import GRACE_SECONDS, MAX_MOVE_SECONDS, START_TIMEOUT_SECONDS, BotTimeout, UgiBot
from ..errors import RopewalkError
from ..games.game import Game, Position
from .game_record import CRASH, ILLEGAL_MOVE, OVERTIME, TOO_LONG, BotIdentity
from .schedule import GameTask

MAX_GAME_MOVES = 5000  # steps; then it is a draw
WARM_UP_MOVES, WARM_UP_VISITS = 3, 20


@dataclass
class GameProgress:
    """What is known of a game under way: enough to score it should a bot take its process down."""

    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    overrun: list[float] = field(default_factory=lambda: [0.0, 0.0])
    seat: int = 0  # who is at work
    timeout_seconds: float = (
        START_TIMEOUT_SECONDS + GRACE_SECONDS
    )  # how many seconds that may take before it is taken to hang


@dataclass(frozen=True)
class GameResult:
    """How a game ended."""

    winner: int | None
    reason: str
    message: str
    progress: GameProgress


class BotFault(Exception):
    """A bot has lost by its own doing."""

    def __init__(self, seat: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.seat = seat
        self.reason = reason

    def make_result(self, progress: GameProgress) -> GameResult:
        """The other seat wins."""
        return GameResult(1 - self.seat, self.reason, str(self), progress)


ProgressListener: TypeAlias = Callable[[GameProgress], None]  # called whenever a bot is about to do something


class ArenaPlayer:
    """A bot with its name and limit; after a fault it is made anew."""

    def __init__(self, game: Game, bot_spec: BotSpec) -> None:
        self.game = game
        self.bot_spec = bot_spec
        self.bot: Bot | None = None

    def ensure_bot(self) -> Bot:
        """The bot, made if there is none."""
        if self.bot is None:
            self.bot = self.bot_spec.make(self.game)
            self.warm_up(self.bot)
        return self.bot

    def warm_up(self, bot: Bot) -> None:
        """A few thoughts, so that no kernel compiles on a game's time; should they fail, so will the game, with a word."""
        if not isinstance(bot, UgiBot):
            with suppress(Exception):
                position = self.game.start()
                for _ in range(WARM_UP_MOVES):  # a tree is first replanted at the second of them
                    position = position.play(bot.choose(position, Limit(visits=WARM_UP_VISITS)))

    def make_identity(self) -> BotIdentity:
        """Who it is and what it may spend."""
        bot = self.ensure_bot()
        return BotIdentity(self.bot_spec.text, bot.name, self.bot_spec.budget or bot.budget, bot.net)

    def move_timeout_seconds(self) -> float:
        """How many seconds a move may take before it loses the game."""
        limit = self.bot_spec.limit
        return GRACE_SECONDS + (MAX_MOVE_SECONDS if limit is None or limit.seconds is None else limit.seconds)

    def overrun_seconds(self, seconds: float) -> float:
        """How far a move went beyond the limit."""
        limit = self.bot_spec.limit
        return 0.0 if limit is None or limit.seconds is None else max(0.0, seconds - limit.seconds)

    def start_game(self, seed: int) -> None:
        """Begin a new game."""
        self.ensure_bot().new_game(seed)

    def choose(self, position: Position, moves: list[str]) -> str:
        """The step that the bot plays after those steps from the start."""
        bot = self.ensure_bot()
        if isinstance(bot, UgiBot):
            bot.set_moves(moves)
        return bot.choose(position, self.bot_spec.limit)

    def discard_bot(self) -> None:
        """Let the bot go; what it does at the end is no longer of interest."""
        bot, self.bot = self.bot, None
        with suppress(Exception):
            if bot is not None:
                bot.close()


def play_game(task: GameTask, players: tuple[ArenaPlayer, ArenaPlayer], on_progress: ProgressListener) -> GameResult:
    """Play a game to its end, or to the first fault."""
    progress = GameProgress()
    try:
        start_game(players, task, progress, on_progress)
        position = play_to_end(play_opening(players[0].game, task.opening), task, players, progress, on_progress)
    except BotFault as fault:
        players[fault.seat].discard_bot()
        return fault.make_result(progress)
    outcome = position.outcome
    if outcome is None:
        return GameResult(None, TOO_LONG, f"nobody had won after {MAX_GAME_MOVES} steps", progress)
    return GameResult(outcome.winner, outcome.reason, outcome.words, progress)


def play_opening(game: Game, moves: tuple[str, ...]) -> Position:
    """The position after an opening."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def start_game(
    players: tuple[ArenaPlayer, ArenaPlayer], task: GameTask, progress: GameProgress, on_progress: ProgressListener
) -> None:
    """Tell both bots that a new game begins, each with a seed of its own."""
    for seat, player in enumerate(players):
        progress.seat = seat
        on_progress(progress)
        try:
            player.start_game(task.seed ^ seat)
        except BotTimeout as error:
            raise BotFault(seat, OVERTIME, str(error)) from None
        except (Exception, SystemExit) as error:
            raise BotFault(seat, CRASH, error_message(error)) from None


def play_to_end(
    position: Position,
    task: GameTask,
    players: tuple[ArenaPlayer, ArenaPlayer],
    progress: GameProgress,
    on_progress: ProgressListener,
) -> Position:
    """Step by step until the game is over; the last position."""
    while position.seat is not None and len(progress.moves) < MAX_GAME_MOVES:
        player = players[position.seat]
        progress.seat, progress.timeout_seconds = position.seat, player.move_timeout_seconds()
        on_progress(progress)
        move = timed_move(player, position, [*task.opening, *progress.moves], progress)
        position = apply_checked(position, move)
        progress.moves.append(move)
    return position


def timed_move(player: ArenaPlayer, position: Position, moves: list[str], progress: GameProgress) -> str:
    """Let a player choose, and keep its time."""
    seat = progress.seat
    started_at = time.perf_counter()
    try:
        move = player.choose(position, moves)
    except BotTimeout as error:
        raise BotFault(seat, OVERTIME, str(error)) from None
    except (Exception, SystemExit) as error:
        raise BotFault(seat, CRASH, error_message(error)) from None
    finally:
        elapsed_seconds = time.perf_counter() - started_at
        progress.seconds[seat] += elapsed_seconds
        progress.overrun[seat] = max(progress.overrun[seat], player.overrun_seconds(elapsed_seconds))
    if elapsed_seconds > player.move_timeout_seconds():
        raise BotFault(
            seat, OVERTIME, f"took {elapsed_seconds:.3g} s for a move, more than {player.move_timeout_seconds():g} s"
        )
    return move


def apply_checked(position: Position, move: object) -> Position:
    """The position after a step, which must be one, and legal."""
    assert position.seat is not None
    if not isinstance(move, str):
        raise BotFault(position.seat, ILLEGAL_MOVE, f"a step is a text, not {type(move).__name__}")
    try:
        return position.play_id(position.game.move_id(move))
    except RopewalkError as error:
        raise BotFault(position.seat, ILLEGAL_MOVE, str(error)) from None


def error_message(error: BaseException) -> str:
    """An error of a bot in one line."""
    return str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
