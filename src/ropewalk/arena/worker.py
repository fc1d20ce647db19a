"""A process that plays games: tasks come in over a pipe, results go out, and every move is announced."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection

from ..bots.bot_spec import parse_bot_spec
from ..bots.ugi_client import UgiProcess
from ..errors import RopewalkError
from ..games.registry import game as game_of
from ..jit.compile_progress import show_compile_progress
from ..rules.generic import inspect_row, step
from .playing import ArenaPlayer, play_game
from .schedule import GameTask


def worker_main(pipe: Connection, spec: str, names: Sequence[str]) -> None:
    """Make the bots, say who they are, then play what comes until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    tasks: queue.SimpleQueue[GameTask] = queue.SimpleQueue()
    threading.Thread(target=receive_tasks, args=(pipe, tasks), daemon=True).start()
    try:
        players = make_players(spec, names)
        pipe.send([player.make_identity() for player in players])
    except RopewalkError as error:
        pipe.send(error)
        return
    while True:
        task = tasks.get()
        first, second = task.seats
        pipe.send(play_game(task, (players[first], players[second]), pipe.send))


def make_players(spec: str, names: Sequence[str]) -> list[ArenaPlayer]:
    """The players, their kernels compiled."""
    game = game_of(spec)
    players = [ArenaPlayer(game, parse_bot_spec(name)) for name in names]
    with show_compile_progress(game, inspect_row, step):
        for player in players:
            player.ensure_bot()
    return players


def receive_tasks(pipe: Connection, tasks: queue.SimpleQueue[GameTask]) -> None:
    """Take tasks in; when the pipe closes, nobody waits for us any more: end at once, and the engines with us."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        for ugi_process in list(UgiProcess.running_processes):
            ugi_process.kill()
        os._exit(0)
