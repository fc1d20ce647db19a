"""Summaries of User-Agent headers."""

from __future__ import annotations

import pytest

from ropewalk.server.domain.user_agents import summarise_user_agent

CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("header", "summary"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox, Linux"),
        (CHROME, "Chrome, Windows"),
        (f"{CHROME} Edg/126.0.0.0", "Edge, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
        ("python-httpx/0.28.1", "Python"),
        ("", ""),
        ("<script>", ""),
    ],
)
def test_a_header_is_summarised_as_browser_and_system(header: str, summary: str) -> None:
    assert summarise_user_agent(header) == summary
