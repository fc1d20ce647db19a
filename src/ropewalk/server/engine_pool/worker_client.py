"""One engine process as the server sees it: started when needed, killed when stuck."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any

from ..errors import ApiError

MAX_LINE_BYTES = 1 << 20


class EngineLostError(ApiError):
    """The process ended, or had to be ended."""

    def __init__(self, words: str) -> None:
        super().__init__("engine-failed", words)


class EngineWorkerClient:
    """A process that answers one question at a time."""

    def __init__(self, *manner: str) -> None:
        self.manner = manner  # what the process is told: see the worker
        self.process: asyncio.subprocess.Process | None = None
        self.asked = 0
        self.warm: set[str] = set()  # games whose kernels this process has

    async def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a question; an engine that takes longer than that is killed."""
        try:
            process = await self.ensure_running()
            return await asyncio.wait_for(self.exchange(process, question), seconds)
        except TimeoutError:
            raise EngineLostError(f"the engine did not answer within {seconds:g} s and was ended") from None
        except (OSError, ValueError) as error:
            raise EngineLostError(f"the engine ended: {error}") from None

    async def exchange(self, process: asyncio.subprocess.Process, question: dict[str, Any]) -> dict[str, Any]:
        """Send a line, and wait for the one that answers it."""
        assert process.stdin is not None
        assert process.stdout is not None
        self.asked += 1
        process.stdin.write(json.dumps(question | {"id": self.asked}).encode() + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise OSError("it closed its output")
        answer: dict[str, Any] = json.loads(line)
        if answer.get("id") != self.asked:
            raise ValueError("it answered another question")
        return answer

    async def ensure_running(self) -> asyncio.subprocess.Process:
        """The process, started if there is none."""
        if self.process is None or self.process.returncode is not None:
            self.warm.clear()
            pipe = asyncio.subprocess.PIPE
            command = (sys.executable, "-m", "ropewalk.server.engine_pool.worker", *self.manner)
            self.process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, limit=MAX_LINE_BYTES, start_new_session=True
            )
        return self.process

    async def terminate(self) -> None:
        """End the process, whatever it does."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        self.process = None
