"""Checks of a whole database: logs without gaps, everything that can be derived from them, and what was acknowledged.

Every check returns a list of violations in words, so that a test can report all of them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Connection

from ropewalk.games.registry import spec_of
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.match_repository import MatchRecordRow, match_from_row
from ropewalk.server.db.rating_repository import PEOPLE, is_counted, is_rating_due
from ropewalk.server.db.tables import (
    counters,
    lobby_events,
    match_events,
    matches,
    pending_ratings,
    rating_changes,
    ratings,
    result_counts,
)
from ropewalk.server.domain import clocks
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.glicko2 import Rating, update_rating
from ropewalk.server.domain.match import MatchState, replay_events
from ropewalk.server.matches.live_match import index_columns
from tests.support.player_pair import Acknowledgement, PlayerPair

DETECTION_SECONDS = 1.0  # after a restore, within which servers notice it
RATING_TOLERANCE = 1e-6


@dataclass(frozen=True)
class RestoreTimes:
    """When a backup was made, and when it was restored, by the clock of the clients."""

    backup_began: float
    backup_ended: float
    restore_began: float
    restore_ended: float


@dataclass(frozen=True)
class StoredData:
    """Everything in a database that matches and ratings consist of, read in one transaction."""

    rows: dict[str, MatchRecordRow]
    logs: dict[str, list[MatchEvent]]
    lobby_seqs: list[int]
    lobby_counter: int
    ratings: dict[tuple[str, str, str], Any]  # by user id, game and pool
    changes: list[Any]
    pending: list[str]
    counts: dict[str, tuple[int, int, int]]


async def load_stored_data(url: str) -> StoredData:
    """Read a database, in one transaction that sees one state of it."""
    database = Database(parse_url(url))
    try:
        return await database.run_read(read_stored_data)
    finally:
        await database.close()


def event_from_row(row: Any) -> MatchEvent:
    """Return the event that a row stores."""
    return MatchEvent(row.seq, row.timestamp_ms, row.type, row.seat, row.user_id, json.loads(row.payload), row.request_id)


def read_stored_data(connection: Connection) -> StoredData:
    """Read everything on a connection."""
    logs: dict[str, list[MatchEvent]] = defaultdict(list)
    for row in connection.execute(select(match_events).order_by(match_events.c.match_id, match_events.c.seq)):
        logs[row.match_id].append(event_from_row(row))
    return StoredData(
        {row.id: match_from_row(row) for row in connection.execute(select(matches))},
        dict(logs),
        list(connection.scalars(select(lobby_events.c.seq).order_by(lobby_events.c.seq))),
        connection.scalar(select(counters.c.value).where(counters.c.name == "lobby")) or 0,
        {(row.user_id, row.game, row.pool): row for row in connection.execute(select(ratings))},
        list(connection.execute(select(rating_changes))),
        list(connection.scalars(select(pending_ratings.c.match_id))),
        {row.spec: tuple(row)[1:] for row in connection.execute(select(result_counts))},
    )


def check_logs(data: StoredData) -> list[str]:
    """Require logs numbered from 1 without gaps, in the order of time, and with every request once."""
    problems = []
    for match_id, log in data.logs.items():
        if [event.seq for event in log] != list(range(1, len(log) + 1)):
            problems.append(f"match {match_id}: the numbers of its events are {[event.seq for event in log]}")
        times = [event.timestamp_ms for event in log]
        if times != sorted(times):
            problems.append(f"match {match_id}: its events are not in the order of time")
        requests = Counter((event.user_id, event.request_id) for event in log if event.request_id is not None)
        problems += [f"match {match_id}: request {key} was stored {n} times" for key, n in requests.items() if n > 1]
        if match_id not in data.rows:
            problems.append(f"match {match_id}: it has events but no row")
    if data.lobby_seqs != list(range(1, data.lobby_counter + 1)):
        problems.append(f"lobby: {len(data.lobby_seqs)} events, but the counter is {data.lobby_counter}")
    return problems


def check_derived_data(data: StoredData) -> tuple[list[str], dict[str, MatchState]]:
    """Require that the rows of matches and the counted results follow from the logs. Returns also the replayed states."""
    problems, states = [], {}
    counted: Counter[tuple[str, int | None]] = Counter()
    for match_id, row in data.rows.items():
        state = states[match_id] = replay_events(row.config, data.logs.get(match_id, []))
        for name, value in index_columns(state, row).items():
            stored = {"seat0_user_id": row.seats[0], "seat1_user_id": row.seats[1], "is_public": row.config.is_public}
            found = stored[name] if name in stored else getattr(row, name)
            if found != value:
                problems.append(f"match {match_id}: column {name} is {found!r}, the log says {value!r}")
        if is_counted(state) and state.result is not None:
            counted[row.config.spec, state.result.winner] += 1
    expected = {spec: tuple(counted[spec, winner] for winner in (0, None, 1)) for spec, _ in counted}
    if expected != data.counts:
        problems.append(f"results: {data.counts} are counted, the logs say {expected}")
    return problems, states


def check_ratings(data: StoredData, states: dict[str, MatchState]) -> list[str]:
    """Require that ratings follow from the results: every rated match of people once, in the order of their ends.

    Only for users who play one match at a time, whose results have one order.
    """
    due = {match_id for match_id, state in states.items() if is_rating_due(state)}
    changed = Counter(change.match_id for change in data.changes)
    problems = [f"match {match_id}: {changed[match_id]} changes of ratings instead of 2"
                for match_id in due - set(data.pending) if changed[match_id] != 2]  # fmt: skip
    problems += [f"match {match_id}: it changed ratings, but is not rated or not over" for match_id in set(changed) - due]
    expected: dict[tuple[str, str, str], Rating] = defaultdict(Rating)
    for match_id in sorted(due - set(data.pending), key=lambda name: data.rows[name].ended_at or 0):
        row = data.rows[match_id]
        keys = [(str(user_id), spec_of(row.config.spec).key, PEOPLE) for user_id in row.seats]
        before = [expected[key] for key in keys]
        score = 0.5 if row.winner_seat is None else 1.0 - row.winner_seat
        for seat, key in enumerate(keys):
            own = score if seat == 0 else 1 - score
            expected[key] = update_rating(before[seat], before[1 - seat], own, row.ended_at or 0)
    for key, rating in expected.items():
        found = data.ratings.get(key)
        if found is None or abs(found.rating - rating.rating) > RATING_TOLERANCE or found.games != rating.games:
            problems.append(f"rating of {key}: {found} is stored, the logs say {rating}")
    return problems


def classify(sent_at: float, acknowledged_at: float, restores: Iterable[RestoreTimes]) -> str:
    """Return whether an acknowledged action must be in the log: `required`, `removed` by a restore, or `uncertain`.

    Every restore is of a backup that was made after the restore before it.
    """
    for restore in restores:
        if sent_at > restore.restore_ended + DETECTION_SECONDS or acknowledged_at <= restore.backup_began:
            continue
        is_removed = sent_at > restore.backup_ended and acknowledged_at < restore.restore_began
        return "removed" if is_removed else "uncertain"
    return "required"


def check_pair(pair: PlayerPair, data: StoredData, restores: Sequence[RestoreTimes], count: int | None = None) -> list[str]:
    """Require that everything acknowledged is stored once and in order, except exactly what restores have removed.

    With a `count` only the first acknowledgements are checked: those from before the data was read.
    """
    log, name = data.logs.get(pair.match_id, []), f"match {pair.match_id}"
    problems = []
    last = 0
    for acknowledged in pair.acknowledged[:count]:
        seq = acknowledged.event["seq"]
        is_stored = seq <= len(log) and is_same_event(log[seq - 1], acknowledged)
        expected = classify(acknowledged.sent_at, acknowledged.acknowledged_at, restores)
        if expected == "required" and not is_stored:
            found = log[seq - 1] if seq <= len(log) else f"a log of {len(log)} events"
            problems.append(f"{name}: event {seq} was acknowledged and is lost: {acknowledged}; there is {found}")
        if expected == "removed" and is_stored:
            problems.append(f"{name}: event {seq} is newer than the backup that was restored, but still there")
        if expected == "required" and seq <= last:
            problems.append(f"{name}: event {seq} was acknowledged after event {last}")
        last = seq if expected == "required" else last
    unknown = [event for event in log if event.request_id is not None and event.request_id not in pair.sent_ids]
    return problems + [f"{name}: event {event} was never sent" for event in unknown]


def is_same_event(stored: MatchEvent, acknowledged: Acknowledgement) -> bool:
    """Return whether a stored event is the one that was acknowledged."""
    view = acknowledged.event
    return (stored.request_id, stored.timestamp_ms, stored.type, stored.seat, stored.user_id, dict(stored.data)) == (
        acknowledged.request_id, view["timestamp_ms"], view["type"], view["seat"], view["user_id"], view["data"]
    )  # fmt: skip


def check_view(row: MatchRecordRow, log: Sequence[MatchEvent], view: dict[str, Any]) -> list[str]:
    """Require that a match as a server shows it is the one that follows from its log."""
    shown, name = view["state"], f"match {row.id}"
    if not shown["seq"] <= len(log):
        return [f"{name}: the server shows event {shown['seq']}, but {len(log)} are stored"]
    state = replay_events(row.config, log[: shown["seq"]])
    problems = []
    if shown["position"]["text"] != str(state.position) or shown["status"] != state.status:
        problems.append(f"{name}: the server shows another position than its log leads to")
    left = clocks.read_clocks(row.config.clock, state.clocks, shown["server_time"])
    if shown["clocks"] is not None and [clock["main_ms"] for clock in shown["clocks"]] != [mine.main_ms for mine in left]:
        problems.append(f"{name}: the server shows the clocks {shown['clocks']}, the log says {left}")
    return problems
