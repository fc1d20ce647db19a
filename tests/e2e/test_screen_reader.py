"""A blind person's whole game of Tether against level 2, read from the accessibility tree only.

Nothing is found by a style, a test id or a place on the screen, only by roles and names, as a screen reader has them. The
moves of the bot are read from the live region. ROPEWALK_TRANSCRIPT names a file for what was heard, for people to read.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

SIZE = 5
MAX_MOVES = SIZE * SIZE
TURN_OR_END = re.compile(r"Your turn|You win|You lose")


class ScreenReader:
    """Reads a page by its accessibility tree, and writes down what is heard and done."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[str] = []
        self.num_heard = 0  # sentences of the live region

    def write(self, text: str) -> None:
        """Write a line."""
        self.lines.append(text)

    def press(self, role: str, name: str) -> None:
        """Find a control by its role and name, and activate it by the keyboard."""
        control = self.page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
        control.focus()
        control.press("Space" if role in ("radio", "checkbox") else "Enter")
        self.write(f"[activates the {role} “{name}”]")

    def read_log(self) -> list[str]:
        """Return the sentences of the live region that are new, and write them."""
        tree = self.page.get_by_role("log", name="What happens in the match").aria_snapshot()
        sentences = re.findall(r"- paragraph: (.+)", tree)
        new = sentences[self.num_heard :] if len(sentences) >= self.num_heard else sentences
        self.num_heard = len(sentences)
        for sentence in new:
            self.write(f"announced: {sentence}")
        return new

    def wait_for_turn(self) -> str:
        """Wait until it is the visitor's turn or the game is over; return what the page says of it."""
        told = self.page.get_by_role("main").get_by_text(TURN_OR_END).first
        expect(told).to_be_visible()
        return told.inner_text()

    def read_board(self) -> list[str]:
        """Return the items of the text view: what stands where, last move, counts, territory."""
        tree = self.page.get_by_role("region", name="Text view of the board").aria_snapshot()
        return [item.replace("**", "") for item in re.findall(r"- listitem: (.+)", tree)]

    def list_moves(self) -> list[str]:
        """Open the list of legal moves, and return the moves."""
        view = self.page.get_by_role("region", name="Text view of the board")
        names = re.findall(r'- button "([a-z]\d+)"', view.aria_snapshot())
        return [str(name) for name in names]


def choose_move(moves: list[str]) -> str:
    """Return the legal move that is nearest to the middle of the board."""
    middle = (SIZE + 1) / 2
    return min(moves, key=lambda move: abs(ord(move[0]) - ord("a") + 1 - middle) + abs(int(move[1:]) - middle))


def start_game(reader: ScreenReader) -> None:
    """Start a game against level 2 on a small board from the home page."""
    page = reader.page
    reader.press("link", "Options: Tether")
    page.get_by_role("combobox", name="Board").select_option("own")
    page.get_by_role("spinbutton", name="Size").fill(str(SIZE))
    reader.press("radio", "2")
    reader.press("button", "Start")
    page.wait_for_url("**/match/*")
    reader.press("checkbox", "Text view")
    page.get_by_role("region", name="Text view of the board").get_by_text(re.compile(r"^Show: ")).click()


def test_a_whole_game_is_played_from_the_accessibility_tree_only(browser: Browser, server: Server, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url)
    user.open_path("/")
    reader = ScreenReader(user.page)
    start_game(reader)
    told = reader.wait_for_turn()
    answers = []
    for number in range(1, MAX_MOVES):
        reader.write(f"\n{number}. {told}")
        if "Your turn" not in told:
            break
        move = choose_move(reader.list_moves())
        user.page.get_by_role("textbox", name="Enter a move").or_(
            user.page.get_by_role("combobox", name="Enter a move")
        ).fill(move)
        reader.press("button", f"Play {move}")
        expect(user.page.get_by_role("list", name="Moves").get_by_role("button", name=move, exact=True)).to_be_visible()
        told = reader.wait_for_turn()
        answers += reader.read_log()
        reader.write("the board: " + "; ".join(reader.read_board()))
    assert re.search(r"You (win|lose)", told), told
    assert answers, "the moves of the bot are announced"
    assert all("evel 2" in sentence or "removed" in sentence.lower() for sentence in answers), answers
    assert any("Territory" in line for line in reader.lines)
    transcript = Path(os.environ.get("ROPEWALK_TRANSCRIPT", tmp_path / "screen-reader.txt"))
    transcript.write_text("\n".join(reader.lines) + "\n", "utf-8")
    assert user.errors == []
    context.close()
