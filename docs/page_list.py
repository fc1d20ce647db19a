"""Writes docs/pages.md, the list of all pages with who they are for, from docs/pages.toml and the headings of the pages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

DOCS = Path(__file__).parent
HEAD = """# All pages

Every page of this documentation, in the order of the navigation. Readers: *players* play; *students* study a game;
*researchers* use the library, bots and nets; *operators* run a server; *developers* write programs or change Ropewalk.
"""
INCLUDED = re.compile(r"```\{repository-file\} (\S+)")


def read_pages() -> dict[str, tuple[str, str]]:
    """Return readers and purpose of each page by its name."""
    pages = tomllib.loads((DOCS / "pages.toml").read_text(encoding="utf-8"))["pages"]
    return {name: (readers, purpose) for name, (readers, purpose) in pages.items()}


def read_title(name: str) -> str:
    """Return the heading of a page, or of the file of the repository that it shows."""
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    if included := INCLUDED.search(text):
        text = (DOCS.parent / included[1]).read_text(encoding="utf-8")
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert heading is not None, name
    return heading[1]


def write_page_list() -> str:
    """Return docs/pages.md."""
    rows = [
        f"| [{'All pages' if name == 'pages' else read_title(name)}]({name}.md) | {readers} | {purpose} |"
        for name, (readers, purpose) in read_pages().items()
    ]
    return "\n".join([HEAD, "| page | for | what it answers |", "| --- | --- | --- |", *rows, ""])
