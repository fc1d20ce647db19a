"""Batched loading: what is requested during a query is loaded by the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from ropewalk.server.db.batch_loader import BatchLoader, pad_keys
from ropewalk.server.errors import ApiError

pytestmark = pytest.mark.anyio


class Source:
    """Values of keys, which are their doubles; each query waits until it is released."""

    def __init__(self) -> None:
        self.queries: list[list[int]] = []
        self.release = asyncio.Event()
        self.error: ApiError | None = None

    async def load_many(self, keys: Sequence[int]) -> dict[int, int]:
        self.queries.append(list(keys))
        await self.release.wait()
        if self.error is not None:
            raise self.error
        return {key: 2 * key for key in keys if key > 0}


async def test_what_is_requested_during_a_query_is_loaded_together_after_it() -> None:
    source = Source()
    loader = BatchLoader(source.load_many, max_keys=3)
    first = asyncio.create_task(loader.load(1))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert source.queries == [[1]]
    others = [asyncio.create_task(loader.load(key)) for key in (1, 2, 2, 3, 4, -5)]
    await asyncio.sleep(0)
    source.release.set()
    assert await first == 2
    assert await asyncio.gather(*others) == [2, 4, 4, 6, 8, None]
    assert source.queries == [[1], [1, 2, 3], [4, -5]], "a value is read after its request, and once for all who wait"


async def test_an_error_reaches_everybody_who_waits_and_later_requests_are_answered() -> None:
    source = Source()
    loader = BatchLoader(source.load_many, max_keys=10)
    source.release.set()
    source.error = ApiError("storage", "database unavailable")
    found = await asyncio.gather(loader.load(1), loader.load(2), return_exceptions=True)
    assert all(error is source.error for error in found)
    source.error = None
    assert await loader.load(1) == 2


async def test_a_request_that_is_cancelled_does_not_affect_others() -> None:
    source = Source()
    loader = BatchLoader(source.load_many, max_keys=10)
    cancelled, kept = asyncio.create_task(loader.load(1)), asyncio.create_task(loader.load(1))
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.gather(cancelled, return_exceptions=True)
    source.release.set()
    assert await kept == 2
    assert cancelled.cancelled()


@pytest.mark.parametrize(("count", "length"), [(1, 1), (2, 2), (3, 4), (5, 8), (128, 128)])
def test_keys_are_padded_to_a_power_of_two(count: int, length: int) -> None:
    keys = [str(number) for number in range(count)]
    padded = pad_keys(keys)
    assert len(padded) == length
    assert set(padded) == set(keys)
