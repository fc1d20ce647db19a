"""A process that plays games: tasks come in over a pipe, results go out, and every move is announced."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection

from ..bots.external import Engine
from ..bots.named import read_name
from ..errors import RopewalkError
from ..games.registry import game as game_of
from ..progress import show_compile_progress
from ..rules.stepping import inspect_row, step
from .playing import Player, play
from .schedule import Fixture


def work(pipe: Connection, spec: str, names: Sequence[str]) -> None:
    """Make the bots, say who they are, then play what comes until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    tasks: queue.SimpleQueue[Fixture] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(pipe, tasks), daemon=True).start()
    try:
        players = prepared(spec, names)
        pipe.send([player.identity() for player in players])
    except RopewalkError as error:
        pipe.send(error)
        return
    while True:
        fixture = tasks.get()
        first, second = fixture.seats
        pipe.send(play(fixture, (players[first], players[second]), pipe.send))


def prepared(spec: str, names: Sequence[str]) -> list[Player]:
    """The players, their kernels compiled."""
    game = game_of(spec)
    players = [Player(game, read_name(name)) for name in names]
    with show_compile_progress(game, inspect_row, step):
        for player in players:
            player.ready()
    return players


def listen(pipe: Connection, tasks: queue.SimpleQueue[Fixture]) -> None:
    """Take tasks in; when the pipe closes, nobody waits for us any more: end at once, and the engines with us."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        for engine in list(Engine.running):
            engine.kill()
        os._exit(0)
