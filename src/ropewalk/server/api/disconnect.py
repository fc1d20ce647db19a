"""Cancellation of work for a request whose client has closed the connection, or whose server stops."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from ..errors import ApiError

Result = TypeVar("Result")


async def run_while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of `work`, which is cancelled when the client disconnects or the server stops.

    The body of the request must have been read. Raises ApiError "busy" if the server stops, or "disconnected", which is
    not sent to any client.
    """
    stopping: asyncio.Event = request.app.state.services.stopping
    work_task = asyncio.create_task(work)
    disconnect_task = asyncio.create_task(wait_for_disconnect(request))
    stop_task = asyncio.create_task(stopping.wait())
    tasks = (work_task, disconnect_task, stop_task)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not work_task.done():
            if stop_task.done():
                raise ApiError("busy", "the server is stopping; send the request again")
            raise ApiError("disconnected", "the client closed the connection")
        return work_task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def wait_for_disconnect(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
