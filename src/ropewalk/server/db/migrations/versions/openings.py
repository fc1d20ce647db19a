"""Adds the first moves of finished matches, by which they are found."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "openings"
down_revision = "notifications"
MAX_MOVES, MAX_LENGTH = 12, 200

matches = sa.table("matches", sa.column("id"), sa.column("status"), sa.column("opening"))
events = sa.table("match_events", sa.column("match_id"), sa.column("seq"), sa.column("type"), sa.column("payload", sa.Text))


def upgrade() -> None:
    """Add the column, and fill it for matches that are over."""
    op.add_column("matches", sa.Column("opening", sa.String(MAX_LENGTH)))
    connection = op.get_bind()
    for match_id in connection.scalars(sa.select(matches.c.id).where(matches.c.status == "over")).all():
        query = sa.select(events.c.seq, events.c.type, events.c.payload).where(events.c.match_id == match_id)
        moves: list[tuple[int, str]] = []
        for seq, type_, payload in connection.execute(query.order_by(events.c.seq)).all():
            if type_ == "move-played":
                moves.append((seq, json.loads(payload)["move"]))
            elif type_ == "takeback-accepted":
                moves = [move for move in moves if move[0] < json.loads(payload)["event_seq"]]
        text = "".join(f"{move.lower()} " for _, move in moves[:MAX_MOVES])[:MAX_LENGTH]
        connection.execute(sa.update(matches).where(matches.c.id == match_id).values(opening=text))
