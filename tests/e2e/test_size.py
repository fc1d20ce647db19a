"""How much a browser loads before it shows the first page."""

from __future__ import annotations

import gzip
import re

from tests.e2e.conftest import PAGE

MAX_INITIAL_BYTES = 76_000  # script and style sheet, compressed; three.js and most pages are loaded later


def test_the_first_page_is_small() -> None:
    initial = re.findall(r'(?:src|href)="/(assets/[^"]+)"', PAGE.read_text("utf-8"))
    assert {name.rsplit(".", 1)[1] for name in initial} == {"css", "js"}
    packed = sum(len(gzip.compress((PAGE.parent / name).read_bytes())) for name in initial)
    assert packed < MAX_INITIAL_BYTES, packed
