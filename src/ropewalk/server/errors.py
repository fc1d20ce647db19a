"""Every refusal of the server: a stable code, its HTTP status, words for people, and the limit where there is one."""

from __future__ import annotations

import math
from typing import Any

from ..errors import IllegalMove, MoveError, PositionError, RopewalkError, SpecError

HTTP_STATUS = {
    "bad-request": 422,  # fields are missing or wrong
    "bad-spec": 422,
    "bad-position": 422,
    "bad-move": 422,  # no move of this game in any position
    "illegal-move": 422,  # against the rules here; `reason`, `witness` and `rule` in the details say why
    "bad-record": 422,
    "bad-name": 422,
    "weak-password": 422,
    "no-session": 401,  # sit down first
    "wrong-password": 401,
    "forbidden-origin": 403,  # a request that another site has made in your name
    "not-your-match": 403,
    "not-your-turn": 403,
    "not-yours": 403,
    "not-found": 404,
    "bad-method": 405,
    "stale": 409,  # the match has moved on; `state` in the details is the current match
    "not-playing": 409,  # the match waits for players, or is over
    "game-over": 409,  # the position has no moves
    "seat-taken": 409,
    "name-taken": 409,
    "no-such-offer": 409,
    "no-draws": 409,  # this game has none
    "too-late": 409,  # an abort after the second turn, a move after the flag
    "id-reused": 409,  # the client's id was used for something else
    "too-large": 413,
    "too-many": 429,  # details: `limit`, and `retry_after` in seconds
    "internal": 500,
    "engine-failed": 503,
    "busy": 503,
    "storage": 503,  # the database cannot be written or reached; nothing was done
}


class ApiError(RopewalkError):
    """Something that the server does not do, and why."""

    def __init__(self, code: str, message: str, *, limit: float | None = None, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details if limit is None else {"limit": limit} | details

    @property
    def http_status(self) -> int:
        """The HTTP status of this code."""
        return HTTP_STATUS[self.code]

    def to_json(self) -> dict[str, Any]:
        """The refusal as JSON."""
        return {"code": self.code, "message": str(self), "details": self.details}

    def headers(self) -> dict[str, str]:
        """Return the HTTP headers of the answer: `Retry-After` in whole seconds, at least 1, where waiting helps."""
        seconds = self.details.get("retry_after") if self.code == "too-many" else None
        return {} if seconds is None else {"Retry-After": str(max(1, math.ceil(seconds)))}


DOMAIN_ERROR_CODES: dict[type[RopewalkError], str] = {
    SpecError: "bad-spec",
    PositionError: "bad-position",
    MoveError: "bad-move",
}


def from_domain_error(error: RopewalkError) -> ApiError:
    """A refusal of the games or records below as one of ours."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, IllegalMove):
        witness = list(error.witness)
        return ApiError("illegal-move", str(error), move=error.move, reason=error.reason, witness=witness, rule=error.clause)
    return ApiError(DOMAIN_ERROR_CODES.get(type(error), "bad-request"), str(error))
