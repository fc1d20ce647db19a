"""The lines of JSON that `ropewalk analysis` understands, and the refusals of those that it does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any, NoReturn

from ..bots.bot import Limit
from ..errors import IllegalMove, RopewalkError, did_you_mean, ellipsis
from .following import MoveRefused

LONGEST_ID = 200
MOST_VISITS = 10**12
MOST_SECONDS = 86_400.0
LEAST_SECONDS = 0.001
MOST_MOVES = 10_000
MOST_LINES = 5
PRIORITIES = 10**9

Fields = Mapping[str, Any]


class QueryError(RopewalkError):
    """A query that cannot be answered: a stable code, and the field that is wrong where it is one."""

    def __init__(self, code: str, words: str, wrong: str | None = None) -> None:
        super().__init__(words)
        self.code = code
        self.wrong = wrong
        self.reason: str | None = None  # why the rules forbid a move, a code of the game's own


@dataclass(eq=False)
class Query:
    """A position to think about, as it was asked for."""

    id: str
    spec: str | None = None
    position: str | None = None
    moves: tuple[str, ...] = ()
    visits: int | None = None
    seconds: float | None = None
    lines: int = MOST_LINES
    priority: int = 0
    every: float | None = None  # seconds between two reports while it is thought about
    cancelled: Event = field(default_factory=Event)

    def limit(self) -> Limit:
        """When to answer."""
        return Limit(self.seconds, self.visits, self.cancelled)


@dataclass(frozen=True)
class Action:
    """Something to do at once."""

    id: str
    action: str
    terminate_id: str | None = None

    def echo(self) -> dict[str, Any]:
        """What the answer begins with."""
        named = {} if self.terminate_id is None else {"terminateId": self.terminate_id}
        return {"id": self.id, "action": self.action} | named


ACTIONS = {
    "query_version": ("id", "action"),
    "terminate": ("id", "action", "terminateId"),
    "terminate_all": ("id", "action"),
}


def read_fields(line: str) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        fields = json.loads(line, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise QueryError("not-json", f"a query is a JSON object in one line, not {ellipsis(line)}: {error}") from None
    if not isinstance(fields, dict):
        raise QueryError("not-json", f"a query is a JSON object, not {ellipsis(line)}")
    return fields


def refuse_constant(name: str) -> NoReturn:
    """NaN and the infinities are not JSON."""
    raise ValueError(f"{name} is not JSON")


def read_id(fields: Fields) -> str:
    """Whom to answer."""
    if "id" not in fields:
        raise QueryError("bad-id", 'a query needs an "id", which its answers repeat', "id")
    return text(1, LONGEST_ID, "bad-id")("id", fields["id"])


def read_query(fields: Fields) -> Query | Action:
    """What a line asks for."""
    if "action" in fields:
        return read_action(fields)
    refuse_unknown(fields, ["id", *FIELDS])
    values = {name: read(key, fields[key]) for key, (name, read) in FIELDS.items() if key in fields}
    return Query(read_id(fields), **values)


def read_action(fields: Fields) -> Action:
    """One of the few things that can be done besides thinking."""
    action = fields["action"]
    if not isinstance(action, str) or action not in ACTIONS:
        hint = did_you_mean(action, ACTIONS) if isinstance(action, str) else ""
        words = f"{ellipsis(str(action))} is no action; there are {', '.join(ACTIONS)}{hint}"
        raise QueryError("unknown-action", words, "action")
    refuse_unknown(fields, ACTIONS[action])
    if action == "terminate" and "terminateId" not in fields:
        raise QueryError("bad-field", 'terminate needs the "terminateId" of a query', "terminateId")
    meant = text(1, LONGEST_ID)("terminateId", fields["terminateId"]) if action == "terminate" else None
    return Action(read_id(fields), action, meant)


def refuse_unknown(fields: Fields, known: list[str] | tuple[str, ...]) -> None:
    """A field that is not understood is a mistake of spelling."""
    for name in fields:
        if name not in known:
            raise QueryError(
                "unknown-field", f"{ellipsis(name)} is no field here: {', '.join(known)}{did_you_mean(name, known)}", name
            )


def wrong(name: str, value: Any, right: str, code: str = "bad-field") -> QueryError:
    """Says what a field should be."""
    return QueryError(code, f'"{name}" should be {right}, not {ellipsis(json.dumps(value))}', name)


def text(shortest: int, longest: int, code: str = "bad-field") -> Callable[[str, Any], str]:
    """Reads a text of some length."""

    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or not shortest <= len(value) <= longest:
            raise wrong(name, value, f"a text of {shortest} to {longest} characters", code)
        return value

    return read


def whole(least: int, most: int) -> Callable[[str, Any], int]:
    """Reads a whole number within limits."""

    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise wrong(name, value, f"a whole number from {least} to {most}")
        return value

    return read


def seconds(name: str, value: Any) -> float:
    """Reads a time."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not LEAST_SECONDS <= value <= MOST_SECONDS:
        raise wrong(name, value, f"a number of seconds from {LEAST_SECONDS:g} to {MOST_SECONDS:g}")
    return float(value)


def moves(name: str, value: Any) -> tuple[str, ...]:
    """Reads a list of moves; whether they are any is for the game to say."""
    if not isinstance(value, list) or len(value) > MOST_MOVES or not all(isinstance(move, str) for move in value):
        raise wrong(name, value, f"a list of at most {MOST_MOVES} texts")
    return tuple(value)


LONGEST_TEXT = 1 << 20  # what the games themselves refuse comes much earlier
FIELDS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    "spec": ("spec", text(1, LONGEST_TEXT)),
    "position": ("position", text(1, LONGEST_TEXT)),
    "moves": ("moves", moves),
    "visits": ("visits", whole(1, MOST_VISITS)),
    "seconds": ("seconds", seconds),
    "lines": ("lines", whole(0, MOST_LINES)),
    "priority": ("priority", whole(-PRIORITIES, PRIORITIES)),
    "reportDuringSearchEvery": ("every", seconds),
}


def refused_move(error: MoveRefused) -> QueryError:
    """A move that cannot be played, as a refusal of the query."""
    is_illegal = isinstance(error.error, IllegalMove)
    refusal = QueryError("illegal-move" if is_illegal else "bad-move", str(error), "moves")
    refusal.reason = error.error.reason if isinstance(error.error, IllegalMove) else None
    return refusal
