"""Cancellation of work for a request whose client has closed the connection."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from ..errors import ApiError

Result = TypeVar("Result")


async def run_while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of `work`, which is cancelled when the client disconnects.

    The body of the request must have been read. Raises ApiError "disconnected", which is not sent to any client.
    """
    work_task = asyncio.create_task(work)
    disconnect_task = asyncio.create_task(wait_for_disconnect(request))
    try:
        await asyncio.wait((work_task, disconnect_task), return_when=asyncio.FIRST_COMPLETED)
        if not work_task.done():
            raise ApiError("disconnected", "the client closed the connection")
        return work_task.result()
    finally:
        work_task.cancel()
        disconnect_task.cancel()
        await asyncio.gather(work_task, disconnect_task, return_exceptions=True)


async def wait_for_disconnect(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
