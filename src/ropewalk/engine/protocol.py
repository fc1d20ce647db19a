"""Parsing of the analysis protocol's queries and control requests, with error codes for invalid ones.

Queries are queued and executed by a worker; control requests are executed at once. The protocol is described in
`docs/engine.md`, which lists all fields and codes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any, NoReturn

from ..bots.bot import Limit
from ..errors import IllegalMove, RopewalkError
from ..games.sequence import MoveSequenceError
from ..text import did_you_mean, ellipsis

MAX_ID_LENGTH = 200
MAX_VISITS = 10**12
MAX_SECONDS = 86_400.0
MIN_SECONDS = 0.001
MAX_MOVES = 10_000
MAX_ANALYSED_POSITIONS = 1_000  # of one query
MAX_LINES, DEFAULT_LINES = 20, 5
MAX_PRIORITY = 10**9
MAX_LEVEL = 99  # of any game; how many levels a game has is checked when its name is known
MAX_SEED = 2**31 - 1
ANALYSE, CHOOSE_MOVE, SOLVE, WARM_UP = "analyse", "choose_move", "solve", "warm_up"

QueryFields = Mapping[str, Any]


class QueryError(RopewalkError):
    """An invalid query: a stable code, and the field that is wrong if it is one."""

    def __init__(self, code: str, message: str, field_name: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.field_name = field_name
        self.reason: str | None = None  # reason code of the rules for an illegal move


class PolledEvent(Event):
    """An event that counts how often it was checked: a search that goes on checks it several times a second."""

    def __init__(self) -> None:
        super().__init__()
        self.poll_count = 0

    def is_set(self) -> bool:
        """Return whether the event is set, and count the check."""
        self.poll_count += 1
        return super().is_set()


@dataclass(eq=False)
class Query:
    """A query: a position to analyse or to solve, a move to choose or kernels to compile, with the limit of the search."""

    id: str
    action: str = ANALYSE
    spec: str | None = None
    position: str | None = None
    moves: tuple[str, ...] = ()
    level: int | None = None  # None for the level of the server; for WARM_UP one of each kind of search
    seed: int = 0  # equal queries get equal responses
    visits: int | None = None
    seconds: float | None = None
    lines: int = DEFAULT_LINES
    analyse_moves: tuple[int, ...] | None = None  # numbers of moves after which to analyse; None for after all moves
    allow_moves: tuple[str, ...] | None = None  # the only moves to search in the position; None for all
    avoid_moves: tuple[str, ...] = ()  # moves not to search in the position
    include_policy: bool = False
    include_ownership: bool = False
    priority: int = 0
    every: float | None = None  # seconds between reports during the search; None for no reports
    cancelled: PolledEvent = field(default_factory=PolledEvent)  # ends the search
    is_terminated: bool = False  # the client has cancelled the query

    def limit(self, moves: tuple[str, ...] | None = None) -> Limit:
        """Return the limit of an analysis that searches only `moves` in the position, all if it is None."""
        return Limit(self.seconds, self.visits, self.cancelled, moves)


@dataclass(frozen=True)
class ControlRequest:
    """A request that is executed at once, outside the queue; its action is a key of CONTROL_FIELDS."""

    id: str
    action: str
    terminate_id: str | None = None

    def echo(self) -> dict[str, Any]:
        """Return the fields of the request, which its response repeats."""
        target = {} if self.terminate_id is None else {"terminateId": self.terminate_id}
        return {"id": self.id, "action": self.action} | target


CONTROL_FIELDS = {
    "query_version": ("id", "action"),
    "terminate": ("id", "action", "terminateId"),
    "terminate_all": ("id", "action"),
}
QUERY_FIELDS = {  # of the actions that are queued
    CHOOSE_MOVE: ("id", "action", "spec", "position", "moves", "level", "seed", "seconds", "priority"),
    SOLVE: ("id", "action", "spec", "position", "moves", "priority"),
    WARM_UP: ("id", "action", "spec", "level", "priority"),
}
ACTION_FIELDS = CONTROL_FIELDS | QUERY_FIELDS


def parse_fields(line: str) -> dict[str, Any]:
    """Return the JSON object in a line. Raises QueryError "not-json"."""
    try:
        fields = json.loads(line, parse_constant=reject_constant)
    except (ValueError, RecursionError) as error:
        raise QueryError("not-json", f"expected a JSON object on one line, not {ellipsis(line)}: {error}") from None
    if not isinstance(fields, dict):
        raise QueryError("not-json", f"expected a JSON object, not {ellipsis(line)}")
    return fields


def reject_constant(name: str) -> NoReturn:
    """Raise ValueError for NaN and infinities, which json accepts but JSON does not have."""
    raise ValueError(f"{name} is not valid JSON")


def parse_id(fields: QueryFields) -> str:
    """Return the id of a query. Raises QueryError "bad-id"."""
    if "id" not in fields:
        raise QueryError("bad-id", 'missing field "id"', "id")
    return make_text_parser(1, MAX_ID_LENGTH, "bad-id")("id", fields["id"])


def parse_request(fields: QueryFields) -> Query | ControlRequest:
    """Return the query or control request in the fields of a line. Raises QueryError."""
    if "action" not in fields:
        reject_unknown_fields(fields, ["id", *FIELD_PARSERS])
        return parse_query(ANALYSE, fields)
    action = parse_action(fields["action"])
    reject_unknown_fields(fields, ACTION_FIELDS[action])
    return parse_query(action, fields) if action in QUERY_FIELDS else parse_control_request(action, fields)


def parse_action(action: Any) -> str:
    """Return an action. Raises QueryError "unknown-action"."""
    if not isinstance(action, str) or action not in ACTION_FIELDS:
        hint = did_you_mean(action, ACTION_FIELDS) if isinstance(action, str) else ""
        message = f"unknown action {ellipsis(str(action))}; allowed are {', '.join(ACTION_FIELDS)}{hint}"
        raise QueryError("unknown-action", message, "action")
    return action


def parse_query(action: str, fields: QueryFields) -> Query:
    """Return the query in fields that its action allows. Raises QueryError."""
    values = {name: parse(key, fields[key]) for key, (name, parse) in FIELD_PARSERS.items() if key in fields}
    return Query(parse_id(fields), action, **values)


def parse_control_request(action: str, fields: QueryFields) -> ControlRequest:
    """Return the control request in fields that its action allows. Raises QueryError."""
    if action == "terminate" and "terminateId" not in fields:
        raise QueryError("bad-field", 'missing field "terminateId"', "terminateId")
    terminate_id = (
        make_text_parser(1, MAX_ID_LENGTH)("terminateId", fields["terminateId"]) if action == "terminate" else None
    )
    return ControlRequest(parse_id(fields), action, terminate_id)


def reject_unknown_fields(fields: QueryFields, allowed: list[str] | tuple[str, ...]) -> None:
    """Raise QueryError for a field that is not allowed, with a spelling suggestion."""
    for name in fields:
        if name not in allowed:
            raise QueryError(
                "unknown-field",
                f"unknown field {ellipsis(name)}; allowed are {', '.join(allowed)}{did_you_mean(name, allowed)}",
                name,
            )


def field_error(name: str, value: Any, expected: str, code: str = "bad-field") -> QueryError:
    """Return the error of an invalid field."""
    return QueryError(code, f'"{name}" must be {expected}, not {ellipsis(json.dumps(value))}', name)


def make_text_parser(min_length: int, max_length: int, code: str = "bad-field") -> Callable[[str, Any], str]:
    """Return a parser of strings of `min_length` to `max_length` characters."""

    def parse(name: str, value: Any) -> str:
        if not isinstance(value, str) or not min_length <= len(value) <= max_length:
            raise field_error(name, value, f"a string of {min_length} to {max_length} characters", code)
        return value

    return parse


def make_int_parser(minimum: int, maximum: int) -> Callable[[str, Any], int]:
    """Return a parser of integers in [minimum, maximum]."""

    def parse(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
            raise field_error(name, value, f"an integer from {minimum} to {maximum}")
        return value

    return parse


def parse_seconds(name: str, value: Any) -> float:
    """Parse a number of seconds in [MIN_SECONDS, MAX_SECONDS]."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not MIN_SECONDS <= value <= MAX_SECONDS:
        raise field_error(name, value, f"a number of seconds from {MIN_SECONDS:g} to {MAX_SECONDS:g}")
    return float(value)


def parse_moves(name: str, value: Any) -> tuple[str, ...]:
    """Parse a list of at most MAX_MOVES strings; legality is checked when they are played."""
    if not isinstance(value, list) or len(value) > MAX_MOVES or not all(isinstance(move, str) for move in value):
        raise field_error(name, value, f"a list of at most {MAX_MOVES} strings")
    return tuple(value)


def parse_root_moves(name: str, value: Any) -> tuple[str, ...]:
    """Parse a list of 1 to MAX_MOVES strings; whether they are legal moves is checked when the position is known."""
    if value == []:
        raise field_error(name, value, f"a list of 1 to {MAX_MOVES} moves; leave the field out to search all moves")
    return parse_moves(name, value)


def parse_move_numbers(name: str, value: Any) -> tuple[int, ...]:
    """Parse a list of 1 to MAX_ANALYSED_POSITIONS numbers of moves; whether there are so many moves is checked later."""
    is_list = isinstance(value, list) and 0 < len(value) <= MAX_ANALYSED_POSITIONS
    if not is_list or not all(type(number) is int and 0 <= number <= MAX_MOVES for number in value):
        expected = f"a list of 1 to {MAX_ANALYSED_POSITIONS} integers from 0 to the number of moves"
        raise field_error(name, value, expected)
    return tuple(value)


def parse_flag(name: str, value: Any) -> bool:
    """Parse true or false."""
    if not isinstance(value, bool):
        raise field_error(name, value, "true or false")
    return value


MAX_TEXT_LENGTH = 1 << 20  # the games' own limits are much lower

# JSON key: attribute of Query, parser of (key, value)
FIELD_PARSERS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    "spec": ("spec", make_text_parser(1, MAX_TEXT_LENGTH)),
    "position": ("position", make_text_parser(1, MAX_TEXT_LENGTH)),
    "moves": ("moves", parse_moves),
    "level": ("level", make_int_parser(1, MAX_LEVEL)),
    "seed": ("seed", make_int_parser(0, MAX_SEED)),
    "visits": ("visits", make_int_parser(1, MAX_VISITS)),
    "seconds": ("seconds", parse_seconds),
    "lines": ("lines", make_int_parser(0, MAX_LINES)),
    "analyse_moves": ("analyse_moves", parse_move_numbers),
    "allow_moves": ("allow_moves", parse_root_moves),
    "avoid_moves": ("avoid_moves", parse_root_moves),
    "include_policy": ("include_policy", parse_flag),
    "include_ownership": ("include_ownership", parse_flag),
    "priority": ("priority", make_int_parser(-MAX_PRIORITY, MAX_PRIORITY)),
    "reportDuringSearchEvery": ("every", parse_seconds),
}


def make_move_error(error: MoveSequenceError) -> QueryError:
    """Return the QueryError of a move that cannot be played, with the reason code of the rules."""
    is_illegal = isinstance(error.cause, IllegalMove)
    query_error = QueryError("illegal-move" if is_illegal else "bad-move", str(error), "moves")
    query_error.reason = error.cause.reason if isinstance(error.cause, IllegalMove) else None
    return query_error
