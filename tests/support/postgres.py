"""A PostgreSQL cluster for the tests, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

FOLDERS = (
    *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),
    Path("/opt/homebrew/bin"),
    Path("/usr/local/bin"),
)


def find_program(name: str) -> str | None:
    """Return the path of a program of PostgreSQL, None if it is not installed."""
    return next((str(folder / name) for folder in FOLDERS if (folder / name).exists()), shutil.which(name))


class Cluster:
    """A cluster that listens only on a socket in its folder; `options` are added to the command line of the server."""

    def __init__(self, folder: Path | None = None, options: str = "") -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ropewalk-pg-", dir=folder))
        self.options = f"-k {self.folder} -c listen_addresses= -c max_connections=200 {options}"
        self.as_user = ["runuser", "-u", "nobody", "--"] if os.getuid() == 0 else []  # it refuses to run as root
        if self.as_user:
            shutil.chown(self.folder, "nobody")
        self.databases = 0

    def run(self, name: str, *arguments: str) -> None:
        """Run a program of PostgreSQL."""
        path = find_program(name)
        assert path is not None
        subprocess.run([*self.as_user, path, *arguments], check=True, cwd=self.folder, capture_output=True)

    def start(self) -> None:
        """Create and start the cluster."""
        self.run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "ropewalk", "--no-sync", "-E", "UTF8")
        self.start_server()

    def start_server(self) -> None:
        """Start the server of the cluster."""
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", self.options, "start")

    def stop_server(self, mode: str = "fast") -> None:
        """Stop the server; the mode `immediate` is that of a crash."""
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", mode, "stop")

    def list_pids(self) -> list[int]:
        """Return the ids of all processes of the server, the parent first; none if it does not run."""
        try:
            parent = int(Path(f"{self.folder}/data/postmaster.pid").read_text(encoding="utf-8").split()[0])
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()
        except OSError:
            return []
        return [parent, *map(int, children)]

    def send_signal(self, number: int) -> None:
        """Send a signal to all processes of the server."""
        for pid in self.list_pids():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        """Stop the cluster and remove its folder."""
        if self.list_pids():
            self.stop_server("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def list_processes(self) -> list[int]:
        """Return the process ids of the cluster, the postmaster first."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        return [postmaster, *map(int, Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split())]

    def pause(self) -> None:
        """Stop all processes of the cluster by SIGSTOP, as if its machine hung."""
        for process in self.list_processes():
            os.kill(process, signal.SIGSTOP)

    def resume(self) -> None:
        """Let all processes of the cluster go on."""
        for process in self.list_processes():
            os.kill(process, signal.SIGCONT)

    def end_connections(self) -> None:
        """End all connections of clients, as if the network had failed."""
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'tests%'"
        self.run("psql", "-h", str(self.folder), "-U", "ropewalk", "-d", "postgres", "-c", query)

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        self.databases += 1
        name = f"tests{self.databases}"
        self.run("createdb", "-h", str(self.folder), "-U", "ropewalk", name)
        return f"postgresql://ropewalk@/{name}?host={self.folder}"
