"""Queries that are open: some wait, the most urgent first, and some are being thought about."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count
from threading import Condition
from typing import NamedTuple

from .queries import Query, QueryError


class Place(NamedTuple):
    """A place in the line."""

    rank: int  # minus the priority
    number: int  # among equals, who came first
    query: Query


class Desk:
    """Where queries are handed in and taken up, by many threads."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._line: list[Place] = []
        self._open: dict[str, Query] = {}
        self._numbers = count()
        self._news = Condition()
        self._is_closed = False

    def add(self, query: Query) -> None:
        """Hand a query in, unless there is no room for it, or another of its name is open."""
        with self._news:
            if self._is_closed:
                raise QueryError("closing", "no more queries are taken: we are about to end")
            if query.id in self._open:
                raise QueryError("duplicate-id", "a query with this id is not answered yet", "id")
            if len(self._line) >= self.room:
                raise QueryError("queue-full", f"{self.room} queries wait already: ask again when some are answered")
            self._open[query.id] = query
            heapq.heappush(self._line, Place(-query.priority, next(self._numbers), query))
            self._news.notify()

    def take(self) -> Query | None:
        """The most urgent query, as soon as there is one; None when no more will come."""
        with self._news:
            self._news.wait_for(lambda: self._line or self._is_closed)
            return heapq.heappop(self._line).query if self._line else None

    def settle(self, query: Query) -> None:
        """A query is about to be answered for good: its id is free."""
        with self._news:
            self._open.pop(query.id, None)

    def find(self, name: str | None = None) -> list[Query]:
        """The open query of a name, or all of them."""
        with self._news:
            return [query for query in self._open.values() if name in (None, query.id)]

    def withdraw(self, queries: Iterable[Query]) -> list[Query]:
        """Cancel some queries; those that nobody had taken up, which nobody else will answer."""
        with self._news:
            for query in queries:
                query.cancelled.set()
            idle = [place.query for place in self._line if place.query.cancelled.is_set()]
            self._line = [place for place in self._line if not place.query.cancelled.is_set()]
            heapq.heapify(self._line)
            for query in idle:
                del self._open[query.id]
            return idle

    def close(self) -> None:
        """No more queries come; those that are here are still taken up."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()
