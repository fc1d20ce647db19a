"""A user of a browser: opens pages, clicks, types, and records errors and warnings of the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

# WebGL without a graphics card; the rest of a page is drawn without it, which takes half the time
FLAGS = ["--disable-gpu-compositing", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
TIMEOUT_MS = 60_000  # milliseconds; the machines that run this may be busy
IGNORED_MESSAGES = ("GL Driver Message", "GPU stall", "WebSocket connection", "ERR_INTERNET_DISCONNECTED")
HEADERS = {"X-Ropewalk": "1"}

MAX_ROTATIONS = 4
TURN_A_PIXEL, TILT_A_PIXEL = 0.4, 0.35  # degrees

expect.set_options(timeout=TIMEOUT_MS)


class BrowserUser:
    """A browser context with its own cookies; the flat view is the default, because it is drawn faster."""

    def __init__(self, context: BrowserContext, url: str, **settings: Any) -> None:
        self.context = context
        self.url = url
        self.errors: list[str] = []
        preferences = {
            "views": "flat",
            "language": "en",
            "confirm": "never",
            "theme": "light",
            "names": True,
            "text": False,
        } | settings
        words = json.dumps(json.dumps(preferences))
        context.add_init_script(f"if (!localStorage.getItem('ropewalk')) localStorage.setItem('ropewalk', {words})")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.page.on("console", self.record_message)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def record_message(self, message: ConsoleMessage) -> None:
        """Store an error or a warning of the console."""
        if message.type in ("error", "warning") and not any(words in message.text for words in IGNORED_MESSAGES):
            self.errors.append(message.text)

    def open_path(self, path: str) -> None:
        """Open a path of the page."""
        self.page.goto(self.url + path)

    def request(self, method: str, path: str, **body: Any) -> Any:
        """Send a request with the cookies of this browser, and return its JSON."""
        response = self.context.request.fetch(f"{self.url}/api{path}", method=method, headers=HEADERS, data=body or None)
        assert response.ok, response.text()
        return response.json()

    def start_match(
        self, spec: str, opponent: dict[str, Any] | None = None, moves: tuple[str, ...] = (), **more: Any
    ) -> str:
        """Create a match, by default at one screen, play moves, open it, and return its id."""
        created = self.request("POST", "/matches", spec=spec, opponent=opponent or {"kind": "self"}, **more)
        match = created["match"]
        state = match["state"]
        for move in moves:
            state = self.play_move(match["id"], move, state)
        self.open_path(f"/match/{match['id']}")
        expect(self.page.locator("[data-view]").first).to_be_visible()
        return str(match["id"])

    def play_move(self, match: str, move: str, state: Any) -> Any:
        """Play a move in a match with a state, and return the state after it."""
        version = state["position_version"]
        body = {"type": "move", "move": move, "position_version": version}
        return self.request("POST", f"/matches/{match}/actions", **body)["state"]

    def get_match(self) -> Any:
        """Return the match that is shown, from the server."""
        return self.request("GET", f"/matches/{self.page.url.split('/match/')[1].split('/')[0]}")

    @property
    def map(self) -> Locator:
        """The flat map."""
        return self.page.locator('[data-view="flat"]')

    @property
    def prompt(self) -> Locator:
        """The line that says whose turn it is."""
        return self.page.get_by_test_id("prompt")

    @property
    def message(self) -> Locator:
        """The message below the board."""
        return self.page.get_by_test_id("told")

    def click(self, cell: str) -> None:
        """Click a cell of the flat map."""
        self.page.evaluate(POINT_AT, cell)
        x, y = self.page.evaluate(INSIDE_OF, cell)
        self.page.mouse.click(x, y)

    @property
    def solid(self) -> Locator:
        """The solid view, when it is drawn."""
        return self.page.locator('.board[data-ready="true"] [data-view="solid"] .solid')

    def click_solid(self, cell: str) -> None:
        """Click a cell of the solid view; rotate it until the cell is visible."""
        self.solid.scroll_into_view_if_needed()
        for _ in range(MAX_ROTATIONS):
            at = self.solid.evaluate("(pane, cell) => pane.pointOn(cell)", cell)
            if at is not None:
                self.page.mouse.click(*at)
                return
            turn, tilt = self.solid.evaluate("(pane, cell) => pane.turnTowards(cell)", cell)
            self.drag(-turn / TURN_A_PIXEL, tilt / TILT_A_PIXEL)
        raise AssertionError(f"{cell} cannot be turned into sight")

    def drag(self, x: float, y: float) -> None:
        """Drag the solid view by pixels from its centre, horizontally at most to its edge."""
        box = self.solid.bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*middle)
        self.page.mouse.down()
        reach = box["width"] / 2
        self.page.mouse.move(middle[0] + max(-reach, min(reach, x)), middle[1] + y, steps=2)
        self.page.mouse.up()

    def make_move(self, move: str, cells: list[str], choose: Callable[[str], None] | None = None) -> None:
        """Make a move by mouse: click its cells, then its button if there are several moves."""
        for cell in cells:
            (choose or self.click)(cell)
        button = self.page.locator(f'button[data-move="{move}"]')
        if not cells or button.is_visible():
            button.click()

    def wait_for(self, moves: int) -> Any:
        """Wait until the list has a number of moves, and return the match."""
        expect(self.page.locator("[data-ply]")).to_have_count(moves)
        return self.get_match()


POINT_AT = "cell => document.querySelector(`.touch [data-cell=\"${cell}\"]`).scrollIntoView({block: 'nearest'})"
# A point inside a cell's outline: where the map cuts it, its middle may lie outside.
INSIDE_OF = """cell => {
  const path = document.querySelector(`.touch [data-cell="${cell}"]`);
  const toScreen = path.getScreenCTM(), box = path.getBBox();
  for (const step of [2, 3, 5, 9, 17, 33])
    for (let i = 1; i < step; i++) for (let j = 1; j < step; j++) {
      const point = new DOMPoint(box.x + box.width * i / step, box.y + box.height * j / step);
      const near = [[0, 0], [0.02, 0], [-0.02, 0], [0, 0.02], [0, -0.02]];
      if (near.every(([x, y]) => path.isPointInFill(new DOMPoint(point.x + x, point.y + y)))) {
        const seen = point.matrixTransform(toScreen);
        return [seen.x, seen.y];
      }
    }
  throw new Error(`no point inside ${cell}`);
}"""
