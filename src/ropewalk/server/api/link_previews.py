"""What other sites show of a link to a page: title, description and picture of a match, puzzle, tournament or player.

The server writes them into the page's index.html as Open Graph tags. Names are chosen by users: everything is escaped.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from html import escape

from sqlalchemy import select

from ...errors import SpecError
from ...games.registry import spec_of
from ..db.match_repository import MatchRecordRow
from ..db.tables import tournaments
from ..db.user_repository import User
from ..errors import ApiError
from ..services import AppServices

SITE_NAME = "Ropewalk"
PREVIEW_SECONDS = 1.0  # that a page may wait for its preview; then it is sent without one
MAX_ARGUMENT_LENGTH = 60
PICTURE_SIZE = (1200, 630)  # of the pictures of matches and puzzles, as most sites show them
ICON_PATH = "/icon-512.png"
TITLE = re.compile(r"<title>[^<]*</title>")
DESCRIPTION = re.compile(r'<meta name="description" content="[^"]*" ?/?>')
STATUS_WORDS = {"waiting": "waits for an opponent", "playing": "in progress"}
TOURNAMENT_WORDS = {"registering": "registration is open", "playing": "in progress", "over": "over"}
log = logging.getLogger("ropewalk.link_previews")


@dataclass(frozen=True)
class LinkPreview:
    """What another site shows of a link; `picture` is a path of this server."""

    title: str
    description: str
    picture: str = ICON_PATH

    @property
    def has_own_picture(self) -> bool:
        """Whether the picture shows what the link leads to."""
        return self.picture != ICON_PATH


async def load_preview(services: AppServices, segments: Sequence[str]) -> LinkPreview | None:
    """Return the preview of an address by the segments of its path; None if it has none, or if that takes too long.

    A private match has none: a stranger cannot tell whether it exists.
    """
    loader = LOADERS.get(segments[0]) if len(segments) > 1 else None
    if loader is None or len(segments[1]) > MAX_ARGUMENT_LENGTH or "\0" in segments[1]:
        return None
    try:
        async with asyncio.timeout(PREVIEW_SECONDS):
            return await loader(services, segments[1])
    except (ApiError, TimeoutError) as error:
        log.debug("no preview of /%s: %s", segments[0], error)
        return None


async def load_match_preview(services: AppServices, match_id: str) -> LinkPreview | None:
    """Return the preview of a public match."""
    row = await services.match_repository.find(match_id)
    if row is None or not row.config.is_public:
        return None
    users = await services.users.find_all(row.seats)
    names = [users[user_id].name if user_id in users else "?" for user_id in row.seats]
    game, maker = describe_game(row.config.spec)
    description = f"{game} by {maker}, {row.config.spec}: {describe_status(row, names)}."
    return LinkPreview(f"{names[0]} against {names[1]}, {game}", description, f"/api/matches/{row.id}/picture.png")


async def load_puzzle_preview(services: AppServices, puzzle_id: str) -> LinkPreview | None:
    """Return the preview of a puzzle."""
    puzzle = await asyncio.to_thread(services.puzzle_catalogue.get, puzzle_id)
    game, maker = describe_game(puzzle.spec)
    turns = "1 turn" if puzzle.turns == 1 else f"{puzzle.turns} turns"
    description = f"{game} by {maker}: find the win in {turns}."
    return LinkPreview(f"Puzzle, {game}", description, f"/api/puzzles/{puzzle.id}/picture.png")


async def load_tournament_preview(services: AppServices, tournament_id: str) -> LinkPreview | None:
    """Return the preview of a tournament, which everybody may see."""
    rows = await services.tournaments.repository.list_rows(select(tournaments).where(tournaments.c.id == tournament_id))
    if not rows:
        return None
    row = rows[0]
    game, maker = describe_game(row.config.spec)
    status = TOURNAMENT_WORDS.get(row.status, row.status)
    players = "1 player" if row.num_players == 1 else f"{row.num_players} players"
    return LinkPreview(f"{row.config.name}, tournament", f"{game} by {maker}, {row.config.format}, {players}: {status}.")


async def load_player_preview(services: AppServices, name: str) -> LinkPreview | None:
    """Return the preview of a player, with the ratings."""
    user, _ = await services.users.find_by_name(name)
    if user.kind == "deleted":
        return None
    ratings = [f"{describe_game(row.game)[0]} {round(row.rating)}" for row in await services.ratings.list_by_user(user.id)]
    words = f": {', '.join(ratings)}" if ratings else ""
    return LinkPreview(user.name, f"{describe_kind(user)} at {SITE_NAME}{words}.")


LOADERS: dict[str, Callable[[AppServices, str], Awaitable[LinkPreview | None]]] = {
    "match": load_match_preview,
    "review": load_match_preview,
    "puzzles": load_puzzle_preview,
    "tournaments": load_tournament_preview,
    "player": load_player_preview,
}


def describe_game(spec: str) -> tuple[str, str]:
    """Return the name of a spec's game and its designer; the spec itself for a game that is no longer installed."""
    try:
        definition = spec_of(spec)
    except SpecError:
        return spec, "an unknown designer"
    return definition.name, definition.designer


def describe_kind(user: User) -> str:
    """Return what a user is."""
    return "Bot" if user.is_bot else "Guest" if user.kind == "guest" else "Player"


def describe_status(row: MatchRecordRow, names: Sequence[str]) -> str:
    """Return the state or the result of a match in words."""
    if row.status != "over":
        return STATUS_WORDS[row.status]
    if row.end_reason == "abandoned":
        return "abandoned"
    return "draw" if row.winner_seat is None else f"{names[row.winner_seat]} wins"


def fill_page(page: str, preview: LinkPreview, origin: str, path: str) -> str:
    """Return index.html with the title, description and Open Graph tags of a preview.

    Args:
        page: The text of index.html.
        preview: What is shown.
        origin: Scheme and host of this server as the client names it, such as https://example.org.
        path: The path of the address.
    """
    tags = {
        "og:site_name": SITE_NAME,
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": origin + path,
        "og:image": origin + preview.picture,
    }
    if preview.has_own_picture:
        tags |= {"og:image:width": str(PICTURE_SIZE[0]), "og:image:height": str(PICTURE_SIZE[1])}
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()]
    card = "summary_large_image" if preview.has_own_picture else "summary"
    lines.append(f'<meta name="twitter:card" content="{card}" />')
    title = f"<title>{escape(preview.title)} · {SITE_NAME}</title>"
    description = f'<meta name="description" content="{escape(preview.description)}" />'
    filled = TITLE.sub(lambda _: title, page, count=1)
    filled = DESCRIPTION.sub(lambda _: description, filled, count=1)
    return filled.replace("</head>", "  " + "\n    ".join(lines) + "\n  </head>", 1)
