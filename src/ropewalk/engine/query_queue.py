"""Queries that are open: some wait, the most urgent first, and some are being thought about."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count
from threading import Condition
from typing import NamedTuple

from .analysis_queries import Query, QueryError


class QueueEntry(NamedTuple):
    """A place in the line."""

    rank: int  # minus the priority
    sequence_number: int  # among equals, who came first
    query: Query


class QueryQueue:
    """Where queries are handed in and taken up, by many threads."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._heap: list[QueueEntry] = []
        self._open_queries: dict[str, Query] = {}
        self._sequence_numbers = count()
        self._condition = Condition()
        self._is_closed = False

    def add(self, query: Query) -> None:
        """Hand a query in, unless there is no room for it, or another of its name is open."""
        with self._condition:
            if self._is_closed:
                raise QueryError("closing", "no more queries are taken: we are about to end")
            if query.id in self._open_queries:
                raise QueryError("duplicate-id", "a query with this id is not answered yet", "id")
            if len(self._heap) >= self.capacity:
                raise QueryError("queue-full", f"{self.capacity} queries wait already: ask again when some are answered")
            self._open_queries[query.id] = query
            heapq.heappush(self._heap, QueueEntry(-query.priority, next(self._sequence_numbers), query))
            self._condition.notify()

    def take(self) -> Query | None:
        """The most urgent query, as soon as there is one; None when no more will come."""
        with self._condition:
            self._condition.wait_for(lambda: self._heap or self._is_closed)
            return heapq.heappop(self._heap).query if self._heap else None

    def finish(self, query: Query) -> None:
        """A query is about to be answered for good: its id is free."""
        with self._condition:
            self._open_queries.pop(query.id, None)

    def find(self, query_id: str | None = None) -> list[Query]:
        """The open query of a name, or all of them."""
        with self._condition:
            return [query for query in self._open_queries.values() if query_id in (None, query.id)]

    def cancel(self, queries: Iterable[Query]) -> list[Query]:
        """Cancel some queries; those that nobody had taken up, which nobody else will answer."""
        with self._condition:
            for query in queries:
                query.cancelled.set()
            unstarted = [entry.query for entry in self._heap if entry.query.cancelled.is_set()]
            self._heap = [entry for entry in self._heap if not entry.query.cancelled.is_set()]
            heapq.heapify(self._heap)
            for query in unstarted:
                del self._open_queries[query.id]
            return unstarted

    def close(self) -> None:
        """No more queries come; those that are here are still taken up."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
