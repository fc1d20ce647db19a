"""The repository of the opening explorer: what was played in each position, counted once for every game on any server.

Matches wait in `explorer_pending`, into which the transaction that ends a match writes. The transaction that counts games
inserts their ids into `explorer_games`; a game whose id is there was counted before, by this server or another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, bindparam, delete, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from ...games.canonical_key import OpeningStep
from ..domain.match import MatchState
from .database import Database
from .rating_repository import is_counted
from .tables import explorer_games, explorer_moves, explorer_pending, explorer_values, match_events, matches, users
from .user_repository import User

MAX_LAST_GAMES = 5  # for each move
MAX_LAST_MATCHES = 5  # in an answer
MAX_LAST_MOVES = 2 * MAX_LAST_MATCHES  # whose last games are read, because matches of erased users are not shown
MAX_LAST_GAMES_LENGTH = MAX_LAST_GAMES * 25  # characters; an id has at most 24
RESULT_COLUMNS = ("first_wins", "draws", "second_wins")
BOARD_EVENTS = ("move-played", "takeback-accepted")


@dataclass(frozen=True)
class OpeningGame:
    """A game to count: its id, the steps of its opening, and its winner (None: a draw)."""

    id: str
    steps: Sequence[OpeningStep]
    winner: int | None
    match_id: str | None = None  # None: imported, so that no match can be shown
    ended_at: int = 0


@dataclass(frozen=True)
class PlayedOpeningMove:
    """A move that was played in a position, with the results of its games, and the value after it where it is known."""

    move: int  # the id of the canonical image
    results: tuple[int, int, int]  # wins of seat 0, draws, wins of seat 1
    last_played_at: int
    last_games: tuple[str, ...]  # matches, the newest first
    value: float | None  # of seat 0
    is_proven: bool


@dataclass(frozen=True)
class OpeningValue:
    """The value of a position for seat 0, from a review."""

    position_key: int
    value: float
    is_proven: bool


@dataclass(frozen=True)
class OpeningMatch:
    """A public match in which a position occurred; nobody of its players is erased."""

    id: str
    players: tuple[User, User]  # by seat
    winner: int | None
    ended_at: int | None


@dataclass(frozen=True)
class OpeningRecord:
    """What is stored about a position: the moves that were played, the most frequent first, value and last matches."""

    moves: Sequence[PlayedOpeningMove]
    value: OpeningValue | None
    last_matches: Sequence[OpeningMatch]


def is_explorer_due(state: MatchState) -> bool:
    """Return whether the explorer counts a match: public, over, of two players, not aborted, from the start of the game."""
    return is_counted(state) and state.is_public and state.config.initial_position is None


class ExplorerRepository:
    """Counts games, and reads what was played in a position."""

    def __init__(self, database: Database) -> None:
        self.database = database
        kind: Any = sqlite if database.is_sqlite else postgresql
        self.add_counts = build_count_upsert(kind)
        self.insert_game = kind.insert(explorer_games).on_conflict_do_nothing().returning(explorer_games.c.id)
        self.save_value = build_value_upsert(kind)

    # Counting

    async def list_pending(self, limit: int) -> list[str]:
        """Return matches that wait to be counted, those that ended first."""
        query = select(explorer_pending.c.match_id).order_by(explorer_pending.c.ended_at, explorer_pending.c.match_id)
        async with self.database.read_connection() as connection:
            return list(await connection.scalars(query.limit(limit)))

    async def count_pending(self) -> int:
        """Return how many matches wait to be counted."""
        async with self.database.read_connection() as connection:
            return await connection.scalar(select(func.count()).select_from(explorer_pending)) or 0

    async def load_moves(self, match_ids: Sequence[str]) -> dict[str, list[str]]:
        """Return the moves of matches that were not taken back."""
        is_wanted = match_events.c.match_id.in_(match_ids) & match_events.c.type.in_(BOARD_EVENTS)
        columns = (match_events.c.match_id, match_events.c.seq, match_events.c.type, match_events.c.payload)
        query = select(*columns).where(is_wanted).order_by(match_events.c.match_id, match_events.c.seq)
        async with self.database.read_connection() as connection:
            rows = (await connection.execute(query)).all()
        logs: dict[str, list[Any]] = {}
        for row in rows:
            logs.setdefault(row.match_id, []).append(row)
        return {match_id: list_kept_moves(log) for match_id, log in logs.items()}

    async def count_games(self, games: Sequence[OpeningGame], handled: Iterable[str] = ()) -> int:
        """Count games that were not counted before, in one transaction. Returns how many these were.

        Args:
            games: The games; those that ended first come first.
            handled: Matches that no longer wait afterwards, whether they were counted or not.
        """
        match_ids = sorted(handled)
        return await self.database.run_transaction(lambda connection: self.insert_games(connection, games, match_ids))

    def insert_games(self, connection: Connection, games: Sequence[OpeningGame], match_ids: Sequence[str]) -> int:
        """Insert the ids of games in their order, so that servers wait for each other, then add what is new."""
        ids = [{"id": game_id} for game_id in sorted({game.id for game in games})]
        new = set(connection.scalars(self.insert_game, ids)) if ids else set()
        rows = sum_moves(game for game in games if game.id in new)
        if rows:
            connection.execute(self.add_counts, rows)
        if match_ids:
            connection.execute(delete(explorer_pending).where(explorer_pending.c.match_id.in_(match_ids)))
        return len(new)

    async def save_values(self, values: Iterable[OpeningValue], now: int) -> None:
        """Store values of positions; an estimate does not replace a proven value."""
        rows = {
            value.position_key: {
                "position_key": value.position_key,
                "value": value.value,
                "is_proven": value.is_proven,
                "updated_at": now,
            }
            for value in values
        }
        ordered = [rows[key] for key in sorted(rows)]
        if ordered:
            async with self.database.write_transaction() as connection:
                await connection.execute(self.save_value, ordered)

    # Reading

    async def find(self, position_key: int) -> OpeningRecord:
        """Return what is stored about a position, with two statements: its moves and values, and its last matches."""
        return await self.database.run_read(lambda connection: read_record(connection, position_key))


def read_record(connection: Connection, position_key: int) -> OpeningRecord:
    """Read what is stored about a position; a position without matches needs one statement."""
    rows = connection.execute(SELECT_POSITION, {"asked_key": position_key}).all()
    moves = [opening_move_from_row(row) for row in rows if row.move is not None]
    own = rows[0]
    value = None if own.own_value is None else OpeningValue(position_key, own.own_value, bool(own.is_own_proven))
    match_ids = list_last_match_ids(moves)
    last = connection.execute(SELECT_MATCHES, {"match_ids": match_ids}).all() if match_ids else []
    moves.sort(key=lambda move: (-sum(move.results), move.move))
    return OpeningRecord(moves, value, list(map(opening_match_from_row, last)))


def opening_match_from_row(row: Any) -> OpeningMatch:
    """Return the match of a row of SELECT_MATCHES."""
    first = User(row.first_id, row.first_name, row.first_kind, row.first_level)
    second = User(row.second_id, row.second_name, row.second_kind, row.second_level)
    return OpeningMatch(row.id, (first, second), row.winner_seat, row.ended_at)


def list_last_match_ids(moves: Sequence[PlayedOpeningMove]) -> list[str]:
    """Return the last matches of the moves that were played last."""
    newest = sorted(moves, key=lambda move: -move.last_played_at)[:MAX_LAST_MOVES]
    return sorted({match_id for move in newest for match_id in move.last_games})


def build_position_query() -> Select[Any]:
    """Return the query of the moves of a position, each with the value after it, and of the position's own value.

    It has one row for each move, and one without a move for a position that nobody has played in.
    """
    asked = select(bindparam("asked_key", type_=BigInteger).label("position_key")).subquery("asked")
    own, following = explorer_values.alias("own"), explorer_values.alias("following")
    joined = (
        asked.outerjoin(own, own.c.position_key == asked.c.position_key)
        .outerjoin(explorer_moves, explorer_moves.c.position_key == asked.c.position_key)
        .outerjoin(following, following.c.position_key == explorer_moves.c.next_key)
    )
    own_columns = (own.c.value.label("own_value"), own.c.is_proven.label("is_own_proven"))
    return select(explorer_moves, following.c.value, following.c.is_proven, *own_columns).select_from(joined)


def build_matches_query() -> Select[Any]:
    """Return the query of the newest public matches among some, without those of erased users."""
    first, second = users.alias("first"), users.alias("second")
    joined = matches.join(first, first.c.id == matches.c.seat0_user_id).join(second, second.c.id == matches.c.seat1_user_id)
    players = (
        user.c[column].label(f"{seat}_{column}")
        for seat, user in (("first", first), ("second", second))
        for column in ("id", "name", "kind", "level")
    )
    is_shown = matches.c.is_public & (first.c.kind != "deleted") & (second.c.kind != "deleted")
    query = select(matches.c.id, matches.c.winner_seat, matches.c.ended_at, *players).select_from(joined)
    is_asked = matches.c.id.in_(bindparam("match_ids", expanding=True))
    return query.where(is_asked & is_shown).order_by(matches.c.ended_at.desc(), matches.c.id).limit(MAX_LAST_MATCHES)


SELECT_POSITION = build_position_query()
SELECT_MATCHES = build_matches_query()


def list_kept_moves(log: Iterable[Any]) -> list[str]:
    """Return the moves of the rows of a match's events that were not taken back."""
    kept: list[tuple[int, str]] = []
    for row in log:
        data = json.loads(row.payload)
        if row.type == "move-played":
            kept.append((row.seq, data["move"]))
        else:
            kept = [(seq, move) for seq, move in kept if seq < data["event_seq"]]
    return [move for _, move in kept]


def sum_moves(games: Iterable[OpeningGame]) -> list[dict[str, Any]]:
    """Return the rows to add for games, sorted by their keys, so that all servers lock rows in the same order."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for game in games:
        result = "draws" if game.winner is None else RESULT_COLUMNS[2 * game.winner]
        for step in game.steps:
            row = rows.setdefault((step.position_key, step.move), make_empty_row(step))
            row[result] += 1
            row["last_played_at"] = max(row["last_played_at"], game.ended_at)
            if game.match_id is not None:
                row["last_games"] = f"{game.match_id} {row['last_games']}"[:MAX_LAST_GAMES_LENGTH]
    return [rows[key] for key in sorted(rows)]


def make_empty_row(step: OpeningStep) -> dict[str, Any]:
    """Return the row of a move without games."""
    return dict.fromkeys(RESULT_COLUMNS, 0) | step._asdict() | {"last_played_at": 0, "last_games": ""}


def build_count_upsert(kind: Any) -> Any:
    """Return the statement that adds to the counts of a move, in the dialect of `kind`."""
    new = kind.insert(explorer_moves)
    old, added = explorer_moves.c, new.excluded
    changes: Mapping[str, Any] = {name: old[name] + added[name] for name in RESULT_COLUMNS} | {
        "last_played_at": func.greatest(old.last_played_at, added.last_played_at)
        if kind is postgresql
        else func.max(old.last_played_at, added.last_played_at),
        "last_games": func.substr(added.last_games + old.last_games, 1, MAX_LAST_GAMES_LENGTH),
    }
    return new.on_conflict_do_update(index_elements=["position_key", "move"], set_=changes)


def build_value_upsert(kind: Any) -> Any:
    """Return the statement that stores the value of a position, in the dialect of `kind`."""
    new = kind.insert(explorer_values)
    changes = {name: new.excluded[name] for name in ("value", "is_proven", "updated_at")}
    may_replace = or_(~explorer_values.c.is_proven, new.excluded.is_proven)
    return new.on_conflict_do_update(index_elements=["position_key"], set_=changes, where=may_replace)


def opening_move_from_row(row: Any) -> PlayedOpeningMove:
    """Return the move that a row stores; an id that was cut off is dropped."""
    complete = row.last_games[: row.last_games.rfind(" ") + 1].split()
    results = (row.first_wins, row.draws, row.second_wins)
    last = tuple(complete[:MAX_LAST_GAMES])
    return PlayedOpeningMove(row.move, results, row.last_played_at, last, row.value, bool(row.is_proven))
