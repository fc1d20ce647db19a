"""Matches between bots whose results are stored in a JSON file of the documentation.

A match is keyed by its name. It is played again only if one of its bots (budget text or net hash) has changed or more
games are required, so budget texts and net bytes must not change by accident.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import ropewalk
from ropewalk.bots.bot_spec import make_bot

Result = dict[str, Any]  # "bots": their identities, "pairs": pentanomial counts of the first bot


class Contests:
    """Stored matches from balanced openings (judged by level 5), and the games behind them."""

    def __init__(self, results: Path, folder: Path) -> None:
        self.path = results
        self.folder = folder  # of the results files of the arena
        self.results: dict[str, Result] = json.loads(results.read_text()) if results.exists() else {}
        folder.mkdir(parents=True, exist_ok=True)

    def played(self, name: str, game: ropewalk.Game, bots: tuple[str, str], games: int) -> Result:
        """Return the result of a match: the stored one if it is current, else play the missing games and store it.

        `games` is even. The games of an interrupted match are kept in `folder` and resumed.
        """
        stored, identities = self.results.get(name), [described(game, bot) for bot in bots]
        if stored is not None and stored["bots"] == identities and 2 * sum(stored["pairs"]) >= games:
            return stored
        arguments = [game.spec, *bots, "--balanced-openings", "--games", str(games), "--seed", "1"]
        digest = hashlib.sha256(repr(identities).encode()).hexdigest()[:8]  # changed bots get a file of their own
        path = self.folder / f"{name.replace(' ', '-')}-{digest}.jsonl"
        command = [sys.executable, "-m", "ropewalk", "arena", *arguments, "--results", str(path), "--json"]
        process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        self.results[name] = {"bots": identities, "pairs": json.loads(process.stdout)["pairings"][0]["pairs"]}
        self.keep()
        return self.results[name]

    def keep(self) -> None:
        """Write all results to the JSON file, one line each."""
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(self.results[name])}" for name in sorted(self.results))
        self.path.write_text(f"{{\n{lines}\n}}\n")


def described(game: ropewalk.Game, name: str) -> str:
    """Return the budget of a bot and the first digits of its net hash; the stored identity of the bot."""
    bot = make_bot(game, name)
    bot.close()
    return bot.budget + (f", net {bot.net[:8]}" if bot.net else "")
