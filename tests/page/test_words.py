"""Every language says everything, and no file of the page's logic names a game."""

from __future__ import annotations

import re
from pathlib import Path

from ropewalk.games.registry import games

SOURCES = Path(__file__).parents[2] / "web" / "src"
WORDS = SOURCES / "i18n"
DATA = {"lessons.ts", "demoGames.ts"}  # lessons and games, by the key of their game


def keys(path: Path) -> set[str]:
    """The names of all messages, with the names they stand under; files are formatted, so that two spaces are one level."""
    found, above = set(), [""] * 20
    for line in path.read_text("utf-8").splitlines():
        for place, name in enumerate(inline(line)):
            level = (len(line) - len(line.lstrip())) // 2 + (place > 0)
            above[level] = name
            found.add(".".join(filter(None, above[1 : level + 1])))
    return found


def inline(line: str) -> list[str]:
    """The names that a line gives: its own, and those of an object that it holds whole."""
    outer = re.match(r'^\s+(?:"([^"]+)"|([\w-]+)):', line)
    if not outer:
        return []
    inner = re.search(r": \{ (.*) \}", line)
    return [outer[1] or outer[2], *(re.findall(r'(?:^|, )"?([\w*=-]+)"?: "', inner[1]) if inner else [])]


def test_both_languages_have_the_same_messages() -> None:
    english, german = keys(WORDS / "en.ts"), keys(WORDS / "de.ts")
    assert len(english) > 200
    assert english == german


def test_both_languages_have_the_same_rules() -> None:
    counts = {
        path.name: re.findall(r"^  \"?([a-z-]+)\"?: \[|ruling: (true)", path.read_text("utf-8"), re.MULTILINE)
        for path in (WORDS / "rules-en.ts", WORDS / "rules-de.ts")
    }
    assert counts["rules-en.ts"] == counts["rules-de.ts"]
    assert {key for key, _ in counts["rules-en.ts"] if key} == {entry.key for entry in games()}


def test_every_lesson_step_speaks_both_languages() -> None:
    text = (SOURCES / "content" / "lessons.ts").read_text("utf-8")
    assert len(re.findall(r"\ben:", text)) == len(re.findall(r"\bde:", text)) > 20


def test_no_logic_of_the_page_names_a_game() -> None:
    logic = [
        path
        for kind in ("*.svelte", "*.ts")
        for path in SOURCES.rglob(kind)
        if path.name not in DATA and path.parent != WORDS
    ]
    names = "|".join(entry.key for entry in games())
    naming = [path.name for path in logic if re.search(rf"[\"'`/]({names})[\"'`/-]", path.read_text("utf-8"))]
    assert len(logic) > 50
    assert naming == []
