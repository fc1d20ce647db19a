"""Every code of the rules has a text, and no file of the page's logic names a game. TypeScript checks the languages."""

from __future__ import annotations

import re
from pathlib import Path

from ropewalk.games import registry
from ropewalk.games.registry import games

SOURCES = Path(__file__).parents[2] / "web" / "src"
DATA = [SOURCES / "i18n", SOURCES / "content"]  # texts, lessons and games, by the key of their game


def test_every_reason_of_an_illegal_move_has_a_text() -> None:
    texts = (SOURCES / "i18n" / "en" / "codes.ts").read_text("utf-8")
    known = set(re.findall(r"^  \"?([a-z-]+)\"?: \(", texts, re.MULTILINE))
    rules = [path.read_text("utf-8") for path in Path(registry.__file__).parent.rglob("*.py")]
    reasons = {reason for text in rules for reason in re.findall(r'reason="([a-z-]+)"', text)}
    assert len(reasons) > 15
    assert reasons - known == set()


def test_no_logic_of_the_page_names_a_game() -> None:
    logic = [
        path
        for kind in ("*.svelte", "*.ts")
        for path in SOURCES.rglob(kind)
        if not path.name.endswith(".test.ts") and not any(path.is_relative_to(folder) for folder in DATA)
    ]
    names = "|".join(entry.key for entry in games())
    naming = [path.name for path in logic if re.search(rf"[\"'`/]({names})[\"'`/-]", path.read_text("utf-8"))]
    assert len(logic) > 50
    assert naming == []
