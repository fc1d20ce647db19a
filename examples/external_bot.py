"""A bot that plays on a Ropewalk server.

`python external_bot.py http://127.0.0.1:8000 < token.txt` follows GET /api/events, a line of JSON for all that happens in its
matches, and plays by POST /api/matches/{id}/moves. It takes a win that it sees, else a move at random. Only Python is
needed: the server says which moves are legal, and what each of them would do.
"""

from __future__ import annotations

import json
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

LOOKED_AT = 8  # moves that are tried for a win
AGAIN_SECONDS = 1.0


class Table:
    """The server, as this bot sees it."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        self.token = token

    def request(self, path: str, body: Any = None) -> Any:
        """An open answer to a GET, or to a POST of JSON."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        return urllib.request.urlopen(urllib.request.Request(f"{self.address}/api{path}", sent, headers))

    def ask(self, path: str, body: Any) -> Any:
        """What a POST answers."""
        with self.request(path, body) as answer:
            return json.load(answer)

    def news(self) -> Iterator[Any]:
        """Lines of the stream for ever; it is opened again when it breaks. Empty lines only show that it is alive."""
        while True:
            try:
                with self.request("/events") as stream:
                    yield from (json.loads(line) for line in stream if line.strip())
            except OSError:
                time.sleep(AGAIN_SECONDS)

    def play(self, news: Any) -> None:
        """Move, if it is our turn. The id makes it safe to send a move twice; one that comes too late is refused."""
        now = news["now"]
        if now["seat"] not in news["seats"]:
            return
        move = {"move": self.choice(news), "after": now["standing"], "id": f"bot-{now['standing']}"}
        try:
            self.ask(f"/matches/{news['match']}/moves", move)
        except urllib.error.HTTPError as error:
            print(f"{move['move']} was refused: {json.load(error)['message']}", file=sys.stderr)

    def choice(self, news: Any) -> str:
        """A move that wins at once, if one of a few tried does; else one at random."""
        moves: list[str] = news["now"]["position"]["moves"]
        tried = random.sample(moves, min(LOOKED_AT, len(moves)))
        for move in tried:
            question = {"spec": news["spec"], "position": news["now"]["position"]["text"], "move": move}
            outcome = self.ask("/positions/explain", question)["after"]["outcome"]
            if outcome is not None and outcome["winner"] in news["seats"]:
                return move
        return tried[0]


def main() -> None:
    """Play until somebody ends us."""
    table = Table(sys.argv[1], sys.stdin.readline().strip())
    for news in table.news():
        table.play(news)


if __name__ == "__main__":
    main()
