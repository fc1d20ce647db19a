"""docs/architecture.md names code that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "src" / "ropewalk" / "server"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FLOW = PAGE[PAGE.index("### The flow of a move") : PAGE.index("## Naming rules")]
PLACES = re.findall(r"`([A-Za-z_.]+)`[^`()]*\(`([a-z_/]+\.py)`\)", FLOW)


def test_the_flow_of_a_move_has_twelve_steps_with_places() -> None:
    assert re.findall(r"^(\d+)\. ", FLOW, re.MULTILINE) == [str(step) for step in range(1, 13)]
    assert len(PLACES) >= 9


@pytest.mark.parametrize(("name", "path"), PLACES)
def test_every_step_is_where_the_page_says(name: str, path: str) -> None:
    source = (SERVER / path).read_text(encoding="utf-8")
    for part in name.split("."):
        assert re.search(rf"^\s*(async )?(def|class) {part}\b|^{part}\b.*=", source, re.MULTILINE), part
