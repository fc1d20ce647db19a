"""The reports of the standard boards, which come with the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LIBRARY_DIR = Path(__file__).parent / "library"


def list_shipped_games() -> list[str]:
    """Return the keys of the games that have a report."""
    return sorted(path.parent.name for path in LIBRARY_DIR.glob("*/report.json"))


def load_shipped_report(game: str) -> dict[str, Any] | None:
    """Return the report of a game as JSON, None if there is none."""
    if game not in list_shipped_games():
        return None
    report: dict[str, Any] = json.loads((LIBRARY_DIR / game / "report.json").read_text(encoding="utf-8"))
    return report


def load_shipped_page(game: str) -> str | None:
    """Return the page of a game's report, None if there is none."""
    path = LIBRARY_DIR / game / "report.html"
    return path.read_text(encoding="utf-8") if game in list_shipped_games() else None
