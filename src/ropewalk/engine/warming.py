"""Bots whose kernels are compiled before anybody waits for them."""

from __future__ import annotations

from ..bots.bot import Bot, Limit
from ..bots.levels import bot
from ..games.game import Game
from ..jit.compile_progress import show_compile_progress
from ..rules.generic import inspect_row, step


def make_warm_bot(game: Game, level: int, threads: int = 1) -> Bot:
    """The bot of a level that has had a first thought, with a word on the error stream while kernels compile."""
    with show_compile_progress(game, inspect_row, step):
        new_bot = bot(game, level, threads=threads)
        new_bot.choose(game.start(), Limit(visits=1))
    return new_bot
