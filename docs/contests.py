"""Contests whose results are kept in a file of the documentation, so that only what is new or has changed is played."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import ropewalk
from ropewalk.bots.bot_spec import make_bot

Result = dict[str, Any]  # "bots": what they were, "pairs": how many ended with 0, a half, 1, one and a half, 2 points


class Contests:
    """Pairs of bots from even openings, judged by level 5."""

    def __init__(self, results: Path, folder: Path) -> None:
        self.path = results
        self.folder = folder  # where games are kept
        self.results: dict[str, Result] = json.loads(results.read_text()) if results.exists() else {}
        folder.mkdir(parents=True, exist_ok=True)

    def played(self, name: str, game: ropewalk.Game, bots: tuple[str, str], games: int) -> Result:
        """A contest's result, from before if its bots are as they were and enough was played."""
        found, now = self.results.get(name), [described(game, bot) for bot in bots]
        if found is not None and found["bots"] == now and 2 * sum(found["pairs"]) >= games:
            return found
        words = ["arena", game.spec, *bots, "--even", "--games", str(games), "--seed", "1"]
        these = hashlib.sha256(repr(now).encode()).hexdigest()[:8]  # games of bots that have changed are others
        kept = self.folder / f"{name.replace(' ', '-')}-{these}.jsonl"
        command = [sys.executable, "-m", "ropewalk", *words, "-o", str(kept), "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        self.results[name] = {"bots": now, "pairs": json.loads(done.stdout)["pairings"][0]["pairs"]}
        self.keep()
        return self.results[name]

    def keep(self) -> None:
        """Write all results, a line each."""
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(self.results[name])}" for name in sorted(self.results))
        self.path.write_text(f"{{\n{lines}\n}}\n")


def described(game: ropewalk.Game, name: str) -> str:
    """What a bot spends on a move, and the net that it asks."""
    bot = make_bot(game, name)
    bot.close()
    return bot.budget + (f", net {bot.net[:8]}" if bot.net else "")
