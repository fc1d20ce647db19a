"""Work with the rules of games that a request causes: it is charged to its client by cost, then run on a bounded pool.

A unit of cost is what replaying one move on a board of 100 cells takes: on a small machine about 0.1 ms of processor time as
interpreted Python, and less than a tenth of it with compiled kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

from ...games.game import Game
from ..services import AppServices
from .client_address import client_address
from .dependencies import LimiterDep, OptionalUser, ServicesDep, get_quotas
from .quotas import SharedQuotas
from .rate_limit import TokenBucketLimiter

CELLS_PER_UNIT = 100
MIN_COST = 1.0
VIEW_COST_FACTOR = 2.0  # of a position that is also described in the response
DESCRIPTION_COST_FACTOR = 20.0  # of a whole board, with its outlines and map
COMPILED_COST_FACTOR = 0.1
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True)
class WorkRequester:
    """The client whose request causes work: a user, or the visitors of an address without a session."""

    services: AppServices
    limiter: TokenBucketLimiter
    quotas: SharedQuotas
    address: str
    user_id: str | None

    @property
    def client(self) -> str:
        """The key under which the work is counted."""
        return self.address if self.user_id is None else self.user_id

    async def load_game(self, spec: str) -> Game:
        """Return the game of a spec; one that is not in memory counts as a board of the address. Raises SpecError."""
        games = self.services.games
        if spec not in games.games:
            self.limiter.consume("boards", self.address)
        return await games.get(spec)

    async def run(
        self,
        cost: float,
        function: Callable[Arguments, Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Charge a cost, and return the result of a function that runs in a thread.

        Raises:
            ApiError: `too-many` or `busy`: the client has used up its units, or too much work waits.
        """
        self.limiter.consume("units of work", self.client, cost)
        self.limiter.consume("units of work of an address", self.address, cost)
        return await self.services.executors.rules.run(self.client, function, *args, **kwargs)


def estimate_cost(game: Game, moves: int, views: int = 1) -> float:
    """Return the cost of replaying moves and of describing a number of positions of a game."""
    replayed = moves * (COMPILED_COST_FACTOR if game._stepper.is_compiled else 1.0)
    return max(MIN_COST, (replayed + VIEW_COST_FACTOR * views) * len(game.board) / CELLS_PER_UNIT)


def estimate_description_cost(game: Game) -> float:
    """Return the cost of describing a board."""
    return max(MIN_COST, DESCRIPTION_COST_FACTOR * len(game.board) / CELLS_PER_UNIT)


def get_requester(
    connection: HTTPConnection, services: ServicesDep, limiter: LimiterDep, user: OptionalUser
) -> WorkRequester:
    """Return the client of a request."""
    user_id = None if user is None else user.id
    return WorkRequester(services, limiter, get_quotas(connection), client_address(connection.scope), user_id)


RequesterDep = Annotated[WorkRequester, Depends(get_requester)]
