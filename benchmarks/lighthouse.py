"""Scores of Lighthouse for phones, and the bytes and times of pages, cold and warm.

    python benchmarks/lighthouse.py [--runs 3] [--output FILE]

`make lighthouse` installs Lighthouse in `build/lighthouse` and runs this program. Chromium draws without a graphics card,
so the solid boards are switched off: pages show the flat maps, as on a device without WebGL. Lighthouse simulates a slow
phone (four times slower than this machine) on a slow network; of several runs the median counts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.result_file import add_output_option, describe_machine, write_results
from tests.support.server_process import Client, run_server

PROGRAM = Path(__file__).parents[1] / "build" / "lighthouse" / "node_modules" / ".bin" / "lighthouse"
BROWSER_FLAGS = ("--headless=new", "--no-sandbox", "--disable-3d-apis")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TIMES = {"first-contentful-paint": "FCP", "largest-contentful-paint": "LCP", "total-blocking-time": "TBT"}
SERVER_OPTIONS = ("--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0")
LOAD_TIMES = """() => {
  const [load] = performance.getEntriesByType("navigation");
  const parts = [load, ...performance.getEntriesByType("resource")];
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return {bytes: parts.reduce((sum, {transferSize}) => sum + transferSize, 0), requests: parts.length,
    paint_ms: paint ? Math.round(paint.startTime) : null, load_ms: Math.round(load.loadEventEnd)};
}"""

Figures = dict[str, Any]


def find_browser() -> str:
    """Return the path of Chromium or Chrome."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("no Chromium found: run `make browser`")
    return found


def run_lighthouse(url: str, runs: int) -> Figures:
    """Return the median scores and times of a page."""
    command = [str(PROGRAM), url, "--output=json", "--quiet", f"--chrome-flags={' '.join(BROWSER_FLAGS)}"]
    command.append(f"--only-categories={','.join(CATEGORIES)}")
    reports = []
    for _ in range(runs):
        done = subprocess.run(command, env=os.environ | {"CHROME_PATH": find_browser()}, capture_output=True, check=True)
        reports.append(json.loads(done.stdout))
    figures: Figures = {
        name: round(100 * statistics.median(report["categories"][name]["score"] for report in reports))
        for name in CATEGORIES
    }
    for audit in TIMES:
        figures[audit] = round(statistics.median(report["audits"][audit]["numericValue"] for report in reports))
    figures["layout-shift"] = statistics.median(
        report["audits"]["cumulative-layout-shift"]["numericValue"] for report in reports
    )
    figures["failed"] = sorted(list_failed(reports[-1]))
    return figures


def list_failed(report: Figures) -> set[str]:
    """Return the audits besides those of speed that have not passed."""
    audits = {ref["id"] for name in CATEGORIES[1:] for ref in report["categories"][name]["auditRefs"] if ref["weight"]}
    return {name for name in audits if (score := report["audits"][name]["score"]) is not None and score < 1}


def measure_load(browser: Browser, url: str) -> dict[str, Figures]:
    """Return the bytes over the network and the times of a page in a new browser, and again with its cache."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    figures = {"cold": open_page(page, url)}
    page.goto("about:blank")
    figures["warm"] = open_page(page, url)
    context.close()
    return figures


def open_page(page: Page, url: str) -> Figures:
    """Open an address and wait until nothing more is loaded."""
    page.goto(url, wait_until="load")
    page.wait_for_timeout(2000)  # a page with a socket is never idle
    figures: Figures = page.evaluate(LOAD_TIMES)
    return figures


def format_table(pages: dict[str, Figures]) -> str:
    """Return the figures as lines of text."""
    lines = []
    for name, figures in pages.items():
        scores = ", ".join(f"{category} {figures[category]}" for category in CATEGORIES)
        times = ", ".join(f"{short} {figures[audit]} ms" for audit, short in TIMES.items())
        lines.append(f"{name}: {scores}; {times}, layout shift {figures['layout-shift']:.3f}")
        lines += [
            f"  {state}: {load['bytes'] / 1000:.0f} kB in {load['requests']} requests, painted after {load['paint_ms']} ms, "
            f"loaded after {load['load_ms']} ms"
            for state, load in figures["load"].items()
        ]
        lines += [f"  not passed: {audit}" for audit in figures["failed"]]
    return "\n".join(lines)


def measure_pages(runs: int) -> dict[str, Figures]:
    """Measure pages of a server with one match."""
    with tempfile.TemporaryDirectory() as folder, run_server(str(Path(folder) / "matches.db"), *SERVER_OPTIONS) as server:
        client = Client(server)
        match = client.create_match("tether-13", "self", public=True)["match"]["id"]
        client.play(match, "g7")
        pages = {
            "home": "/", "match": f"/match/{match}", "lobby": "/lobby", "puzzles": "/puzzles",
            "analysis": "/analysis?spec=tether-13",
        }  # fmt: skip
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(BROWSER_FLAGS))
            loads = {name: measure_load(browser, server.url + path) for name, path in pages.items()}
            browser.close()
        return {name: run_lighthouse(server.url + path, runs) | {"load": loads[name]} for name, path in pages.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="of Lighthouse, for each page (3)")
    add_output_option(parser)
    arguments = parser.parse_args()
    if not PROGRAM.exists():
        raise SystemExit("Lighthouse is not installed: run `make lighthouse`")
    measured = describe_machine()
    pages = measure_pages(arguments.runs)
    print(format_table(pages))
    write_results(arguments.output, measured, pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
