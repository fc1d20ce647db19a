"""`ropewalk open`, or just `ropewalk`: a server on this machine, and the page in a browser."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
import webbrowser
from argparse import Namespace
from pathlib import Path

from ..games.registry import games
from ..paths import data_dir
from .parser import Parser

HOST, USUAL_PORT = "127.0.0.1", 8000
START_SECONDS, LOOK_SECONDS = 120.0, 0.5

DESCRIPTION = (
    "Start a server on this machine and open its page, to play against bots, people at the same screen, or people who can "
    "reach this machine. The games are kept in the user's data folder. Ctrl-C ends it. `ropewalk serve` has more to decide."
)

EXAMPLES = [
    ("ropewalk", "the same"),
    ("ropewalk open --no-browser", "print the address only"),
]


def define(parser: Parser) -> None:
    """Whether to open a browser."""
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open nothing")
    parser.add_argument("--database", metavar="FILE", help="keep the games here")


def act(arguments: Namespace) -> int:
    """Serve until told to stop; a thread opens the page as soon as there is one."""
    print("Setting the table ...", flush=True)
    from ..server.house import HouseSettings
    from ..server.serving import Place, serve
    from ..server.storage.database import read_url

    settings = HouseSettings(read_url(arguments.database or str(default_database())))
    port = free_port()
    address = f"http://{HOST}:{port}/"
    threading.Thread(target=welcome, args=(address, not arguments.no_browser), daemon=True).start()
    return serve(settings, Place(HOST, port, quiet=True))


def default_database() -> Path:
    """Return the database file in the user's data directory, which is created if necessary."""
    folder = data_dir()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "ropewalk.db"


def free_port() -> int:
    """The usual port, or any other when somebody has it."""
    for port in (USUAL_PORT, 0):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((HOST, port))
            except OSError:
                continue
            free: int = trial.getsockname()[1]
            return free
    return 0


def welcome(address: str, browser: bool) -> None:
    """Open the page when the server answers, then say how many games' bots are ready, in one line."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and warm_games(address) is None:
        time.sleep(LOOK_SECONDS)
    if browser:
        webbrowser.open(address)
    ready, all_games = -1, len(games())
    while ready < all_games:
        found = warm_games(address)
        if found is not None and found != ready:
            ready = found
            print(f"\rBots ready: {ready} of {all_games} games ", end="" if ready < all_games else "\n", flush=True)
        time.sleep(LOOK_SECONDS)


def warm_games(address: str) -> int | None:
    """For how many games bots are ready; None while nobody answers."""
    try:
        with urllib.request.urlopen(f"{address}api/health", timeout=5) as answer:
            return len(json.load(answer)["warm"])
    except OSError:
        return None
