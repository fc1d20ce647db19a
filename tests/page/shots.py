"""Pictures of every page and every board, wide and narrow, light, dark and grey: `make shots`, or with a folder and words.

python tests/page/shots.py FOLDER [WORD ...]     only pictures whose name contains one of the words
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.page.visitor import FLAGS, Visitor
from tests.server.running import Server, serving

RECORDED = Path(__file__).parents[2] / "web" / "src" / "home" / "recorded.ts"
SIZES = {1440: 900, 390: 844}
SETTLE = 2500  # milliseconds for boards in space and moves on the home page
PAGES = {
    "home": "/",
    "new": "/new?game=tether",
    "lobby": "/lobby",
    "mine": "/games",
    "watch": "/watch",
    "learn": "/learn",
    "lesson": "/learn/tether/3",
    "settings": "/settings",
}


def recorded() -> dict[str, tuple[str, list[str]]]:
    """The games of the home page: spec and moves by the game's key."""
    found = re.findall(r'"?([a-z-]+)"?: \{\s*spec: "([^"]+)",\s*moves:\s*(?:\(?\s*)"([^"]+)"', RECORDED.read_text("utf-8"))
    return {key: (spec, moves.split()) for key, spec, moves in found}


def table(visitor: Visitor, spec: str, moves: list[str], views: str) -> str:
    """The address of a match at one screen after some moves."""
    made = visitor.ask("POST", "/matches", spec=spec, opponent={"kind": "self"}, clock={"kind": "none"})["match"]
    standing = made["now"]["standing"]
    for move in moves:
        standing = visitor.ask("POST", f"/matches/{made['id']}/moves", move=move, after=standing)["now"]["standing"]
    return f"/{views}/{made['id']}"


def addresses(visitor: Visitor) -> Iterator[tuple[str, str]]:
    """Names of pictures and what they show."""
    games = recorded()
    for key, (spec, moves) in games.items():
        yield f"match-{key}", table(visitor, spec, moves[: int(0.7 * len(moves))], "match")
    spec, moves = games["cube-lariat"]
    yield "match-over", table(visitor, spec, moves, "match")
    yield "review", table(visitor, spec, moves, "review")
    yield from PAGES.items()


def people_the_lobby(browser: Browser, server: Server) -> None:
    """A challenge that waits, and a match of two others that goes on."""
    first, second = (Visitor(browser.new_context(), server.url) for _ in range(2))
    first.ask("POST", "/matches", spec="lariat-1x6", opponent={"kind": "open"}, clock={"kind": "days", "days": 3})
    spec, moves = recorded()["tether"]
    match = first.ask("POST", "/matches", spec=spec, opponent={"kind": "open"}, seat=0)["match"]["id"]
    now = second.ask("POST", f"/matches/{match}/join")["now"]
    for number, move in enumerate(moves[:24]):
        now = (first, second)[number % 2].ask("POST", f"/matches/{match}/moves", move=move, after=now["standing"])["now"]


def shoot(browser: Browser, server: Server, folder: Path, words: list[str]) -> None:
    """All pictures of one browser."""
    people_the_lobby(browser, server)
    for width, height in SIZES.items():
        for theme in ("light", "dark"):
            made = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 600)
            visitor = Visitor(made, server.url, theme=theme, views="both")
            for name, path in addresses(visitor):
                views = ["flat", "solid"] if width < 600 and name.startswith("match") else [""]
                for view in views:
                    picture = folder / f"{'-'.join(filter(None, [name, view]))}-{width}-{theme}.png"
                    if not words or any(word in picture.name for word in words):
                        take(visitor, path, view, picture)
            for complaint in visitor.complaints:
                print("complaint:", complaint)
            made.close()


def take(visitor: Visitor, path: str, view: str, picture: Path) -> None:
    """One picture, and a grey one of the light theme."""
    visitor.go(path)
    if view:
        visitor.page.locator(".switch button").nth(["flat", "solid"].index(view)).click()
    visitor.page.wait_for_timeout(SETTLE)
    visitor.page.screenshot(path=picture, timeout=120_000)
    if "light" in picture.name:
        grey = picture.with_name(picture.name.replace("light", "grey"))
        Image.open(picture).convert("L").save(grey)
    print(picture.name, flush=True)


def main(folder: Path, words: list[str]) -> None:
    """Start a server and a browser, and take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(str(Path(kept) / "shots.db")) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        shoot(browser, server, folder, words)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
