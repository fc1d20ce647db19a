"""The public interfaces as text: help of every command, the OpenAPI document, the messages of a match.

An intended change is written with

    python -m tests.golden.test_interfaces --write

and reviewed as a difference of the files in `interfaces`. Ids, names and times of the transcript are replaced.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from ropewalk.cli.main import COMMANDS
from ropewalk.server.app import create_app
from ropewalk.server.settings import ServerSettings
from tests.support.command_runner import call_ropewalk
from tests.support.server_process import Client, Server, Socket, run_server, start_match

INTERFACES = Path(__file__).with_name("interfaces")
VOLATILE_NUMBERS = ("timestamp_ms", "main_ms", "created_at", "server_time", "ended_at")


def help_text(command: str) -> str:
    """Return the help of a command, 80 columns wide."""
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        return call_ropewalk(*([command] if command else []), "--help").out


def openapi() -> str:
    """Return the OpenAPI document."""
    with tempfile.TemporaryDirectory() as folder:
        url = str(Path(folder) / "matches.db")
        document = create_app(ServerSettings(database_url=url, engine_workers=1, warm_up=False)).openapi()
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


class Transcript:
    """Messages with stable placeholders for ids and names, one a line."""

    def __init__(self, replaced: dict[str, str]) -> None:
        self.replaced = replaced
        self.lines: list[str] = []

    def add(self, direction: str, message: Any) -> None:
        """Append a message that was sent (">") or received ("<")."""
        text = json.dumps(normalise(message), sort_keys=True)
        for value, placeholder in self.replaced.items():
            text = text.replace(value, placeholder)
        self.lines.append(f"{direction} {text}")

    def exchange(self, socket: Socket, kinds: tuple[str, ...], **message: Any) -> None:
        """Send a message and note it with the next answer of one of these kinds."""
        socket.send(**message)
        self.add(">", message)
        self.add("<", socket.receive(*kinds))


def normalise(value: Any) -> Any:
    """Return a message with its times replaced by 0."""
    if isinstance(value, dict):
        return {key: 0 if key in VOLATILE_NUMBERS and value[key] is not None else normalise(value[key]) for key in value}
    return [normalise(each) for each in value] if isinstance(value, list) else value


def match_transcript() -> str:
    """Return the messages of a short match: snapshot, moves, refusals, chat, takeback, resignation."""
    with tempfile.TemporaryDirectory() as folder, run_server(str(Path(folder) / "matches.db")) as server:
        return record_match(server)


def record_match(server: Server) -> str:
    """Play the match of the transcript as its first player."""
    first, second, match = start_match(
        server, "tether-3", clock={"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5}
    )
    view = first.get_match(match)
    names = (
        {match: "MATCH", view["spectator_key"]: "KEY", view["epoch"]: "EPOCH"}
        | identify(first, "FIRST")
        | identify(second, "SECOND")
    )
    transcript = Transcript(names)
    with first.follow(match) as socket:
        transcript.add("<", socket.receive("snapshot"))
        responses = ("ack", "error")
        transcript.exchange(socket, responses, type="move", move="b2", position_version=1, request_id="one")
        transcript.exchange(socket, responses, type="move", move="b2", position_version=1, request_id="one")
        transcript.exchange(socket, responses, type="move", move="a1", position_version=1, request_id="two")
        second.act(match, "move", move="a1", position_version=first.get_match(match)["state"]["position_version"])
        transcript.add("<", socket.receive("events"))
        version = first.get_match(match)["state"]["position_version"]
        transcript.exchange(socket, responses, type="move", move="a1", position_version=version, request_id="three")
        transcript.exchange(socket, responses, type="chat", text="good game", request_id="four")
        transcript.exchange(socket, responses, type="dance", request_id="five")
        transcript.exchange(socket, responses, type="resign", request_id="six")
    transcript.add("<", first.get_match(match))
    return "\n".join(transcript.lines) + "\n"


def identify(client: Client, placeholder: str) -> dict[str, str]:
    """Return what names a user in messages, with its placeholder."""
    return {client.user["id"]: f"{placeholder}-ID", client.user["name"]: f"{placeholder}-NAME"}


MAKERS: dict[str, Callable[[], str]] = {
    "help.txt": partial(help_text, ""),
    **{f"help-{command}.txt": partial(help_text, command) for command in COMMANDS},
    "openapi.json": openapi,
    "match.jsonl": match_transcript,
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_interface_is_as_recorded(name: str) -> None:
    assert MAKERS[name]().splitlines() == (INTERFACES / name).read_text(encoding="utf-8").splitlines()


def test_every_recording_has_a_test() -> None:
    assert {path.name for path in INTERFACES.iterdir()} == set(MAKERS)


def test_the_transcript_names_no_user_of_the_recording() -> None:
    text = (INTERFACES / "match.jsonl").read_text(encoding="utf-8")
    assert re.findall(r'"user_id": "(?!FIRST-ID|SECOND-ID)', text) == []


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    INTERFACES.mkdir(exist_ok=True)
    for name, make in MAKERS.items():
        (INTERFACES / name).write_text(make(), encoding="utf-8", newline="\n")
        print(name, flush=True)
