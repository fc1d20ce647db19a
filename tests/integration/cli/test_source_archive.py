"""The source archive is installed without Node and without a package index, and serves the page that it contains."""

from __future__ import annotations

import re
import site
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(command: list[str], folder: Path, path: str | None = None) -> str:
    """Run a command, which must succeed, with only `path` to search for programs if it is given; return its output."""
    environment = None if path is None else {"PATH": path, "HOME": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as response:
        assert response.status == 200
        text: str = response.read().decode("utf-8", "replace")
        return text


@pytest.mark.slow
def test_the_source_archive_is_installed_without_node_and_without_an_index(tmp_path: Path) -> None:
    wheels, environment = tmp_path / "wheels", tmp_path / "environment"
    run([sys.executable, "-m", "pip", "download", "--quiet", "hatchling", "--dest", str(wheels)], tmp_path)
    run([sys.executable, "-m", "venv", str(tmp_path / "builder")], tmp_path)
    builder = str(tmp_path / "builder" / "bin" / "python")
    offline = ["--quiet", "--no-index", "--find-links", str(wheels)]
    run([builder, "-m", "pip", "install", *offline, "hatchling"], tmp_path)
    run([builder, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path / "dist")], ROOT)
    (archive,) = (tmp_path / "dist").glob("ropewalk-*.tar.gz")

    run([sys.executable, "-m", "venv", str(environment)], tmp_path)
    python, path = str(environment / "bin" / "python"), str(environment / "bin")
    (libraries,) = environment.glob("lib/python*/site-packages")
    (libraries / "libraries.pth").write_text("\n".join(site.getsitepackages()))  # numpy and so on, but not this checkout
    run([python, "-m", "pip", "install", *offline, "hatchling"], tmp_path, path)
    run([python, "-m", "pip", "install", *offline, "--no-build-isolation", "--no-deps", str(archive)], tmp_path, path)
    module = run([python, "-c", "import ropewalk; print(ropewalk.__file__)"], tmp_path, path)
    assert Path(module.strip()).is_relative_to(environment)
    require_page(tmp_path, [str(environment / "bin" / "ropewalk"), "serve", "--port", "0", "--no-warm-up"], path)


def require_page(folder: Path, command: list[str], path: str) -> None:
    """Start the server and fetch its page, a script of it and a game."""
    command += ["--engine-workers", "1", "--database", str(folder / "matches.db")]
    environment, pipe = {"PATH": path, "HOME": str(folder)}, subprocess.PIPE
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        url = next(match[0] for line in lines if (match := re.search(r"http://[\d.]+:\d+|http://localhost:\d+", line)))
        page = fetch(url)
        script = re.search(r'src="(/[^"]+\.js)"', page)
        assert script is not None, page
        assert len(fetch(url + script[1])) > 1000
        assert "Tether" in fetch(f"{url}/api/games/tether-5")
    finally:
        process.terminate()
        process.communicate(timeout=30)
