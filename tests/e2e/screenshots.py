"""Pictures of every page and every board, wide and narrow, light, dark and grey: `make shots`, or with a folder and words.

python tests/e2e/screenshots.py FOLDER [--language de] [--whole] [WORD ...]     only pictures with a word in their names

With --whole, a picture shows the page to its end instead of the first screen.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Error, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.browser_user import FLAGS, BrowserUser
from tests.support.command_runner import run_ropewalk
from tests.support.server_process import Server, run_server

RECORDED = Path(__file__).parents[2] / "web" / "src" / "content" / "demoGames.ts"
SIZES = {1440: 900, 390: 844}
CLOCK = {"kind": "fischer", "initial_seconds": 600, "increment_seconds": 10}
SETTLE = 2500  # milliseconds for boards in space and moves on the home page
SETTLE_FLAT = 500  # milliseconds for all other pages
GAMES = ("lariat", "cube-lariat", "tether", "liger", "laocoon")
CAPTURED = "c2 a1 d2 a2 b3 a3 d3 a4 b4 c3 c4".split()  # noqa: SIM905
TOURNAMENTS = {"Over": ("swiss", 8), "Playing": ("swiss", 6), "Registering": ("arena", 2)}  # format and bots
PUZZLE = "tether-63b5ad36"
PAGES = {
    "home": "/",
    "new": "/new?game=tether",
    "lobby": "/lobby",
    "my-games": "/my-games",
    "watch": "/watch",
    "learn": "/learn",
    "lesson": "/learn/tether/basics/3",
    "lesson-tactics": "/learn/liger/tactics/4",
    "puzzles": "/puzzles?game=tether",
    "puzzle": "/puzzles/tether-63b5ad36",
    "puzzle-ring": "/puzzles/laocoon-41de066d",
    "settings": "/settings",
    "rules": "/rules/lariat",
    "known": "/known/lariat",
    "analysis": "/analysis?spec=tether-9&moves=e5+d6+c4+f4",
    "report": "/reports/lariat",
    "player": "/player/Wanda",
    "tournaments": "/tournaments",
    "puzzles-all": "/puzzles",
    "embed-position": "/embed/position?spec=laocoon-weave&moves=b3+a7+g1&ply=2",
    "error-address": "/nowhere",
    "error-match": "/match/0",
    "error-review": "/review/0",
    "error-tournament": "/tournaments/0",
    "error-player": "/player/Nobody",
    "error-puzzle": "/puzzles/tether-0",
    "error-analysis": "/analysis?spec=chess",
    "error-rules": "/rules/chess",
    "error-known": "/known/chess",
    "error-lesson": "/learn/chess",
    "error-invitation": "/join/expired",
    "email-confirm": "/email/confirm/0",
    "email-unsubscribe": "/email/unsubscribe/0",
    "licences": "/licences.txt",
}


def recorded() -> dict[str, tuple[str, list[str]]]:
    """The games of the home page: spec and moves by the game's key."""
    found = re.findall(r'"?([a-z-]+)"?: \{\s*spec: "([^"]+)",\s*moves:\s*(?:\(?\s*)"([^"]+)"', RECORDED.read_text("utf-8"))
    return {key: (spec, moves.split()) for key, spec, moves in found}


def open_match(spec: str, moves: list[str], room: str = "match") -> Callable[[BrowserUser], str]:
    """A match at one screen after some moves, made when it is looked at."""
    return lambda user: f"/{room}/{played(user, spec, moves)}"


def played(user: BrowserUser, spec: str, moves: list[str]) -> str:
    """Play a match at one screen; its id."""
    made = user.request("POST", "/matches", spec=spec, opponent={"kind": "self"}, clock={"kind": "none"})["match"]
    state = made["state"]
    for move in moves:
        state = user.play_move(made["id"], move, state)
    return str(made["id"])


def open_table(opponent: dict[str, Any], **more: Any) -> Callable[[BrowserUser], str]:
    """A match on the small board of Tether against somebody, made when it is looked at."""

    def create(user: BrowserUser) -> str:
        made = user.request("POST", "/matches", spec="tether-5", opponent=opponent, seat=0, clock=CLOCK, **more)
        return f"/match/{made['match']['id']}"

    return create


def embed(spec: str, moves: list[str]) -> Callable[[BrowserUser], str]:
    """A public match as other sites show it."""

    def create(user: BrowserUser) -> str:
        fields = {"spec": spec, "opponent": {"kind": "self"}, "clock": {"kind": "none"}, "public": True}
        made = user.request("POST", "/matches", **fields)["match"]
        state = made["state"]
        for move in moves:
            state = user.play_move(made["id"], move, state)
        return f"/embed/match/{made['id']}"

    return create


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the address or how to get one, and what is done there first."""

    name: str
    path: str | Callable[[BrowserUser], str]
    act: Callable[[BrowserUser], None] = lambda _: None


def choose(*cells: str) -> Callable[[BrowserUser], None]:
    """Click on cells, on whichever view is shown."""

    def act(user: BrowserUser) -> None:
        for cell in cells:
            (user.click if user.map.is_visible() else user.click_solid)(cell)
        user.page.mouse.move(5, 5)

    return act


def press(*names: str) -> Callable[[BrowserUser], None]:
    """Press buttons, or open what is folded, by English or German names; bring the last one to the top of the screen."""

    def act(user: BrowserUser) -> None:
        for name in names:
            found = user.page.locator("button, summary").filter(has_text=re.compile(name)).first
            found.click()
            if found.is_visible():
                found.evaluate("it => it.scrollIntoView()")

    return act


def show_text(user: BrowserUser) -> None:
    """Switch the text view on."""
    user.page.get_by_label(re.compile("Text view|Textansicht")).first.check()
    user.page.get_by_role("heading", name=re.compile("Text view|Textansicht")).first.scroll_into_view_if_needed()


def start_game(user: BrowserUser) -> None:
    """Send the form of a new game, and wait for the board."""
    user.page.locator("form button[type=submit]").click()
    user.page.wait_for_url("**/match/*")
    user.page.locator("[data-view]").first.wait_for()


def play_against_bot(user: BrowserUser) -> None:
    """Play a move, and wait for the answer of the bot."""
    user.page.locator("[data-view]").first.wait_for()
    if not user.page.locator("[data-ply]").count():
        choose("c3")(user)
        if user.page.get_by_test_id("confirm").is_visible():
            user.page.get_by_test_id("confirm").click()
    user.page.locator("[data-ply]").nth(1).wait_for(state="attached")


def open_rules(user: BrowserUser) -> None:
    """Press the button beside the name of the game."""
    user.page.locator("aside .title button").click()


def go_offline(user: BrowserUser) -> None:
    """Lose the connection once the worker has the page."""
    user.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    user.context.set_offline(True)
    user.page.reload()


def analyse(user: BrowserUser) -> None:
    """Switch live analysis on, and wait for some reports; bring it into sight."""
    user.page.get_by_role("switch").click()
    user.page.locator(".analysis li").first.wait_for()
    user.page.locator(".analysis").scroll_into_view_if_needed()


def analyse_match(user: BrowserUser) -> None:
    """Analyse the whole match, play what was better in the middle of it, and bring the review into sight."""
    user.page.get_by_test_id("start-review").click()
    user.page.locator("[data-testid=review] progress").wait_for(state="visible")
    user.page.locator("[data-testid=review] progress").wait_for(state="detached", timeout=120_000)
    user.page.get_by_role("button", name=re.compile("Next mistake|Nächster Fehler")).click()
    user.page.get_by_test_id("better").click()
    user.page.get_by_test_id("review").scroll_into_view_if_needed()


def open_explorer(user: BrowserUser) -> None:
    """Open the explorer, whose server has counted the rated games meanwhile."""
    user.page.get_by_test_id("explorer").locator("summary").click()
    user.page.get_by_test_id("explorer").locator("tbody tr").first.wait_for()
    user.page.get_by_test_id("explorer").scroll_into_view_if_needed()


def lose_the_socket(user: BrowserUser) -> None:
    """Switch live analysis on where its socket fails."""
    user.page.route_web_socket("**/analyse/stream", lambda socket: socket.close())
    user.page.get_by_role("switch").click()
    user.page.get_by_role("alert").scroll_into_view_if_needed()


def show_hint(user: BrowserUser) -> None:
    """Ask for the region of a puzzle."""
    restart_puzzle(user)
    user.page.get_by_test_id("hint").click()


def restart_puzzle(user: BrowserUser) -> None:
    """Begin the puzzle again: an earlier picture has left an attempt."""
    user.request("POST", f"/puzzles/{PUZZLE}/restart")
    user.page.reload()


def solve_puzzle(user: BrowserUser) -> None:
    """Play the main line of a puzzle."""
    restart_puzzle(user)
    for cell, following in (("g5", "b1"), ("c4", "d4"), ("a6", "")):
        choose_when_shown(cell)(user)
        if following:
            user.page.get_by_test_id("said").get_by_text(following).wait_for()
    user.page.get_by_test_id("end").wait_for()


def choose_when_shown(cell: str) -> Callable[[BrowserUser], None]:
    """Click on a cell once the board is there; confirm it where touches are confirmed."""

    def act(user: BrowserUser) -> None:
        user.page.locator("[data-position] [data-view]").first.wait_for()
        choose(cell)(user)

    return act


def shots() -> Iterator[Shot]:
    """All that is to be looked at."""
    games = recorded()
    for key, (spec, moves) in games.items():
        yield Shot(f"match-{key}", open_match(spec, moves[: int(0.7 * len(moves))]))
    spec, moves = games["cube-lariat"]
    yield Shot("match-over", open_match(spec, moves))
    yield Shot("match-swap", open_match(spec, moves[:1]))
    yield Shot("review", open_match(spec, moves, "review"))
    yield Shot("review-live", open_match(spec, moves[:40], "review"), analyse)
    yield Shot("review-graph", open_match(spec, moves[:40], "review"), analyse_match)
    yield Shot("review-lost", open_match(spec, moves[:40], "review"), lose_the_socket)
    spec, moves = games["laocoon"]
    yield Shot("match-choosing", open_match(spec, moves[:21]), choose("e5"))
    yield Shot("match-rules", open_match(spec, moves[:21]), open_rules)
    spec, moves = games["liger"]
    yield Shot("match-stacks", open_match(spec, moves[:30]))
    yield Shot("match-refused", open_match("tether-5", CAPTURED), choose("c3"))
    yield Shot("match-bot", open_table({"kind": "bot", "level": 1}), play_against_bot)
    yield Shot("invitation", "/new?game=tether&opponent=invitation", start_game)
    spec, moves = games["laocoon"]
    yield Shot("match-turn", open_match(spec, moves[:22]))
    yield Shot("embed-match", embed(spec, moves[:22]))
    for key in GAMES:
        yield Shot(f"lesson-first-{key}", f"/learn/{key}/basics/1")
        yield Shot(f"lesson-strategy-{key}", f"/learn/{key}/strategy/2")
        for page in ("rules", "known"):
            if f"/{page}/{key}" not in PAGES.values():
                yield Shot(f"{page}-{key}", f"/{page}/{key}")
    yield Shot("home-which", "/", press("Which game|Welches Spiel"))
    yield Shot(
        "analysis-setup",
        "/analysis?spec=laocoon-weave",
        press("Game and position|Spiel und Stellung", "Set up|Stellung aufbauen"),
    )
    yield Shot("new-bot", "/new?game=laocoon")
    yield from (Shot(name, path) for name, path in PAGES.items())
    yield Shot("explorer", "/analysis?spec=tether-5", open_explorer)
    yield Shot("puzzle-refuted", f"/puzzles/{PUZZLE}", choose_when_shown("b1"))
    yield Shot("puzzle-hint", f"/puzzles/{PUZZLE}", show_hint)
    yield Shot("puzzle-solved", f"/puzzles/{PUZZLE}", solve_puzzle)
    for name in TOURNAMENTS:
        yield Shot(f"tournament-{name.lower()}", open_tournament(name))
    yield Shot("offline", "/learn", go_offline)
    yield Shot("club-organiser", open_as_wanda("Registering"))  # the last ones: from now on the visitor is logged in
    yield Shot("club-create", as_wanda("/tournaments"), lambda user: user.page.locator("summary").click())
    yield Shot("club-my-games", as_wanda("/my-games"))
    yield Shot("club-profile", as_wanda("/player/Wanda"))
    yield Shot("club-settings", as_wanda("/settings"))
    yield Shot("club-opponent", as_wanda("/player/Otto"))
    yield Shot("club-new-user", as_wanda("/new?opponent=user&name=Otto"))
    yield Shot("club-lobby", as_wanda("/lobby"))
    yield Shot("text-view", open_match("tether-5", CAPTURED), show_text)  # which stays switched on


def open_tournament(name: str) -> Callable[[BrowserUser], str]:
    """The page of a tournament by its name."""

    def find(user: BrowserUser) -> str:
        lists = user.request("GET", "/tournaments")
        found = next(each["id"] for entries in lists.values() for each in entries if each["name"] == name)
        return f"/tournaments/{found}"

    return find


def as_wanda(path: str) -> Callable[[BrowserUser], str]:
    """A page as Wanda sees it."""

    def log_in(user: BrowserUser) -> str:
        user.request("POST", "/sessions", name="Wanda", password="a long password")
        return path

    return log_in


def open_as_wanda(name: str) -> Callable[[BrowserUser], str]:
    """The page of a tournament as its organiser sees it."""

    def find(user: BrowserUser) -> str:
        as_wanda("")(user)
        return open_tournament(name)(user)

    return find


def hold_tournaments(browser: Browser, server: Server) -> None:
    """A tournament of each status; Wanda organises them, Otto challenges her, and there is an announcement."""
    wanda, otto = (BrowserUser(browser.new_context(), server.url) for _ in range(2))
    for member, name in ((wanda, "Wanda"), (otto, "Otto")):
        member.request("POST", "/sessions", name=name, password="a long password")
    for name, (format_, players) in TOURNAMENTS.items():
        fields = {"name": name, "format": format_, "spec": "tether-5", "clock": CLOCK, "rounds": 3, "duration_minutes": 60}
        path = f"/tournaments/{wanda.request('POST', '/tournaments', **fields)['id']}"
        for number in range(players):
            wanda.request("POST", f"{path}/players", level=1 + number % 2)
        if name != "Over":
            for member in (wanda, otto):
                member.request("POST", f"{path}/players", key=None)
        if name == "Registering":
            continue
        wanda.request("POST", f"{path}/start")
        while name == "Over" and wanda.request("GET", path)["status"] != "over":
            wanda.page.wait_for_timeout(200)
    otto.request("POST", "/matches", spec="tether-7", opponent={"kind": "user", "name": "Wanda"}, clock=CLOCK, rated=True)
    run_ropewalk("moderate", "announce", "Maintenance on Sunday from 8:00 to 9:00 UTC", "--database", server.database)


def people_the_lobby(browser: Browser, server: Server) -> None:
    """A challenge that waits, and a match of two others that goes on."""
    first, second = (BrowserUser(browser.new_context(), server.url) for _ in range(2))
    first.request("POST", "/matches", spec="lariat-1x6", opponent={"kind": "open"}, clock={"kind": "days", "days": 3})
    spec, moves = recorded()["tether"]
    match = first.request("POST", "/matches", spec=spec, opponent={"kind": "open"}, seat=0)["match"]["id"]
    state = second.request("POST", f"/matches/{match}/join")["state"]
    for number, move in enumerate(moves[:24]):
        state = (first, second)[number % 2].play_move(match, move, state)


def play_for_ratings(browser: Browser, server: Server) -> None:
    """Two members with rated games behind them, so that there are curves to look at."""
    wanda, otto = (BrowserUser(browser.new_context(), server.url) for _ in range(2))
    for member, name in ((wanda, "Wanda"), (otto, "Otto")):
        member.request("POST", "/accounts", name=name, password="a long password")
    for number, won in enumerate("WLWWLWWWLWWLWW"):
        spec = ("tether-5", "lariat-1x6")[number % 3 == 2]
        match = wanda.request("POST", "/matches", spec=spec, opponent={"kind": "open"}, seat=0, rated=True, clock=CLOCK)[
            "match"
        ]["id"]
        state = otto.request("POST", f"/matches/{match}/join")["state"]
        for who, move in ((wanda, "b1"), (otto, "b2")):
            state = who.play_move(match, move, state)
        (otto if won == "W" else wanda).request("POST", f"/matches/{match}/actions", type="resign")


def shoot(browser: Browser, server: Server, folder: Path, options: argparse.Namespace) -> None:
    """All pictures of one browser."""
    people_the_lobby(browser, server)
    play_for_ratings(browser, server)
    hold_tournaments(browser, server)
    for width in options.width:
        height = SIZES[width]
        for theme in options.theme:
            made = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 600)
            user = BrowserUser(made, server.url, theme=theme, views="both", language=options.language)
            for shot in shots():
                views = ["flat", "solid"] if width < 600 and shot.name.startswith("match") else [""]
                for view in views:
                    picture = folder / f"{'-'.join(filter(None, [shot.name, view]))}-{width}-{theme}.png"
                    if not options.words or any(word in picture.name for word in options.words):
                        try_to_take(user, shot, view, picture, options.whole)
            for complaint in user.errors:
                print("complaint:", complaint)
            made.close()


def try_to_take(user: BrowserUser, shot: Shot, view: str, picture: Path, whole: bool) -> None:
    """One picture; a page that does not get there is reported, and the others follow."""
    try:
        take(user, shot, view, picture, whole)
    except (AssertionError, Error) as failure:
        print(f"{picture.name} is missing: {failure}", flush=True)


def take(user: BrowserUser, shot: Shot, view: str, picture: Path, whole: bool) -> None:
    """One picture, and a grey one of the light theme."""
    user.open_path(shot.path if isinstance(shot.path, str) else shot.path(user))
    if view:
        user.page.locator(".switch button").nth(["flat", "solid"].index(view)).click()
        if view == "solid":
            user.solid.wait_for()
    if shot.name.startswith(("match", "review")):
        user.page.locator("[data-view]").first.wait_for()
    shot.act(user)
    is_spatial = shot.name.startswith(("home", "match", "invitation")) or user.page.locator("canvas").count() > 0
    user.page.wait_for_timeout(SETTLE if is_spatial else SETTLE_FLAT)
    user.page.screenshot(path=picture, timeout=120_000, full_page=whole)
    user.context.set_offline(False)
    if "light" in picture.name:
        grey = picture.with_name(picture.name.replace("light", "grey"))
        Image.open(picture).convert("L").save(grey)
    print(picture.name, flush=True)


def main(options: argparse.Namespace) -> None:
    """Start a server and a browser, and take all pictures."""
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as kept,
        run_server(str(Path(kept) / "shots.db")) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        shoot(browser, server, folder, options)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--language", default="en", choices=["en", "de"])
    parser.add_argument("--width", type=int, nargs=1, choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--theme", nargs=1, choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--whole", action="store_true", help="the page to its end instead of the first screen")
    main(parser.parse_intermixed_args())  # words may follow the options
