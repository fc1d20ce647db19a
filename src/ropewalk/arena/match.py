"""Play one game between two bots: apply their moves, measure their time, and turn faults into losses.

A bot loses by a fault of its own: an illegal move, an exception, or a move that takes GRACE_SECONDS longer than its
limit. A bot that blocks or ends the whole process is handled by `worker_pool.py`.
"""

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
from ..games.game import Game
from ..games.position import Position
from .game_record import CRASH, ILLEGAL_MOVE, OVERTIME, TOO_LONG, BotIdentity
from .schedule import GameTask

MAX_GAME_MOVES = 5000  # a longer game is a draw
WARM_UP_MOVES, WARM_UP_VISITS = 3, 20


@dataclass
class GameProgress:
    """State of a game in progress; sufficient to score it if a bot ends or blocks the process."""

    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    overrun: list[float] = field(default_factory=lambda: [0.0, 0.0])
    seat: int = 0  # the seat whose bot is running
    timeout_seconds: float = START_TIMEOUT_SECONDS + GRACE_SECONDS  # after which that bot is considered blocked


@dataclass(frozen=True)
class GameResult:
    """Result of a game: the winning seat (None for a draw), the reason as code and message, and its moves and times."""

    winner: int | None
    reason: str
    message: str
    progress: GameProgress


class BotFault(Exception):
    """A bot lost the game by a fault; `reason` is a key of FAULT_DESCRIPTIONS."""

    def __init__(self, seat: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.seat = seat
        self.reason = reason

    def make_result(self, progress: GameProgress) -> GameResult:
        """Return the result in which the other seat wins."""
        return GameResult(1 - self.seat, self.reason, str(self), progress)


ProgressListener: TypeAlias = Callable[[GameProgress], None]  # called before each call of a bot


class ArenaPlayer:
    """A bot spec and, once needed, the bot that it describes. After a fault the bot is discarded and made again."""

    def __init__(self, game: Game, bot_spec: BotSpec) -> None:
        self.game = game
        self.bot_spec = bot_spec
        self.bot: Bot | None = None

    def ensure_bot(self) -> Bot:
        """Return the bot; make it and warm it up if there is none."""
        if self.bot is None:
            self.bot = self.bot_spec.make(self.game)
            self.warm_up(self.bot)
        return self.bot

    def warm_up(self, bot: Bot) -> None:
        """Play a few moves so that no kernel compiles on the clock of a game.

        Exceptions are suppressed: a bot that fails here fails again in its game, where the fault is recorded. UGI
        engines warm up in their own process.
        """
        if not isinstance(bot, UgiBot):
            with suppress(Exception):
                position = self.game.start()
                for _ in range(WARM_UP_MOVES):  # the second one is the first that reuses a subtree
                    position = position.play(bot.choose(position, Limit(visits=WARM_UP_VISITS)))

    def make_identity(self) -> BotIdentity:
        """Return the identity of the bot. Makes the bot if there is none."""
        bot = self.ensure_bot()
        return BotIdentity(self.bot_spec.text, bot.name or self.bot_spec.text, self.bot_spec.budget or bot.budget, bot.net)

    def move_timeout_seconds(self) -> float:
        """Return the number of seconds after which a move loses the game."""
        limit = self.bot_spec.limit
        return GRACE_SECONDS + (MAX_MOVE_SECONDS if limit is None or limit.seconds is None else limit.seconds)

    def overrun_seconds(self, seconds: float) -> float:
        """Return by how many seconds a move exceeded the time limit, 0 without such a limit."""
        limit = self.bot_spec.limit
        return 0.0 if limit is None or limit.seconds is None else max(0.0, seconds - limit.seconds)

    def start_game(self, seed: int) -> None:
        """Reset the bot for a new game with this seed."""
        self.ensure_bot().new_game(seed)

    def choose(self, position: Position, moves: list[str]) -> str:
        """Return the bot's move in `position`; `moves` are the moves from the start position that led there."""
        bot = self.ensure_bot()
        if isinstance(bot, UgiBot):
            bot.set_moves(moves)
        return bot.choose(position, self.bot_spec.limit)

    def discard_bot(self) -> None:
        """Close the bot and forget it; exceptions from closing are suppressed."""
        bot, self.bot = self.bot, None
        with suppress(Exception):
            if bot is not None:
                bot.close()


def play_game(task: GameTask, players: tuple[ArenaPlayer, ArenaPlayer], on_progress: ProgressListener) -> GameResult:
    """Play a game to its end or to the first fault. `on_progress` is called before each call of a bot."""
    progress = GameProgress()
    try:
        start_game(players, task, progress, on_progress)
        position = play_to_end(play_opening(players[0].game, task.opening), task, players, progress, on_progress)
    except BotFault as fault:
        players[fault.seat].discard_bot()
        return fault.make_result(progress)
    outcome = position.outcome
    if outcome is None:
        return GameResult(None, TOO_LONG, f"no winner after {MAX_GAME_MOVES} moves", progress)
    return GameResult(outcome.winner, outcome.reason, outcome.words, progress)


def play_opening(game: Game, moves: tuple[str, ...]) -> Position:
    """Return the position after the moves from the start position."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def start_game(
    players: tuple[ArenaPlayer, ArenaPlayer], task: GameTask, progress: GameProgress, on_progress: ProgressListener
) -> None:
    """Reset both bots, each with its own seed. Raises BotFault."""
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
    """Play until the game is over or MAX_GAME_MOVES is reached; return the last position. Writes into `progress`."""
    while position.seat is not None and len(progress.moves) < MAX_GAME_MOVES:
        player = players[position.seat]
        progress.seat, progress.timeout_seconds = position.seat, player.move_timeout_seconds()
        on_progress(progress)
        move = timed_move(player, position, [*task.opening, *progress.moves], progress)
        position = apply_checked(position, move)
        progress.moves.append(move)
    return position


def timed_move(player: ArenaPlayer, position: Position, moves: list[str], progress: GameProgress) -> str:
    """Return a player's move and add its time to `progress`. Raises BotFault for a timeout or an exception."""
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
    """Return the position after a move. Raises BotFault unless the move is a legal move as a string."""
    assert position.seat is not None
    if not isinstance(move, str):
        raise BotFault(position.seat, ILLEGAL_MOVE, f"returned a move of type {type(move).__name__}; expected a string")
    try:
        return position.play_id(position.game.move_id(move))
    except RopewalkError as error:
        raise BotFault(position.seat, ILLEGAL_MOVE, str(error)) from None


def error_message(error: BaseException) -> str:
    """Return an exception of a bot as one message; the type is named unless it is a BotError."""
    return str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
