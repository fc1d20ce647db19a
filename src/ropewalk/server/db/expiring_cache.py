"""A cache of bounded size whose entries expire."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ExpiringCache(Generic[Key, Value]):
    """Maps at most `max_entries` keys to values that are valid for `max_age_seconds`; the least recently used go first.

    A value that was read from a database may be outdated before it is cached. Take the `generation` before reading and
    pass it to `set`: the value is then ignored if anything was discarded in between.
    """

    def __init__(self, max_entries: int, max_age_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.max_entries = max_entries
        self.max_age_seconds = max_age_seconds
        self.clock = clock
        self.generation = 0  # changes whenever entries are discarded because they are outdated
        self.entries: OrderedDict[Key, tuple[float, Value]] = OrderedDict()  # the time of `set`, and the value

    def __len__(self) -> int:
        return len(self.entries)

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, None if there is none or it has expired."""
        entry = self.entries.get(key)
        if entry is None:
            return None
        set_at, value = entry
        if self.clock() - set_at >= self.max_age_seconds:
            del self.entries[key]
            return None
        self.entries.move_to_end(key)
        return value

    def set(self, key: Key, value: Value, generation: int | None = None) -> None:
        """Cache a value, unless entries were discarded since `generation`."""
        if generation is not None and generation != self.generation:
            return
        self.entries[key] = (self.clock(), value)
        self.entries.move_to_end(key)
        if len(self.entries) > self.max_entries:
            self.entries.popitem(last=False)

    def discard(self, key: Key) -> None:
        """Remove the value of a key, which is outdated."""
        self.generation += 1
        self.entries.pop(key, None)

    def discard_where(self, is_outdated: Callable[[Value], bool]) -> None:
        """Remove all values that are outdated."""
        self.generation += 1
        for key in [key for key, (_, value) in self.entries.items() if is_outdated(value)]:
            del self.entries[key]

    def clear(self) -> None:
        """Remove all entries, which are outdated."""
        self.generation += 1
        self.entries.clear()
