"""Keyboard only: what the Tab key does not reach on a page, and where it shows no focus."""

from __future__ import annotations

from playwright.sync_api import Page

SELECTOR = "a[href], button, input, select, textarea, summary, [tabindex='0']"
FOCUSABLE = f"""[...document.querySelectorAll("{SELECTOR}")].filter((element) =>
  !element.disabled && element.tabIndex >= 0 && !element.closest("[inert]")
  && element.checkVisibility({{visibilityProperty: true}}))"""
# Records every element that gets the focus. A label shows the focus of a control that is hidden in it.
RECORD_FOCUS = """() => {
  const reached = new Set(), unmarked = new Set();
  const isMarked = (element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  };
  document.activeElement?.blur();
  document.addEventListener("focusin", ({target}) => {
    reached.add(target);
    if (![target, target.closest("label")].some((element) => element && isMarked(element))) unmarked.add(target);
  });
  window.recordedFocus = {reached, unmarked};
}"""
# One Tab stop serves a group of radio buttons.
LIST_PROBLEMS = f"""() => {{
  const {{reached, unmarked}} = window.recordedFocus;
  const groups = new Set([...reached].filter(({{type}}) => type === "radio").map(({{name}}) => name));
  const isReached = (element) => reached.has(element) || (element.type === "radio" && groups.has(element.name));
  const describe = (problem) => (element) => `${{problem}}: ${{element.outerHTML.slice(0, 120)}}`;
  const missed = {FOCUSABLE}.filter((element) => !isReached(element));
  return [...missed.map(describe("not reached")), ...[...unmarked].map(describe("no visible focus"))];
}}"""
EXTRA_TABS = 12  # Tab passes through the browser's own window, and through areas that scroll


def find_keyboard_problems(page: Page) -> list[str]:
    """Press Tab through a page; return the elements that are not reached, and those that show no focus."""
    page.evaluate(RECORD_FOCUS)
    for _ in range(page.evaluate(f"{FOCUSABLE}.length") + EXTRA_TABS):
        page.keyboard.down("Tab")  # held down: half as many events
    page.keyboard.up("Tab")
    problems: list[str] = page.evaluate(LIST_PROBLEMS)
    return problems
