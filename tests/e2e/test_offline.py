"""Without a server: the page, the rules and lessons that were opened are there; the rest says plainly that it is not."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.e2e.conftest import PAGE
from tests.support.browser_user import Visitor

KEPT = """async name => {
  for (let tries = 0; tries < 600; tries++) {
    for (const key of await caches.keys())
      if ((await (await caches.open(key)).keys()).some(({url}) => url.includes(name))) return true;
    await new Promise(done => setTimeout(done, 100));
  }
  return false;
}"""


def lose_the_server(visitor: Visitor) -> None:
    """Cut the connection, once the worker keeps the page."""
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    assert visitor.page.evaluate(KEPT, "/assets/index")
    visitor.context.set_offline(True)


def test_rules_and_a_lesson_are_there_without_a_server_and_the_page_says_what_is_not(visitor: Visitor) -> None:
    visitor.go("/learn")
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    visitor.page.reload()  # the worker keeps what is asked for from now on
    visitor.page.get_by_role("link", name="Start: Tether").click()
    visitor.page.get_by_test_id("next").click()
    visitor.click("c3")
    expect(visitor.prompt).to_have_text("Correct.")
    lose_the_server(visitor)
    visitor.page.reload()
    expect(visitor.page.get_by_test_id("offline")).to_contain_text("You are offline")
    expect(visitor.prompt).to_have_text("Your turn")
    visitor.click("c3")  # asked before, so the answer is known
    expect(visitor.prompt).to_have_text("Correct.")
    visitor.page.get_by_test_id("next").click()  # its position was loaded with the lesson
    expect(visitor.page.get_by_text("3 of 5")).to_be_visible()
    expect(visitor.prompt).to_have_text("Your turn")
    visitor.click("e1")  # nobody has asked for this
    expect(visitor.page.get_by_role("alert")).to_contain_text("This needs the server")

    visitor.go("/rules/liger")
    expect(visitor.page.get_by_role("heading", name="Rules: Liger")).to_be_visible()
    visitor.go("/")
    visitor.page.get_by_role("button", name="Play now: Tether").click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("You are offline")

    visitor.context.set_offline(False)
    expect(visitor.page.get_by_test_id("offline")).to_have_count(0)
    visitor.complaints.clear()  # the browser itself complains of every request that fails


def test_the_page_can_be_installed(visitor: Visitor) -> None:
    visitor.go("/learn")
    manifest = visitor.context.request.get(f"{visitor.url}/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        found = visitor.context.request.get(visitor.url + icon["src"])
        assert (found.status, found.headers["content-type"]) == (200, icon["type"])
    problems = visitor.context.new_cdp_session(visitor.page).send("Page.getInstallabilityErrors")
    told = {problem["errorId"] for problem in problems["installabilityErrors"]}
    assert told <= {"in-incognito"}, told


def test_the_worker_lists_all_files_but_those_that_are_loaded_later() -> None:
    written = re.match(
        r'const FILES = (\[.*\]);\nconst VERSION = "[0-9a-f]{12}";\n', (PAGE.parent / "worker.js").read_text("utf-8")
    )
    assert written is not None
    built = {f"/{path.relative_to(PAGE.parent).as_posix()}" for path in PAGE.parent.rglob("*") if path.is_file()}
    later = {file for file in built if "SolidRenderer" in file and file.endswith(".js")}
    assert len(later) == 1
    assert set(json.loads(written[1])) == built - later - {"/worker.js", "/index.html"} | {"/"}
