"""What a fault test runs on: a database on a small disk, servers, nginx, and a folder for evidence."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.postgres import Cluster, find_program
from tests.support.server_group import ServerGroup, run_forked_group

SQLITE_DISK_BYTES = 128 << 20
POSTGRES_DISK_BYTES = 512 << 20
POSTGRES_OPTIONS = "-c max_wal_size=64MB -c min_wal_size=32MB -c shared_buffers=32MB"
FILL_STEP_BYTES = 1 << 20


class SmallDisk:
    """A file system of limited size in memory, which can be filled; None of it if it cannot be mounted."""

    def __init__(self, folder: Path, size_bytes: int) -> None:
        self.folder = folder
        command = ["mount", "-t", "tmpfs", "-o", f"size={size_bytes},mode=0777", "tmpfs", str(folder)]
        self.is_mounted = os.getuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0

    def fill(self) -> None:
        """Use all free space."""
        with (self.folder / "filler").open("wb", buffering=0) as file, suppress(OSError):
            for step in (FILL_STEP_BYTES, 4096):
                with suppress(OSError):
                    while file.write(bytes(step)) == step:
                        pass

    def free(self) -> None:
        """Free the space again."""
        (self.folder / "filler").unlink(missing_ok=True)

    def unmount(self) -> None:
        """Remove the file system."""
        if self.is_mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=False)


@dataclass(frozen=True)
class Environment:
    """The parts that faults are injected into."""

    database: str
    group: ServerGroup
    cluster: Cluster | None
    disk: SmallDisk
    folder: Path  # of backups and logs


@contextmanager
def run_environment(
    kind: str, servers: int, rate_limit_scale: float = 1.0, with_nginx: bool = True
) -> Iterator[Environment]:
    """Yield servers on a database of a kind, `sqlite` or `postgresql`; everything is stopped and removed afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ropewalk-chaos-")))
        folder.chmod(0o755)  # PostgreSQL may run as another user
        (folder / "disk").mkdir()
        (folder / "files").mkdir()
        is_postgres = kind == "postgresql"
        disk = SmallDisk(folder / "disk", POSTGRES_DISK_BYTES if is_postgres else SQLITE_DISK_BYTES)
        stack.callback(disk.unmount)
        cluster = start_cluster(stack, disk) if is_postgres else None
        database = str(disk.folder / "matches.db") if cluster is None else cluster.new_database()
        group = stack.enter_context(
            run_forked_group(
                database,
                servers if is_postgres else 1,
                folder / "files",
                with_nginx and is_postgres,
                rate_limit_scale=rate_limit_scale,
            )
        )
        yield Environment(database, group, cluster, disk, folder / "files")


def start_cluster(stack: ExitStack, disk: SmallDisk) -> Cluster:
    """Start PostgreSQL with its files on the small disk, and make its programs available to backups."""
    program = find_program("pg_dump")
    assert program is not None, "PostgreSQL is not installed: `make postgres` installs it"
    os.environ["PATH"] = f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}"
    cluster = Cluster(disk.folder, POSTGRES_OPTIONS)
    stack.callback(cluster.stop)
    cluster.start()
    return cluster
