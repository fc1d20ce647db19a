"""A bot that plays on a Ropewalk server.

`python external_bot.py http://127.0.0.1:8000 < token.txt` reads GET /api/me/events, a stream of JSON lines with the events
of its matches, and plays by POST /api/matches/{id}/actions. It plays a winning move if it finds one, else a random move.
It needs only Python: the server lists the legal moves and the effect of each of them.
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

MAX_TRIED_MOVES = 8  # moves that are tested for a win
RETRY_SECONDS = 1.0


class ServerClient:
    """Requests to the server with the token of the bot."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        self.token = token

    def request(self, path: str, body: Any = None) -> Any:
        """Return the open response to a GET, or to a POST of JSON."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        return urllib.request.urlopen(urllib.request.Request(f"{self.address}/api{path}", sent, headers))

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON of the response to a POST."""
        with self.request(path, body) as response:
            return json.load(response)

    def read_updates(self) -> Iterator[Any]:
        """Yield the messages of the stream without end; reopen it when it breaks. Empty lines are heartbeats."""
        while True:
            try:
                with self.request("/me/events") as stream:
                    yield from (json.loads(line) for line in stream if line.strip())
            except OSError:
                time.sleep(RETRY_SECONDS)

    def play(self, update: Any) -> None:
        """Play a move if it is our turn. The request id makes it safe to repeat a move; a stale move is an error."""
        state = update["state"]
        if state["seat"] not in update["seats"]:
            return
        version = state["position_version"]
        action = {"type": "move", "move": self.choose(update), "position_version": version, "request_id": f"bot-{version}"}
        try:
            self.post(f"/matches/{update['match_id']}/actions", action)
            print(f"match {update['match_id']}: {action['move']}", flush=True)
        except urllib.error.HTTPError as error:
            print(f"{action['move']} failed: {json.load(error)['message']}", file=sys.stderr)

    def choose(self, update: Any) -> str:
        """Return a move that wins at once if one of those tried does, else a random move."""
        position = update["state"]["position"]
        tried: list[str] = random.sample(position["moves"], min(MAX_TRIED_MOVES, len(position["moves"])))
        for move in tried:
            question = {"spec": update["spec"], "position": position["text"], "move": move}
            outcome = self.post("/positions/explain", question)["resulting_position"]["outcome"]
            if outcome is not None and outcome["winner"] in update["seats"]:
                return move
        return tried[0]


def main() -> None:
    """Play until the process is stopped."""
    client = ServerClient(sys.argv[1], sys.stdin.readline().strip())
    for update in client.read_updates():
        client.play(update)


if __name__ == "__main__":
    main()
