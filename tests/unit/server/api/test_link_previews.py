"""Links: what other sites show of a match, puzzle, tournament or player, and which pages they may put into a frame."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fastapi import FastAPI
from PIL import Image

from ropewalk.server.api.link_previews import PICTURE_SIZE, LinkPreview, fill_page
from ropewalk.server.api.static_files import ROUTES_FILE
from ropewalk.server.app import create_app
from tests.support.app_client import AppClient, create_account, start_match
from tests.unit.server.conftest import build_settings, use_fake_engine

pytestmark = pytest.mark.anyio
INDEX = Path(__file__).parents[4] / "web" / "index.html"
ROUTES: list[dict[str, object]] = [
    {"name": name, "requires_argument": name in ("match", "review", "player"), "preload": []}
    for name in ("", "match", "review", "puzzles", "tournaments", "player")
]
HOSTILE = '"><script>alert(1)</script> & <b>'
FAST = {"kind": "fischer", "initial_seconds": 60, "increment_seconds": 1}


class HeadReader(HTMLParser):
    """Collects the tags of a page: the properties of its meta elements, its title, and the names of all elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.properties: dict[str, str] = {}
        self.elements: list[str] = []
        self.title = ""
        self.is_in_title = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the name of an element, and the content of a meta element."""
        self.elements.append(tag)
        fields = dict(attrs)
        if tag == "meta" and fields.get("content") is not None:
            self.properties[fields.get("property") or fields.get("name") or ""] = str(fields["content"])
        self.is_in_title = tag == "title"

    def handle_data(self, data: str) -> None:
        """Store the title."""
        if self.is_in_title:
            self.title += data

    def handle_endtag(self, tag: str) -> None:
        """Leave the title."""
        self.is_in_title = False


@pytest.fixture(scope="module")
async def page_app(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FastAPI]:
    """An application with a page."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(INDEX.read_text("utf-8"), "utf-8")
    (folder / "embed.html").write_text("<title>a frame</title>", "utf-8")
    (folder / ROUTES_FILE).write_text(json.dumps(ROUTES), "utf-8")
    file = Path(shutil.copy(migrated_file, tmp_path_factory.mktemp("app") / "matches.db"))
    created = create_app(build_settings(file).model_copy(update={"page_folder": folder}))
    use_fake_engine(created.state.services)
    async with created.router.lifespan_context(created):
        yield created


async def read_head(app: FastAPI, path: str) -> HeadReader:
    """Return the tags of a page as a stranger gets it."""
    response = await AppClient(app).http.get(path)
    assert response.status_code == 200
    return HeadReader(response.text)


async def test_a_public_match_has_a_title_a_description_and_a_picture(page_app: FastAPI) -> None:
    first, second, match = await start_match(page_app, "tether-3", public=False)
    assert (await read_head(page_app, f"/match/{match}")).title == "Ropewalk", "it is private"
    await first.request_error("GET", f"/api/matches/{match}/picture.png", "not-found")
    await first.play(match, "b2")
    await first.act(match, "publish")
    names = [client.user["name"] for client in (first, second)]
    for path in (f"/match/{match}", f"/review/{match}/1"):
        head = await read_head(page_app, path)
        assert head.title == f"{names[0]} against {names[1]}, Tether · Ropewalk"
        assert head.properties["og:description"] == "Tether by Mark Steere, tether-3: in progress."
        assert head.properties["description"] == head.properties["og:description"]
        assert head.properties["og:image"] == f"http://testserver/api/matches/{match}/picture.png"
        assert head.properties["og:url"] == "http://testserver" + "/".join(path.split("/")[:3])
    await second.act(match, "resign")
    assert "wins." in (await read_head(page_app, f"/match/{match}")).properties["og:description"]
    for unknown in ("/match/unknown", "/match/%00", f"/match/{'x' * 300}", "/player/nobody-here"):
        assert (await read_head(page_app, unknown)).title == "Ropewalk"


async def test_the_picture_of_a_match_is_a_cached_png(page_app: FastAPI) -> None:
    first, _, match = await start_match(page_app, "tether-3", public=True)
    await first.play(match, "b2")
    for _ in range(2):
        response = await AppClient(page_app).http.get(f"/api/matches/{match}/picture.png")
        assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
        assert response.headers["cache-control"] == "public, max-age=300"
        assert Image.open(io.BytesIO(response.content)).size == PICTURE_SIZE


async def test_puzzles_tournaments_and_players_have_previews(page_app: FastAPI) -> None:
    puzzle = (await AppClient(page_app).request("GET", "/api/puzzles?game=tether&limit=1"))["puzzles"][0]["id"]
    head = await read_head(page_app, f"/puzzles/{puzzle}")
    assert (head.title, head.properties["og:image"]) == (
        "Puzzle, Tether · Ropewalk",
        f"http://testserver/api/puzzles/{puzzle}/picture.png",
    )
    organiser = await create_account(page_app, "Link Organiser")
    fields = {"name": HOSTILE, "format": "swiss", "spec": "tether-3", "clock": FAST}
    tournament = (await organiser.request("POST", "/api/tournaments", 201, **fields))["id"]
    head = await read_head(page_app, f"/tournaments/{tournament}")
    assert head.title == f"{HOSTILE}, tournament · Ropewalk", "every character is text"
    assert head.properties["og:title"] == f"{HOSTILE}, tournament"
    assert head.elements.count("script") == HeadReader(INDEX.read_text("utf-8")).elements.count("script")
    head = await read_head(page_app, "/player/Link%20Organiser")
    assert (head.title, head.properties["og:url"]) == (
        "Link Organiser · Ropewalk",
        "http://testserver/player/Link%20Organiser",
    )


def test_nothing_in_a_preview_can_leave_its_attribute() -> None:
    page = INDEX.read_text("utf-8")
    preview = LinkPreview(HOSTILE + r"\1\g<0>", HOSTILE, f"/{HOSTILE}")
    head = HeadReader(fill_page(page, preview, f"http://{HOSTILE}", f"/{HOSTILE}"))
    assert set(head.elements) == set(HeadReader(page).elements)
    assert head.properties["og:title"] == HOSTILE + r"\1\g<0>"
    assert head.properties["og:image"] == f"http://{HOSTILE}/{HOSTILE}"


FRAMED = ("/embed/match/abc", "/embed/match/abc/12", "/embed/position", "/embed/position?spec=tether-5")
NOT_FRAMED = ("/", "/match/abc", "/embed", "/embed/", "/embed/match", "/embed/settings", "/embed/match/a/b/c", "/api/lobby")


@pytest.mark.parametrize("path", [*FRAMED, *NOT_FRAMED])
async def test_other_sites_may_show_only_embedded_pages_in_a_frame(page_app: FastAPI, path: str) -> None:
    response = await AppClient(page_app).http.get(path)
    policy = response.headers["content-security-policy"]
    ancestors = policy.partition("frame-ancestors ")[2]
    is_framed = path in FRAMED
    assert (ancestors, response.headers.get("x-frame-options")) == (("*", None) if is_framed else ("'none'", "DENY"))
    assert "default-src 'self'" in policy
    assert ("a frame" in response.text) == is_framed
