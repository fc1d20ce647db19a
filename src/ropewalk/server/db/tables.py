"""The tables of the database. `match_events` is the source of truth; the index columns of `matches` are derived from it."""

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
    select,
)

MAX_REASON_LENGTH = 80
MAX_OPENING_LENGTH = 200

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_normalised", String(80), nullable=False, unique=True),  # names that look alike are one name
    Column("kind", String(16), nullable=False),  # guest, account, external-bot, builtin-bot, deleted
    Column("level", Integer),
    Column("owner_id", String(24)),  # of an external bot
    Column("password_hash", String(200)),
    Column("created_at", BigInteger, nullable=False),
    Column("silenced_at", BigInteger),  # since when an operator forbids chat messages
    Column("closed_at", BigInteger),  # since when an operator has closed the account
)

reserved_names = Table(  # of erased accounts and bots: nobody can take them
    "reserved_names",
    metadata,
    Column("name_hash", String(64), primary_key=True),  # of the normalised name, which is not stored
    Column("reserved_at", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("user_id", String(24), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger, nullable=False),
    Column("client", String(40)),  # browser and system in words, by which a user recognises it
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("spec", String(200), nullable=False),
    Column("clock", Text, nullable=False),  # JSON
    Column("is_rated", Boolean, nullable=False),
    Column("initial_position", Text),  # None: the start of the game
    Column("origin", String(16), nullable=False),  # bot, self, invitation, open, user, import, tournament
    Column("created_by", String(24), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seat0_user_id", String(24), index=True),
    Column("seat1_user_id", String(24), index=True),
    Column("reserved_for", String(24)),  # the user for whom the free seat is reserved
    Column("invitation_hash", String(64), index=True),  # of the token in the link
    Column("is_open", Boolean, nullable=False),  # a challenge in the lobby
    Column("is_public", Boolean, nullable=False),  # everybody may read it; otherwise its players, and who has the key
    Column("spectator_key", String(64)),  # the secret of the link for spectators
    Column("status", String(8), nullable=False),  # waiting, playing, over
    Column("to_move_user_id", String(24)),
    Column("move_deadline_ms", BigInteger),  # when the seat to move runs out of time
    Column("winner_seat", Integer),
    Column("end_reason", String(MAX_REASON_LENGTH)),
    Column("ended_at", BigInteger),
    Column("rematch_of", String(24)),
    Column("opening", String(MAX_OPENING_LENGTH)),  # the first moves of a finished match, see `format_opening`
    Column("tournament_id", String(24)),
    Index("matches_by_deadline", "status", "move_deadline_ms"),
    Index("matches_by_time", "status", "created_at"),
    Index("matches_by_reservation", "reserved_for", "status"),
    Index("matches_by_tournament", "tournament_id", "status"),
)

match_events = Table(
    "match_events",
    metadata,
    Column("match_id", String(24), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("timestamp_ms", BigInteger, nullable=False),
    Column("type", String(24), nullable=False),
    Column("seat", Integer),
    Column("user_id", String(24)),
    Column("payload", Text, nullable=False),  # JSON
    Column("request_id", String(64)),
    PrimaryKeyConstraint("match_id", "seq"),
    sqlite_with_rowid=False,  # rows are stored in the order of the key, without a second tree
)

lobby_events = Table(
    "lobby_events",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),  # without gaps: see `counters`
    Column("timestamp_ms", BigInteger, nullable=False),
    Column("type", String(24), nullable=False),
    Column("match_id", String(24), nullable=False),
)

counters = Table(  # a row is locked until its transaction ends, so that numbers have no gaps
    "counters",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", Integer, nullable=False),
)

conditional_moves = Table(  # of correspondence players
    "conditional_moves",
    metadata,
    Column("match_id", String(24), nullable=False),
    Column("user_id", String(24), nullable=False),
    Column("position_version", Integer, nullable=False),
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

blocks = Table(  # a blocked user cannot play with the other one
    "blocks",
    metadata,
    Column("user_id", String(24), nullable=False),
    Column("blocked", String(24), nullable=False),
    PrimaryKeyConstraint("user_id", "blocked"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("created_at", BigInteger, nullable=False),
    Column("reporter_id", String(24), nullable=False, index=True),
    Column("user_id", String(24), nullable=False, index=True),
    Column("reason", Text, nullable=False),
    Column("match_id", String(24)),
    Column("chat_text", Text),  # a copy of the message
    Column("closed_at", BigInteger),
)

moderation_log = Table(  # commands of operators about users, which all servers read
    "moderation_log",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("timestamp_ms", BigInteger, nullable=False),
    Column("action", String(20), nullable=False),
    Column("user_id", String(24)),
)

announcements = Table(  # at most one row
    "announcements",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("text", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
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
    Column("updated_at", BigInteger, nullable=False),
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
    Column("rating_before", Float, nullable=False),
    Column("rating_after", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("score", Float, nullable=False),
    Column("timestamp_ms", BigInteger, nullable=False),
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

heartbeats = Table(  # one row, which all servers update every second
    "heartbeats",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("alive_ms", BigInteger, nullable=False),
)

outages = Table(  # times in which no server stored a heartbeat
    "outages",
    metadata,
    Column("ended_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("started_ms", BigInteger, nullable=False),
)

# `epoch`: changes when a backup is restored; `device_secret`: signs cookies; `vapid_key`: signs messages to push services
database_metadata = Table(
    "metadata",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(80), nullable=False),
)

tournaments = Table(  # the columns from `seq` on follow from the events
    "tournaments",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("config", Text, nullable=False),  # JSON
    Column("created_by", String(24), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("is_open", Boolean, nullable=False),  # anybody may join; otherwise who has the key
    Column("join_key", String(64), nullable=False),  # the secret of the link for players
    Column("seq", Integer, nullable=False),  # of the last event
    Column("status", String(12), nullable=False),  # registering, playing, over, cancelled
    Column("num_players", Integer, nullable=False),
    Column("starts_at", BigInteger),
    Index("tournaments_by_status", "status", "created_at"),
    Index("tournaments_by_organiser", "created_by"),
)

tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament_id", String(24), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("timestamp_ms", BigInteger, nullable=False),
    Column("type", String(24), nullable=False),
    Column("user_id", String(24)),
    Column("payload", Text, nullable=False),  # JSON
    PrimaryKeyConstraint("tournament_id", "seq"),
)

usage = Table(  # what clients have used up lately; rows are deleted after a day
    "usage",
    metadata,
    Column("kind", String(20), nullable=False),
    Column("client", String(32), nullable=False),  # a hash of a user's id or an address
    Column("started_at", BigInteger, nullable=False),  # of the period, in seconds
    Column("amount", BigInteger, nullable=False),
    PrimaryKeyConstraint("kind", "client", "started_at"),
)

puzzle_attempts = Table(  # the last attempt of each user at each puzzle, and the score of the first
    "puzzle_attempts",
    metadata,
    Column("user_id", String(24), nullable=False),
    Column("puzzle_id", String(60), nullable=False),
    Column("game", String(40), nullable=False),
    Column("moves", Text, nullable=False),  # JSON: of both seats, since the puzzle's position
    Column("num_mistakes", Integer, nullable=False),  # of this attempt
    Column("hint_stage", Integer, nullable=False),  # in the current position: 0 none, 1 the region, 2 the move
    Column("max_hint_stage", Integer, nullable=False),  # of this attempt; 3: the solution was shown
    Column("num_attempts", Integer, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("solved_at", BigInteger),  # for the first time
    Column("score", Float),  # of the first attempt; None until it is rated
    Column("rated_at", BigInteger),
    Column("rating_before", Float),
    Column("rating_after", Float),
    PrimaryKeyConstraint("user_id", "puzzle_id"),
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("kind", String(8), nullable=False),  # user, puzzle
    Column("subject_id", String(60), nullable=False),
    Column("game", String(40), nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("kind", "subject_id", "game"),
)

match_reviews = Table(  # the values of all positions of a match
    "match_reviews",
    metadata,
    Column("match_id", String(24), primary_key=True),
    Column("position_version", Integer, nullable=False),  # of the match when it was reviewed
    Column("level", Integer, nullable=False),
    Column("seconds", Float, nullable=False),  # for each position
    Column("created_at", BigInteger, nullable=False),
    Column("evaluations", Text, nullable=False),  # JSON
)

push_subscriptions = Table(  # of browsers, each as long as its session
    "push_subscriptions",
    metadata,
    Column("session_id", String(24), primary_key=True),
    Column("user_id", String(24), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),  # the address that the browser's push service has given to it
    Column("endpoint_hash", String(64), nullable=False, unique=True),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(2), nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

email_addresses = Table(
    "email_addresses",
    metadata,
    Column("user_id", String(24), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("language", String(2), nullable=False),
    Column("token", String(64), nullable=False, unique=True),  # the secret of the links in messages
    Column("requested_at", BigInteger, nullable=False),
    Column("confirmed_at", BigInteger),  # None: nothing but the link that confirms it is sent there
)

turn_notices = Table(  # the last turn of each match that a user was told about, or is to be told about
    "turn_notices",
    metadata,
    Column("match_id", String(24), primary_key=True),
    Column("user_id", String(24), nullable=False, index=True),
    Column("turn_seq", Integer, nullable=False),  # of the event that began the turn
    Column("due_at", BigInteger),  # when to tell it; None: a server has claimed it
    Index("turn_notices_by_time", "due_at"),
)

explorer_moves = Table(  # of the opening explorer: what was played in a position and its images under symmetries
    "explorer_moves",
    metadata,
    Column("position_key", BigInteger, nullable=False),  # depends on the spec: `games/canonical_key.py`
    Column("move", Integer, nullable=False),  # the id of its canonical image
    Column("next_key", BigInteger, nullable=False),  # of the position after the move
    Column("first_wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("second_wins", Integer, nullable=False),
    Column("last_played_at", BigInteger, nullable=False),  # 0: only in imported games
    Column("last_games", Text, nullable=False),  # ids of matches, the newest first, each with a space after it
    PrimaryKeyConstraint("position_key", "move"),
    sqlite_with_rowid=False,
)

explorer_games = Table(  # that are counted: the id of a match, or the hash of an imported game
    "explorer_games",
    metadata,
    Column("id", String(64), primary_key=True),
)

explorer_pending = Table(  # public matches that are over, until they are counted
    "explorer_pending",
    metadata,
    Column("match_id", String(24), primary_key=True),
    Column("ended_at", BigInteger, nullable=False),
)

explorer_values = Table(  # of positions of reviewed matches
    "explorer_values",
    metadata,
    Column("position_key", BigInteger, primary_key=True, autoincrement=False),
    Column("value", Float, nullable=False),  # of seat 0
    Column("is_proven", Boolean, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

analyses = Table(  # trees of the analysis board, which only their owners read
    "analyses",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("user_id", String(24), nullable=False, index=True),
    Column("name", String(80), nullable=False),
    Column("spec", String(200), nullable=False),
    Column("num_moves", Integer, nullable=False),
    Column("version", Integer, nullable=False),  # increases with every change, so that none is overwritten unseen
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("tree", Text, nullable=False),  # JSON
)

SELECT_EPOCH = select(database_metadata.c.value).where(database_metadata.c.name == "epoch")
SELECT_DEVICE_SECRET = select(database_metadata.c.value).where(database_metadata.c.name == "device_secret")
SELECT_VAPID_KEY = select(database_metadata.c.value).where(database_metadata.c.name == "vapid_key")
