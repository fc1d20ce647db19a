"""Errors of the API: a stable code with its HTTP status, a message, and details such as the limit that was exceeded."""

from __future__ import annotations

import math
from typing import Any

from ..errors import IllegalMove, MoveError, PositionError, RopewalkError, SpecError
from ..games.sequence import MoveSequenceError
from .logs import REQUEST_ID

HTTP_STATUS = {
    "bad-request": 422,  # missing or invalid fields
    "bad-spec": 422,
    "bad-position": 422,
    "bad-move": 422,  # not a move of this game in any position
    "illegal-move": 422,  # illegal in this position; `reason`, `witness` and `rule` say why, `index` which of several
    "bad-record": 422,
    "bad-name": 422,
    "weak-password": 422,
    "no-session": 401,  # create a guest or log in first
    "wrong-password": 401,
    "bad-engine-token": 401,  # of a remote engine worker
    "forbidden-origin": 403,  # sent by another site with the user's cookie
    "not-your-match": 403,
    "not-your-turn": 403,
    "not-yours": 403,
    "not-organiser": 403,  # only who created the tournament may do this
    "not-invited": 403,  # the tournament can be joined only with its link
    "account-needed": 403,  # register first
    "account-closed": 403,  # by an operator of the server
    "muted": 403,  # an operator of the server forbids chat messages
    "blocked": 403,  # one of two users has blocked the other
    "not-found": 404,
    "bad-method": 405,
    "too-slow": 408,  # the request was not complete in time; `limit` is the number of seconds
    "stale": 409,  # the position has changed; `match` is the match as it is now
    "stale-version": 409,  # an analysis was changed elsewhere; `version` is its version now
    "still-playing": 409,  # a match can be reviewed when it is over
    "not-playing": 409,  # the match waits for players, or is over
    "game-over": 409,  # the position has no moves
    "seat-taken": 409,
    "name-taken": 409,
    "no-such-offer": 409,
    "already-public": 409,  # a match cannot be published twice
    "no-draws": 409,  # the game has no draws
    "no-takebacks": 409,  # a rated match with a bot, or a match of a tournament
    "no-aborts": 409,  # a match of a tournament
    "already-joined": 409,  # you take part in the tournament
    "registration-closed": 409,  # the tournament has started or was cancelled
    "tournament-over": 409,  # it has ended or was cancelled
    "too-few-players": 409,  # `limit` is the number that a tournament needs
    "too-late": 409,  # an abort after both have moved, or a move after the time is up
    "id-reused": 409,  # the `request_id` was used for another action
    "engine-version": 409,  # a remote engine worker has another version than the server
    "lease-expired": 409,  # a remote engine worker has sent no heartbeat in time
    "too-large": 413,
    "too-many": 429,  # `limit` is the number allowed, `retry_after` the seconds to wait
    "disconnected": 499,  # the client has closed the connection, so this is not sent
    "internal": 500,
    "unreadable-match": 500,  # its log is damaged
    "engine-failed": 503,
    "busy": 503,
    "storage": 503,  # the database is unavailable; the request was not applied
    "storage-timeout": 503,  # the database has not answered in time; a repeated `request_id` is applied once
    "not-ready": 503,  # of the readiness check; `problems` says what is wrong
}


DEFAULT_RETRY_SECONDS = 10.0  # where the time until a limit allows more is not known


class ApiError(RopewalkError):
    """A request that the server cannot perform, with a code, a message and details."""

    def __init__(self, code: str, message: str, *, limit: float | None = None, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details if limit is None else {"limit": limit} | details

    @property
    def http_status(self) -> int:
        """The HTTP status of this code."""
        return HTTP_STATUS[self.code]

    def to_json(self) -> dict[str, Any]:
        """Return the error as a JSON object, with the id of the HTTP request; its texts can be encoded."""
        message = escape_surrogates(str(self))
        return {"code": self.code, "message": message, "details": self.details, "request_id": REQUEST_ID.get()}

    def headers(self) -> dict[str, str]:
        """Return the HTTP headers of the response: `Retry-After` in whole seconds, at least 1, for limits."""
        if self.http_status != HTTP_STATUS["too-many"] and not (self.code == "busy" and "limit" in self.details):
            return {}
        return {"Retry-After": str(max(1, math.ceil(self.details.get("retry_after", DEFAULT_RETRY_SECONDS))))}


def escape_surrogates(text: str) -> str:
    """Return a text in which lone surrogates, which have no encoding, are written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


DOMAIN_ERROR_CODES: dict[type[RopewalkError], str] = {
    SpecError: "bad-spec",
    PositionError: "bad-position",
    MoveError: "bad-move",
}


def from_domain_error(error: RopewalkError) -> ApiError:
    """Return the API error for an error of games or records; an API error is returned as it is."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, IllegalMove):
        witness = list(error.witness)
        return ApiError("illegal-move", str(error), move=error.move, reason=error.reason, witness=witness, rule=error.clause)
    if isinstance(error, MoveSequenceError):
        cause = from_domain_error(error.cause)
        return ApiError(cause.code, str(error), index=error.index, **{"move": error.move, **cause.details})
    return ApiError(DOMAIN_ERROR_CODES.get(type(error), "bad-request"), str(error))
