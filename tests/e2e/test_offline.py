"""Without a server: the page, the rules and lessons that were opened are there; the rest says plainly that it is not."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.e2e.conftest import PAGE
from tests.support.browser_user import BrowserUser

KEPT = """async name => {
  for (let tries = 0; tries < 600; tries++) {
    for (const key of await caches.keys())
      if ((await (await caches.open(key)).keys()).some(({url}) => url.includes(name))) return true;
    await new Promise(done => setTimeout(done, 100));
  }
  return false;
}"""


def lose_the_server(user: BrowserUser) -> None:
    """Cut the connection, once the worker keeps the page."""
    user.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    assert user.page.evaluate(KEPT, "/assets/index")
    user.context.set_offline(True)


def test_rules_and_a_lesson_are_there_without_a_server_and_the_page_says_what_is_not(user: BrowserUser) -> None:
    user.open_path("/learn")
    user.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    user.page.reload()  # the worker keeps what is asked for from now on
    user.page.get_by_role("link", name="Tether: Rules").click()
    user.page.get_by_test_id("next").click()
    user.click("c3")
    expect(user.prompt).to_have_text("Correct.")
    lose_the_server(user)
    user.page.reload()
    expect(user.page.get_by_test_id("offline")).to_contain_text("You are offline")
    expect(user.prompt).to_have_text("Your turn")
    user.click("c3")  # asked before, so the answer is known
    expect(user.prompt).to_have_text("Correct.")
    user.page.get_by_test_id("next").click()  # its position was loaded with the lesson
    expect(user.page.get_by_text("3 of 5")).to_be_visible()
    expect(user.prompt).to_have_text("Your turn")
    user.click("e1")  # nobody has asked for this
    expect(user.page.get_by_role("alert")).to_contain_text("This needs the server")

    user.open_path("/rules/liger")
    expect(user.page.get_by_role("heading", name="Rules: Liger")).to_be_visible()
    user.open_path("/")
    user.page.get_by_role("button", name="Play now: Tether").click()
    expect(user.page.get_by_role("alert")).to_contain_text("You are offline")

    user.context.set_offline(False)
    expect(user.page.get_by_test_id("offline")).to_have_count(0)
    user.errors.clear()  # the browser itself complains of every request that fails


def test_the_page_can_be_installed(user: BrowserUser) -> None:
    user.open_path("/learn")
    manifest = user.context.request.get(f"{user.url}/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        found = user.context.request.get(user.url + icon["src"])
        assert (found.status, found.headers["content-type"]) == (200, icon["type"])
    problems = user.context.new_cdp_session(user.page).send("Page.getInstallabilityErrors")
    told = {problem["errorId"] for problem in problems["installabilityErrors"]}
    assert told <= {"in-incognito"}, told


def test_the_worker_lists_all_files_but_those_that_are_loaded_later() -> None:
    worker = (PAGE.parent / "worker.js").read_text("utf-8")
    written = re.match(r'const FILES = (\[.*\]);\nconst VERSION = "[0-9a-f]{12}";\n', worker)
    assert written is not None
    files = [path for path in PAGE.parent.rglob("*") if path.is_file() and path.suffix != ".gz"]  # without compressed copies
    built = {f"/{path.relative_to(PAGE.parent).as_posix()}" for path in files}
    later = {file for file in built if "SolidRenderer" in file and file.endswith(".js")}
    assert len(later) == 1
    embedded = {file for file in built if file.rpartition("/")[2].startswith("embed")}  # a page of its own, never offline
    others = {"/worker.js", "/index.html", "/licences.txt"}  # the licences are read online
    assert set(json.loads(written[1])) == built - later - embedded - others | {"/"}
