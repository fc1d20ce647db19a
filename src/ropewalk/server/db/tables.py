"""The tables. `events` is the truth; columns of `matches` that could be derived from it are there to find matches by."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_key", String(80), nullable=False, unique=True),  # names that look alike are one name
    Column("kind", String(8), nullable=False),  # guest, account, bot (of others), level (ours), erased
    Column("level", Integer),
    Column("owner", String(24)),  # of a bot
    Column("password", String(200)),
    Column("created_at", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),  # of the secret, which only its holder knows
    Column("user_id", String(24), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("spec", String(200), nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("creator", String(24), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seat0", String(24), index=True),
    Column("seat1", String(24), index=True),
    Column("invitation", String(64), index=True),  # hash of the secret in the link
    Column("is_open", Boolean, nullable=False),  # a challenge in the lobby
    Column("status", String(8), nullable=False),  # waiting, playing, over
    Column("to_move", String(24)),  # the user whose turn it is
    Column("deadline", BigInteger),  # when the flag of the seat to move falls
    Column("winner", Integer),
    Column("reason", String(40)),
    Column("ended_at", BigInteger),
    Column("rematch_of", String(24)),
    Index("matches_by_deadline", "status", "deadline"),
    Index("matches_by_time", "status", "created_at"),
)

events = Table(
    "events",
    metadata,
    Column("match_id", String(24), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("seat", Integer),
    Column("user_id", String(24)),
    Column("data", Text, nullable=False),  # JSON
    Column("client_id", String(64)),
    PrimaryKeyConstraint("match_id", "number"),
    sqlite_with_rowid=False,  # its rows lie in the order of the key: one place to write to, not two
)

plans = Table(  # conditional moves of correspondence players
    "plans",
    metadata,
    Column("match_id", String(24), nullable=False),
    Column("user_id", String(24), nullable=False),
    Column("lines", Text, nullable=False),  # JSON
    PrimaryKeyConstraint("match_id", "user_id"),
)

mutes = Table(
    "mutes",
    metadata,
    Column("user_id", String(24), nullable=False),
    Column("muted", String(24), nullable=False),
    PrimaryKeyConstraint("user_id", "muted"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("user_id", String(24), nullable=False),
    Column("game", String(40), nullable=False),
    Column("pool", String(8), nullable=False),  # people, bots
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "game", "pool"),
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match_id", String(24), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user_id", String(24), nullable=False, index=True),
    Column("game", String(40), nullable=False),
    Column("pool", String(8), nullable=False),
    Column("before", Float, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("score", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match_id", "seat"),
)

pending_ratings = Table(  # rated matches that have ended, until ratings are changed
    "pending_ratings",
    metadata,
    Column("match_id", String(24), primary_key=True),
    Column("ended_at", BigInteger, nullable=False),
)

result_counts = Table(  # of matches of two players that were not abandoned
    "result_counts",
    metadata,
    Column("spec", String(200), primary_key=True),
    Column("first_wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("second_wins", Integer, nullable=False),
)

facts = Table(  # about the database itself
    "facts",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(80), nullable=False),
)
