"""Batched loading: values that are requested while a query runs are loaded together by the next one.

When a server is lost, all its clients connect to the others at once, and each of them needs its session, its user and its
match. One query for many of them costs little more than one query for one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BatchLoader(Generic[Key, Value]):
    """Loads values by `load_many`, one query at a time, each for at most `max_keys` keys.

    A value is always read after it was requested. All requests of a query that fails get its error.
    """

    def __init__(self, load_many: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Value]]], max_keys: int) -> None:
        self.load_many = load_many
        self.max_keys = max_keys
        self.waiting: dict[Key, asyncio.Future[Value | None]] = {}
        self.worker: asyncio.Task[None] | None = None

    async def load(self, key: Key) -> Value | None:
        """Return the value of a key, None if `load_many` finds none."""
        future = self.waiting.get(key)
        if future is None:
            future = self.waiting[key] = asyncio.get_running_loop().create_future()
        if self.worker is None or self.worker.done():
            self.worker = asyncio.create_task(self.run())
        return await asyncio.shield(future)  # others may wait for the same value

    async def run(self) -> None:
        """Load everything that waits."""
        while self.waiting:
            batch = {key: self.waiting.pop(key) for key in list(islice(self.waiting, self.max_keys))}
            try:
                found = await self.load_many(list(batch))
            except Exception as error:
                for future in batch.values():
                    future.set_exception(error)
                    future.exception()  # retrieved, also if all who waited have been cancelled
                continue
            for key, future in batch.items():
                future.set_result(found.get(key))


def pad_keys(keys: Sequence[str]) -> list[str]:
    """Return keys with the last one repeated up to a power of two, so that a list of keys in SQL has few lengths.

    The database prepares a statement anew for every length.
    """
    length = 1 << (len(keys) - 1).bit_length()
    return [*keys, *[keys[-1]] * (length - len(keys))]
