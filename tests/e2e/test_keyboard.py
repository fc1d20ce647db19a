"""Keyboard only: the Tab key reaches everything that can be used, and the focus is always visible."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

PAGES = [
    "/",
    "/new?game=laocoon",
    "/lobby",
    "/watch",
    "/my-games",
    "/tournaments",
    "/learn",
    "/learn/liger/basics/3",
    "/puzzles?game=tether",
    "/puzzles/liger-142c42d9",
    "/settings",
    "/rules/lariat",
    "/known/lariat",
    "/analysis?spec=tether-5&moves=c3",
    "/email/confirm/0",
    "/nowhere",
    "/embed/position?spec=laocoon-weave&moves=b3+a7+g1",
]
# Records every element that gets the focus. A label shows the focus of a control that is hidden in it.
RECORD = """() => {
  window.reached = new Set(); window.unmarked = new Set();
  const isMarked = (element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  };
  document.addEventListener("focusin", ({target}) => {
    window.reached.add(target);
    const shown = [target, target.closest("label")].filter(Boolean);
    if (!shown.some(isMarked)) window.unmarked.add(target.outerHTML.slice(0, 120));
  }, true);
}"""
USABLE = """[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((element) =>
  !element.disabled && element.tabIndex >= 0 && !element.closest("[inert]")
  && element.checkVisibility({visibilityProperty: true}))"""
MISSED = f"""() => {{
  const groups = new Set([...window.reached].filter(({{type}}) => type === "radio").map(({{name}}) => name));
  return {USABLE}
    .filter((element) => !window.reached.has(element) && !(element.type === "radio" && groups.has(element.name)))
    .map((element) => element.outerHTML.slice(0, 120));
}}"""
SPARE = 12  # Tab passes through the browser's own window, and through areas that scroll


def walk(user: BrowserUser, path: str) -> dict[str, Any]:
    """Press Tab through a page; return what was not reached, and what showed no focus."""
    user.open_path(path)
    user.page.wait_for_load_state("networkidle")
    user.page.evaluate(RECORD)
    for _ in range(user.page.evaluate(f"{USABLE}.length") + SPARE):
        user.page.keyboard.press("Tab")
    return {"missed": user.page.evaluate(MISSED), "unmarked": user.page.evaluate("[...window.unmarked]")}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_tab_reaches_everything_and_the_focus_is_visible(theme: str, browser: Browser, server: Server) -> None:
    size = {"light": {"width": 1280, "height": 860}, "dark": {"width": 390, "height": 844}}[theme]
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    user = BrowserUser(context, server.url, theme=theme, text=True)
    match = user.start_match("laocoon-weave", moves=("d4",))
    over = user.start_match("tether-5", moves=("c3",), public=True)
    user.request("POST", f"/matches/{over}/actions", type="resign")
    tables = [f"/match/{match}", f"/match/{over}", f"/review/{over}"]
    problems = {path: walk(user, path) for path in [*PAGES, *tables]}
    context.close()
    assert {path: found for path, found in problems.items() if found["missed"] or found["unmarked"]} == {}
