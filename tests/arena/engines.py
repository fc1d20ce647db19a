"""A tiny engine for Lariat, which plays the first free cell, and ways in which it goes wrong."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

GAME = "lariat-1x2"
ENGINE = """
import os, sys, time
way, folder = sys.argv[1:]
cells = ["a1"] + [f"{ring}{number}" for ring in "bcd" for number in range(1, 7)]
played = []
games = 0
with open(f"{folder}/pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")

def say(line):
    print(line, flush=True)

def answer():
    if len(played) >= 4 and way != "fine":
        if way == "crash":
            raise ValueError("boom")
        if way == "leave":
            os._exit(7)
        if way == "hang" or (way == "tire" and games > 3 and not os.path.exists(f"{folder}/coffee")):
            time.sleep(1000)
        if way == "illegal":
            return say("bestmove " + played[0])
        if way == "nonsense":
            return say("bestmove")
        if way == "chatty":
            while True:
                say("info nodes 1")
    time.sleep(0.01)
    say("info nodes 42 score wdl 700 200 100")
    say("bestmove " + next(cell for cell in cells if cell not in played))

for line in sys.stdin:
    with open(f"{folder}/heard", "a") as heard:
        heard.write(line)
    words = line.split()
    if words == ["ugi"]:
        say("id name First Cell 1.0")
        say("ugiok")
    elif words == ["isready"]:
        say("readyok")
    elif words == ["uginewgame"]:
        games += 1
    elif words[:1] == ["position"]:
        played = words[3:]
    elif words[:1] == ["go"]:
        answer()
    elif words == ["quit"]:
        break
"""


def engine(folder: Path, way: str = "fine") -> str:
    """The command that starts the engine."""
    script = folder / "engine.py"
    script.write_text(ENGINE)
    words = [sys.executable, str(script), way, str(folder)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def started(folder: Path) -> list[int]:
    """The processes that were started from a folder."""
    return [int(line) for line in (folder / "pids").read_text().split()]


def is_running(pid: int) -> bool:
    """Whether a process is there, and not merely waiting to be buried."""
    status = Path(f"/proc/{pid}/stat")
    if status.parent.parent.joinpath("self").exists():
        return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
