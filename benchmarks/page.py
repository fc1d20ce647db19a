"""Size of the page as a browser loads it, and frame times of the rotating cube; printed by `make bench`."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.browser_user import BrowserUser
from tests.support.server_process import run_server

FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
PAGE = Path(__file__).parents[1] / "src" / "ropewalk" / "server" / "page"
TURN = """async () => {
  const pane = document.querySelector('[data-view="solid"] .solid'), times = [];
  const box = pane.getBoundingClientRect(), at = (type, x) => pane.dispatchEvent(
    new PointerEvent(type, {pointerId: 1, clientX: x, clientY: box.y + box.height / 2, bubbles: true}));
  at("pointerdown", box.x + 50);
  let before = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 60; frame++) {
    at("pointermove", box.x + 60 + 4 * frame);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    before = now;
  }
  at("pointerup", box.x + 300);
  return times.sort((a, b) => a - b);
}"""


def sizes() -> None:
    """Return the size of the initial load, and of the additional load for the 3D view."""
    for path in sorted(PAGE.rglob("*")):
        if path.is_file() and path.suffix in (".js", ".css", ".html"):
            packed = len(gzip.compress(path.read_bytes()))
            when = "with the first solid" if path.name.startswith("SolidRenderer-") else "first"
            print(f"{path.name:32} {packed / 1000:8.1f} kB compressed, loaded {when}")


def frames() -> None:
    """Return frame times while the cube of 194 cells rotates, by the browser's own clock."""
    with (
        tempfile.TemporaryDirectory() as kept,
        run_server(str(Path(kept) / "bench.db")) as server,
        sync_playwright() as playwright,
    ):
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        user = BrowserUser(browser.new_context(viewport={"width": 1280, "height": 860}), server.url, views="solid")
        user.request("POST", "/guests")
        match = user.request("POST", "/matches", spec="cube-lariat-4", opponent={"kind": "self"})["match"]
        user.open_path(f"/match/{match['id']}")
        user.page.locator('.board[data-ready="true"]').wait_for()
        times = user.page.evaluate(TURN)
        name = user.page.evaluate("""() => { const gl = document.createElement("canvas").getContext("webgl2");
            return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL); }""")
        print(f"turning the cube: median {times[30]:.1f} ms, 95 % {times[57]:.1f} ms a frame, drawn by {name}")
        browser.close()


if __name__ == "__main__":
    sizes()
    frames()
