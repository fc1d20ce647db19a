"""Summaries of User-Agent headers, by which a user recognises the devices of their sessions."""

from __future__ import annotations

BROWSERS = (  # the first mark that the header contains decides: Edge also names Chrome, and Chrome names Safari
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("python", "Python"),
    ("curl/", "curl"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def summarise_user_agent(header: str) -> str:
    """Return browser and system of a User-Agent header, such as "Firefox, Linux"; an empty string if both are unknown."""
    found = (next((name for mark, name in marks if mark in header), None) for marks in (BROWSERS, SYSTEMS))
    return ", ".join(name for name in found if name is not None)
