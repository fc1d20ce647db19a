"""Scores of Lighthouse for phones, and the bytes and times of pages, cold and warm.

    python benchmarks/lighthouse.py [--runs 3] [--output FILE]

`make lighthouse` installs Lighthouse in `build/lighthouse` and runs this program. Chromium draws without a graphics card,
so the solid boards are switched off: pages show the flat maps, as on a device without WebGL. Lighthouse simulates a slow
phone on a slow network; of several runs the median counts.

Lighthouse assumes that a phone is four times slower than the machine, which holds for a machine with a power (the field
`benchmarkIndex` of its reports) of at least 1500. For a weaker machine its manual asks for a smaller factor: this program
takes four times the share of 1500 that the machine has. The performance with the factor four is stored beside it.
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
from collections.abc import Sequence
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
MAX_ATTEMPTS = 3
DEFAULT_SLOWDOWN, ASSUMED_POWER = 4.0, 1500.0  # of Lighthouse for phones, and the power of a machine for which it holds
LOAD_TIMES = """() => {
  const [load] = performance.getEntriesByType("navigation");
  const parts = [load, ...performance.getEntriesByType("resource")];
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return {bytes: parts.reduce((sum, {transferSize}) => sum + transferSize, 0), requests: parts.length,
    paint_ms: paint ? Math.round(paint.startTime) : null, load_ms: Math.round(load.loadEventEnd)};
}"""

Figures = dict[str, Any]
Report = dict[str, Any]


def find_browser() -> str:
    """Return the path of Chromium or Chrome."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("no Chromium found: run `make browser`")
    return found


def run_lighthouse(url: str, runs: int, slowdown: float, categories: Sequence[str] = CATEGORIES) -> list[Report]:
    """Return the reports of a page on a phone that is slower than this machine by a factor."""
    command = [str(PROGRAM), url, "--output=json", "--quiet", f"--chrome-flags={' '.join(BROWSER_FLAGS)}"]
    command += [f"--only-categories={','.join(categories)}", f"--throttling.cpuSlowdownMultiplier={slowdown:.2f}"]
    return [run_once(command) for _ in range(runs)]


def run_once(command: Sequence[str]) -> Report:
    """Return a report; Lighthouse loses its browser now and then, and then gets another one."""
    environment = os.environ | {"CHROME_PATH": find_browser()}
    for attempt in range(MAX_ATTEMPTS):
        finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if finished.returncode == 0:
            report: Report = json.loads(finished.stdout)
            return report
        print(f"attempt {attempt + 1} of {MAX_ATTEMPTS} at {command[1]} failed: {finished.stderr[-500:]}", file=sys.stderr)
    raise SystemExit("Lighthouse fails again and again")


def find_score(reports: list[Report], category: str) -> int:
    """Return the median score of a category, from 0 to 100."""
    return round(100 * statistics.median(report["categories"][category]["score"] for report in reports))


def calibrate(url: str, runs: int) -> tuple[float, float]:
    """Return the power of this machine, and the factor by which a phone is slower."""
    reports = run_lighthouse(url, runs, DEFAULT_SLOWDOWN, CATEGORIES[:1])
    power = statistics.median(report["environment"]["benchmarkIndex"] for report in reports)
    return power, round(DEFAULT_SLOWDOWN * min(1.0, power / ASSUMED_POWER), 2)


def measure_scores(url: str, runs: int, slowdown: float) -> Figures:
    """Return the median scores and times of a page."""
    reports = run_lighthouse(url, runs, slowdown)
    figures: Figures = {category: find_score(reports, category) for category in CATEGORIES}
    for audit in TIMES:
        figures[audit] = round(statistics.median(report["audits"][audit]["numericValue"] for report in reports))
    figures["layout-shift"] = statistics.median(
        report["audits"]["cumulative-layout-shift"]["numericValue"] for report in reports
    )
    figures["failed"] = sorted(list_failed(reports[-1]))
    uncalibrated = run_lighthouse(url, runs, DEFAULT_SLOWDOWN, CATEGORIES[:1])
    figures["performance-uncalibrated"] = find_score(uncalibrated, CATEGORIES[0])
    return figures


def list_failed(report: Report) -> set[str]:
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
        lines.append(f"  performance with the factor {DEFAULT_SLOWDOWN:g}: {figures['performance-uncalibrated']}")
        lines += [
            f"  {state}: {load['bytes'] / 1000:.0f} kB in {load['requests']} requests, painted after {load['paint_ms']} ms, "
            f"loaded after {load['load_ms']} ms"
            for state, load in figures["load"].items()
        ]
        lines += [f"  not passed: {audit}" for audit in figures["failed"]]
    return "\n".join(lines)


def measure_pages(runs: int) -> tuple[Figures, dict[str, Figures]]:
    """Return the power of the machine, and the figures of pages of a server with one match."""
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
        power, slowdown = calibrate(server.url, runs)
        figures = {
            name: measure_scores(server.url + path, runs, slowdown) | {"load": loads[name]} for name, path in pages.items()
        }
        return {"power": power, "slowdown": slowdown}, figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="of Lighthouse, for each page (3)")
    add_output_option(parser)
    arguments = parser.parse_args()
    if not PROGRAM.exists():
        raise SystemExit("Lighthouse is not installed: run `make lighthouse`")
    measured = describe_machine()
    machine, pages = measure_pages(arguments.runs)
    print(f"power of the machine {machine['power']:.0f}, so a phone is taken to be {machine['slowdown']:g} times slower")
    print(format_table(pages))
    write_results(arguments.output, measured, {"machine": machine} | pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
