"""`ropewalk open`: one line that says where, and the page is there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx


def test_open_prints_its_address_and_serves_the_page_under_a_strict_policy(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "ropewalk", "open", "--no-browser"]
    surroundings = os.environ | {"XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=surroundings) as opened:
        assert opened.stdout is not None
        assert opened.stdout.readline() == "Starting the server ...\n"
        found = re.search(r"http://127\.0\.0\.1:\d+/", opened.stdout.readline())
        assert found is not None
        page = httpx.get(found[0], timeout=60)
        assert '<div id="page"></div>' in page.text
        assert "unsafe-inline" not in page.headers["Content-Security-Policy"]
        assert httpx.get(f"{found[0]}match/nobody", timeout=60).text == page.text
        scripts = re.findall(r'src="(/assets/[^"]+)"', page.text)
        assert len(scripts) == 1
        assert "immutable" in httpx.get(found[0][:-1] + scripts[0], timeout=60).headers["Cache-Control"]
        assert (tmp_path / "ropewalk" / "ropewalk.db").is_file()
        opened.send_signal(signal.SIGINT)
        assert opened.wait(60) == 0
