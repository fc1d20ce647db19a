"""A thread-safe priority queue of analysis queries that also tracks the queries in progress, by id."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count
from threading import Condition
from typing import NamedTuple

from .protocol import Query, QueryError


class QueueEntry(NamedTuple):
    """A heap entry; entries are ordered by rank, then by sequence number."""

    rank: int  # negative priority
    sequence_number: int  # order of arrival among equal ranks
    query: Query


class QueryQueue:
    """The open queries: waiting ones in a heap of at most `capacity`, and those taken by workers. Thread-safe."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._heap: list[QueueEntry] = []
        self._open_queries: dict[str, Query] = {}
        self._sequence_numbers = count()
        self._condition = Condition()
        self._is_closed = False

    def add(self, query: Query) -> None:
        """Add a query. Raises QueryError if the queue is closed or full, or the id is in use."""
        with self._condition:
            if self._is_closed:
                raise QueryError("closing", "the engine is shutting down and accepts no more queries")
            if query.id in self._open_queries:
                raise QueryError("duplicate-id", "another open query has this id", "id")
            if len(self._heap) >= self.capacity:
                raise QueryError("queue-full", f"the queue is full ({self.capacity} queries); try again later")
            self._open_queries[query.id] = query
            heapq.heappush(self._heap, QueueEntry(-query.priority, next(self._sequence_numbers), query))
            self._condition.notify()

    def take(self) -> Query | None:
        """Remove and return the first query, waiting for one; None once the queue is closed and empty."""
        with self._condition:
            self._condition.wait_for(lambda: self._heap or self._is_closed)
            return heapq.heappop(self._heap).query if self._heap else None

    def finish(self, query: Query) -> None:
        """Mark a query as finished: its id may be used again. Call this before the response is sent."""
        with self._condition:
            self._open_queries.pop(query.id, None)

    def find(self, query_id: str | None = None) -> list[Query]:
        """Return the open query with an id, or all open queries for None."""
        with self._condition:
            return [query for query in self._open_queries.values() if query_id in (None, query.id)]

    def cancel(self, queries: Iterable[Query]) -> list[Query]:
        """Cancel queries and remove those not yet taken; return the removed ones.

        The caller must respond to these; queries in progress get their response from their worker.
        """
        with self._condition:
            for query in queries:
                query.is_terminated = True
                query.cancelled.set()
            unstarted = [entry.query for entry in self._heap if entry.query.is_terminated]
            self._heap = [entry for entry in self._heap if not entry.query.is_terminated]
            heapq.heapify(self._heap)
            for query in unstarted:
                del self._open_queries[query.id]
            return unstarted

    def close(self) -> None:
        """Reject further queries; waiting ones are still taken."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
