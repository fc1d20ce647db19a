"""A user with a browser: opens pages, clicks, types, and records the errors that the browser reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
PATIENCE = 60_000  # milliseconds; the machines that run this may be busy
HARMLESS = ("GL Driver Message", "GPU stall", "WebSocket connection", "ERR_INTERNET_DISCONNECTED")
OWN = {"X-Ropewalk": "1"}

MOST_TURNS = 4
TURN_A_PIXEL, TILT_A_PIXEL = 0.4, 0.35  # degrees

expect.set_options(timeout=PATIENCE)


class Visitor:
    """A browser with its own cookies; `views` is flat where the 3D view is not needed."""

    def __init__(self, context: BrowserContext, url: str, **settings: Any) -> None:
        self.context = context
        self.url = url
        self.complaints: list[str] = []
        kept = {
            "views": "flat",
            "language": "en",
            "confirm": "never",
            "theme": "light",
            "names": True,
            "text": False,
        } | settings
        words = json.dumps(json.dumps(kept))
        context.add_init_script(f"if (!localStorage.getItem('ropewalk')) localStorage.setItem('ropewalk', {words})")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def note(self, message: ConsoleMessage) -> None:
        """Record an error message of the browser."""
        if message.type in ("error", "warning") and not any(words in message.text for words in HARMLESS):
            self.complaints.append(message.text)

    def go(self, path: str) -> None:
        """Open an address of the page."""
        self.page.goto(self.url + path)

    def ask(self, method: str, path: str, **body: Any) -> Any:
        """Send a request to the server with this browser's cookie."""
        answer = self.context.request.fetch(f"{self.url}/api{path}", method=method, headers=OWN, data=body or None)
        assert answer.ok, answer.text()
        return answer.json()

    def sit_down(self, spec: str, opponent: dict[str, Any] | None = None, moves: tuple[str, ...] = (), **wish: Any) -> str:
        """Create a match, by default at one screen, with some moves played, and open it."""
        made = self.ask("POST", "/matches", spec=spec, opponent=opponent or {"kind": "self"}, **wish)
        match = made["match"]
        state = match["state"]
        for move in moves:
            state = self.play(match["id"], move, state)
        self.go(f"/match/{match['id']}")
        expect(self.page.locator("[data-view]").first).to_be_visible()
        return str(match["id"])

    def play(self, match: str, move: str, state: Any) -> Any:
        """Play a move in a match and return the state after it."""
        version = state["position_version"]
        body = {"type": "move", "move": move, "position_version": version}
        return self.ask("POST", f"/matches/{match}/actions", **body)["state"]

    def match(self) -> Any:
        """The match in view, as the server stores it."""
        return self.ask("GET", f"/matches/{self.page.url.split('/match/')[1].split('/')[0]}")

    @property
    def map(self) -> Locator:
        """The flat map."""
        return self.page.locator('[data-view="flat"]')

    @property
    def prompt(self) -> Locator:
        """The line that names the player to move."""
        return self.page.get_by_test_id("prompt")

    @property
    def told(self) -> Locator:
        """The text of the live region of the board."""
        return self.page.get_by_test_id("told")

    def click(self, cell: str) -> None:
        """Select a cell on the flat map by mouse."""
        self.page.evaluate(POINT_AT, cell)
        x, y = self.page.evaluate(INSIDE_OF, cell)
        self.page.mouse.click(x, y)

    @property
    def solid(self) -> Locator:
        """The 3D view, after it is drawn."""
        return self.page.locator('.board[data-ready="true"] [data-view="solid"] .solid')

    def click_in_space(self, cell: str) -> None:
        """Select a cell in the 3D view by mouse; turn the view until the cell is visible."""
        self.solid.scroll_into_view_if_needed()
        for _ in range(MOST_TURNS):
            at = self.solid.evaluate("(pane, cell) => pane.pointOn(cell)", cell)
            if at is not None:
                self.page.mouse.click(*at)
                return
            turn, tilt = self.solid.evaluate("(pane, cell) => pane.turnTowards(cell)", cell)
            self.drag(-turn / TURN_A_PIXEL, tilt / TILT_A_PIXEL)
        raise AssertionError(f"{cell} cannot be turned into sight")

    def drag(self, x: float, y: float) -> None:
        """Drag the 3D view by a number of pixels from its middle, not beyond the window."""
        box = self.solid.bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*middle)
        self.page.mouse.down()
        reach = box["width"] / 2
        self.page.mouse.move(middle[0] + max(-reach, min(reach, x)), middle[1] + y, steps=2)
        self.page.mouse.up()

    def make(self, move: str, cells: list[str], choose: Callable[[str], None] | None = None) -> None:
        """Make a move by mouse: its cells one after the other, then its button if there is a choice."""
        for cell in cells:
            (choose or self.click)(cell)
        button = self.page.locator(f'button[data-move="{move}"]')
        if not cells or button.is_visible():
            button.click()

    def wait_for(self, moves: int) -> Any:
        """Wait until the list has this many moves; return the match."""
        expect(self.page.locator("[data-ply]")).to_have_count(moves)
        return self.match()


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
