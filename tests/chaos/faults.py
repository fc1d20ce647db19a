"""The faults of a fault test: each is injected into the environment, and has ended when its method returns."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from subprocess import CalledProcessError

from ropewalk.server.db.backup import back_up, restore
from ropewalk.server.db.database import parse_url
from tests.chaos.environment import Environment
from tests.chaos.hostile_clients import HOSTILE_CLIENTS
from tests.chaos.plan import Fault
from tests.support.server_group import CLOCK_SETTING
from tests.support.server_process import ForkedServer
from tests.support.stored_log import RestoreTimes

HOSTILE_ADDRESS = 60_000  # the number of the first hostile client, whose address no player has
MAX_SKEW_MS = 5000


class FaultInjector:
    """Injects faults, and keeps when backups were restored."""

    def __init__(self, environment: Environment, choose_match: Callable[[], str | None]) -> None:
        self.environment = environment
        self.choose_match = choose_match
        self.url = parse_url(environment.database)
        self.restores: list[RestoreTimes] = []
        self.backup: tuple[Path, float, float] | None = None  # the last one, when it was begun and ended
        self.is_restoring = False
        self.hostile_count = 0
        self.methods: dict[str, Callable[[Fault], Awaitable[None]]] = {
            "kill": self.kill,
            "terminate": self.terminate,
            "pause": self.pause,
            "backup": self.make_backup,
            "restore": self.restore_backup,
            "database-restart": self.restart_database,
            "database-crash": self.crash_database,
            "database-hang": self.hang_database,
            "full-disk": self.fill_disk,
            "clock-skew": self.skew_clock,
            **dict.fromkeys(HOSTILE_CLIENTS, self.run_hostile_clients),
        }

    async def inject(self, fault: Fault) -> None:
        """Inject a fault, and return when it has ended."""
        await self.methods[fault.kind](fault)

    def choose_server(self, fault: Fault) -> ForkedServer:
        """Return the server that a fault is for."""
        servers = self.environment.group.servers
        server = servers[fault.number % len(servers)]
        assert isinstance(server, ForkedServer)
        return server

    async def kill(self, fault: Fault) -> None:
        """Kill a server and start it again after some time."""
        server = self.choose_server(fault)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(fault.seconds / 3)
        await asyncio.to_thread(server.restart)

    async def terminate(self, fault: Fault) -> None:
        """Stop a server by SIGTERM and start it again."""
        server = self.choose_server(fault)
        server.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.wait_until_gone)
        await asyncio.to_thread(server.restart)

    async def pause(self, fault: Fault) -> None:
        """Stop a server by SIGSTOP, and let it continue."""
        server = self.choose_server(fault)
        server.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            server.send_signal(signal.SIGCONT)

    async def make_backup(self, fault: Fault) -> None:
        """Make a backup while players move."""
        path = self.environment.folder / "backup"
        path.unlink(missing_ok=True)
        self.backup = None
        began = time.monotonic()
        await asyncio.to_thread(back_up, self.url, path)
        self.backup = (path, began, time.monotonic())

    async def restore_backup(self, fault: Fault) -> None:
        """Restore the last backup while players move."""
        if self.backup is None:
            return
        path, backup_began, backup_ended = self.backup
        self.backup = None
        began, self.is_restoring = time.monotonic(), True
        try:
            await asyncio.to_thread(restore, self.url, path)
            self.restores.append(RestoreTimes(backup_began, backup_ended, began, time.monotonic()))
        finally:
            self.is_restoring = False

    async def restart_database(self, fault: Fault) -> None:
        """Restart PostgreSQL in an orderly way."""
        await self.restart_cluster("fast", fault.seconds / 3)

    async def crash_database(self, fault: Fault) -> None:
        """Stop PostgreSQL as a crash would, and start it again."""
        await self.restart_cluster("immediate", fault.seconds / 3)

    async def restart_cluster(self, mode: str, seconds: float) -> None:
        """Stop PostgreSQL in a mode, and start it again after some time."""
        cluster = self.environment.cluster
        assert cluster is not None
        await asyncio.to_thread(cluster.stop_server, mode)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(cluster.start_server)

    async def hang_database(self, fault: Fault) -> None:
        """Stop all processes of PostgreSQL by SIGSTOP, and let them continue."""
        cluster = self.environment.cluster
        assert cluster is not None
        cluster.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            cluster.send_signal(signal.SIGCONT)

    async def fill_disk(self, fault: Fault) -> None:
        """Fill the disk of the database for some time; PostgreSQL may stop itself, and is started again."""
        disk, cluster = self.environment.disk, self.environment.cluster
        if cluster is None:
            await asyncio.to_thread(truncate_write_ahead_log, self.environment.database)
        disk.fill()
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            disk.free()
        if cluster is not None and not cluster.list_pids():
            with suppress(CalledProcessError):
                await asyncio.to_thread(cluster.start_server)

    async def skew_clock(self, fault: Fault) -> None:
        """Start a server again with a clock that is wrong by some seconds, then with the right one."""
        server = self.choose_server(fault)
        for offset_ms in (fault.number * 17 % (2 * MAX_SKEW_MS) - MAX_SKEW_MS, 0):
            Path(server.settings[CLOCK_SETTING]).write_text(str(offset_ms), encoding="utf-8")
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.restart)
            await asyncio.sleep(fault.seconds)

    async def run_hostile_clients(self, fault: Fault) -> None:
        """Let clients misbehave that have an address of their own."""
        self.hostile_count += 1
        endpoint = self.environment.group.endpoint(HOSTILE_ADDRESS + self.hostile_count % 1000)
        path = f"/api/matches/{self.choose_match()}/stream"
        await HOSTILE_CLIENTS[fault.kind](endpoint, path, fault.seconds, random.Random(fault.number))


def truncate_write_ahead_log(path: str) -> None:
    """Shorten the write-ahead log of an SQLite file, which otherwise has space for some seconds on a full disk."""
    with closing(sqlite3.connect(path, timeout=5)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
