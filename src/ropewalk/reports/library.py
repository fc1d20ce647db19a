"""The reports of the standard boards, which come with the package as JSON; their pages are made from it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

LIBRARY_DIR = Path(__file__).parent / "library"
MAX_CACHED_PAGES = 8


def list_shipped_games() -> list[str]:
    """Return the keys of the games that have a report."""
    return sorted(path.stem for path in LIBRARY_DIR.glob("*.json"))


def load_shipped_report(game: str) -> dict[str, Any] | None:
    """Return the report of a game as JSON, None if there is none."""
    if game not in list_shipped_games():
        return None
    report: dict[str, Any] = json.loads((LIBRARY_DIR / f"{game}.json").read_text(encoding="utf-8"))
    return report


@lru_cache(maxsize=MAX_CACHED_PAGES)
def load_shipped_page(game: str) -> str | None:
    """Return the page of a game's report, None if there is none. The first call draws its boards and takes some time."""
    from .page import format_page

    report = load_shipped_report(game)
    return None if report is None else format_page(report)
