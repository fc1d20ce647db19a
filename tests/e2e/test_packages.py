"""The page's packages: the lock file pins every one of them, and names no registry's address."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.e2e.conftest import PAGE

WEB = Path(__file__).parents[2] / "web"


def test_the_lock_file_pins_every_package_and_names_no_address_to_fetch_it_from() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    installed = {path: entry for path, entry in packages.items() if path}
    assert len(installed) > 20
    assert [path for path, entry in packages.items() if "resolved" in entry] == []
    assert [path for path, entry in installed.items() if "integrity" not in entry] == []


def test_the_lock_file_lists_the_builds_of_every_platform() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = {name for entry in packages.values() for name in entry.get("optionalDependencies", {})}
    assert [name for name in sorted(wanted) if f"node_modules/{name}" not in packages] == []  # npm ci refuses such a lock


def test_the_lock_file_fits_the_wanted_versions() -> None:
    wanted = json.loads((WEB / "package.json").read_text("utf-8"))
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    for name, version in (wanted["dependencies"] | wanted["devDependencies"]).items():
        assert packages[f"node_modules/{name}"]["version"] == version


def test_the_page_has_the_licences_of_the_packages_that_it_contains() -> None:
    text = (PAGE.parent / "licences.txt").read_text("utf-8")
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    named = dict(re.findall(r"^=+\n(\S+) (\S+)\n=+$", text, re.MULTILINE))
    assert {"svelte", "three", "vite"} <= set(named)
    assert all(packages[f"node_modules/{name}"]["version"] == version for name, version in named.items())
    assert text.lower().count("copyright (c)") + text.count("Copyright \N{COPYRIGHT SIGN}") >= len(named)
    assert len(text) < 40_000
    assert "licences.txt" not in (PAGE.parent / "worker.js").read_text("utf-8").partition("\n")[0]  # not loaded in advance
