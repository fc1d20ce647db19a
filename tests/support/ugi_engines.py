"""A small UGI engine for Lariat that plays the first free cell, and its modes of failure."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

GAME = "lariat-1x2"
ENGINE = """
import os, sys, time
mode, folder = sys.argv[1:]
cells = ["a1"] + [f"{ring}{number}" for ring in "bcd" for number in range(1, 7)]
played = []
games = 0
with open(f"{folder}/pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")

def send(line):
    print(line, flush=True)

def choose_move():
    if len(played) >= 4 and mode != "normal":
        if mode == "crash":
            raise ValueError("boom")
        if mode == "exit":
            os._exit(7)
        if mode == "hang" or (mode == "hang-later" and games > 3 and not os.path.exists(f"{folder}/awake")):
            time.sleep(1000)
        if mode == "illegal":
            return send("bestmove " + played[0])
        if mode == "nonsense":
            return send("bestmove")
        if mode == "chatty":
            while True:
                send("info nodes 1")
    time.sleep(0.01)
    send("info nodes 42 score wdl 700 200 100")
    send("bestmove " + next(cell for cell in cells if cell not in played))

for line in sys.stdin:
    with open(f"{folder}/received", "a") as received:
        received.write(line)
    tokens = line.split()
    if tokens == ["ugi"]:
        send("id name First Cell 1.0")
        send("ugiok")
    elif tokens == ["isready"]:
        send("readyok")
    elif tokens == ["uginewgame"]:
        games += 1
    elif tokens[:1] == ["position"]:
        played = tokens[3:]
    elif tokens[:1] == ["go"]:
        choose_move()
    elif tokens == ["quit"]:
        break
"""


def engine_command(folder: Path, mode: str = "normal") -> str:
    """Write the engine into a folder and return the command that starts it. It logs its input there."""
    script = folder / "engine.py"
    script.write_text(ENGINE)
    command = [sys.executable, str(script), mode, str(folder)]
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


def list_pids(folder: Path) -> list[int]:
    """Return the ids of the engine processes started from a folder."""
    return [int(line) for line in (folder / "pids").read_text().split()]


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    status = Path(f"/proc/{pid}/stat")
    if status.parent.parent.joinpath("self").exists():
        return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
