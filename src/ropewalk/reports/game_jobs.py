"""Games between bots for a report, played on several processes. A game depends on its job alone."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from ..games.registry import game as game_of
from ..jit.prng import make_rng, rand_below
from ..progress import Progress

if TYPE_CHECKING:
    from ..bots.bot import Bot
    from ..games.game import Game
    from ..games.position import Position

MAX_GAME_MOVES = 2000  # a longer game counts as a draw
LEAD_MARGIN = 0.1  # a seat leads if its value is at least 0.5 plus this
MAX_CACHED_BOTS = 8


@dataclass(frozen=True)
class GameJob:
    """A game to play: `level-N` is the bot of a level, `mcts-N` tree search with N visits and the game's parameters."""

    spec: str
    bots: tuple[str, str]  # by seat
    seed: int
    opening: tuple[str, ...] = ()
    random_plies: int = 0  # random moves after the opening
    tracks_lead: bool = False


@dataclass(frozen=True)
class PlayedGame:
    """What a report needs of a game."""

    winner: int | None  # None: a draw, or not finished after MAX_GAME_MOVES
    plies: int
    choices: int  # positions in which a move was chosen, without those of an opening
    legal_moves: int  # summed over these positions
    forced_moves: int  # positions with one legal move
    lead_changes: int = 0
    decided_at: float = 0.0  # share of the game after which the winner led to the end

    def score(self) -> float:
        """Return the score of seat 0."""
        return 0.5 if self.winner is None else 1.0 - self.winner


def play_jobs(jobs: Sequence[GameJob], num_processes: int, progress: Progress) -> list[PlayedGame]:
    """Return the games of jobs in their order; with one process they are played in this one."""
    if num_processes == 1:
        return [play_and_report(job, number, len(jobs), progress) for number, job in enumerate(jobs, 1)]
    context = multiprocessing.get_context("spawn")
    games = []
    with context.Pool(num_processes, ignore_interrupts) as pool:  # its end terminates the processes, also after Ctrl-C
        for played in pool.imap(play_job, jobs):
            games.append(played)
            progress(len(games), len(jobs))
    return games


def play_and_report(job: GameJob, number: int, total: int, progress: Progress) -> PlayedGame:
    """Play a game and report it to the progress callback."""
    played = play_job(job)
    progress(number, total)
    return played


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that waits for the games."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_job(job: GameJob) -> PlayedGame:
    """Play a game to its end."""
    game = game_of(job.spec)
    bots = [load_bot(job.spec, text, seat) for seat, text in enumerate(job.bots)]
    for seat, bot in enumerate(bots):
        bot.new_game(2 * job.seed + seat)
    position = play_opening(game, job)
    opening_plies = plies = len(position.steps())
    legal_moves = forced_moves = 0
    values: list[float] = []
    while position.seat is not None and plies < MAX_GAME_MOVES:
        count = len(position.move_ids())
        legal_moves, forced_moves, plies = legal_moves + count, forced_moves + (count == 1), plies + 1
        move, value = choose_move(bots[position.seat], position, tracks_lead=job.tracks_lead)
        values.append(value)
        position = position.play(move)
    winner = position.result if position.result in (0, 1) else None
    lead = (count_lead_changes(values), find_decision(values, winner)) if job.tracks_lead else (0, 0.0)
    return PlayedGame(winner, plies, plies - opening_plies, legal_moves, forced_moves, *lead)


def play_opening(game: Game, job: GameJob) -> Position:
    """Return the position after the opening and the random moves of a job; a random move does not end the game."""
    position, rng = game.start(), make_rng(job.seed)
    for move in job.opening:
        position = position.play(move)
    for _ in range(job.random_plies):
        moves = position.move_ids()
        following = position.play_id(int(moves[rand_below(rng, len(moves))]))
        position = following if following.seat is not None else position
    return position


def choose_move(bot: Bot, position: Position, *, tracks_lead: bool) -> tuple[str, float]:
    """Return a bot's move, and the value of the position for seat 0 if the lead is tracked, else 0.5."""
    if not tracks_lead:
        return bot.choose(position), 0.5
    *_, report = bot.analyse(position)
    value = report.value if position.seat == 0 else 1 - report.value
    return bot.decide(position, report), value


def count_lead_changes(values: Sequence[float]) -> int:
    """Return how often the lead went from one seat to the other; values within LEAD_MARGIN of 0.5 are no lead."""
    leaders = [value > 0.5 for value in values if abs(value - 0.5) >= LEAD_MARGIN]
    return sum(leader != before for before, leader in pairwise(leaders))


def find_decision(values: Sequence[float], winner: int | None) -> float:
    """Return the share of a game after which the winner's value never fell below one half; 1 for a draw."""
    if winner is None or not values:
        return 1.0
    behind = [number for number, value in enumerate(values, 1) if (value < 0.5) == (winner == 0) and value != 0.5]
    return (behind[-1] if behind else 0) / len(values)


@lru_cache(maxsize=MAX_CACHED_BOTS)
def load_bot(spec: str, text: str, seat: int) -> Bot:
    """Return the bot that a job names; each seat has one of its own, because bots keep their trees."""
    from ..bots.levels import bot as level_bot
    from ..bots.tree_bots import MctsBot

    game = game_of(spec)
    kind, _, number = text.partition("-")
    if kind == "level":
        return level_bot(game, int(number))
    return MctsBot(game, text, game.definition.mcts, int(number))
