"""Conversations with a command in a process of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

PATIENCE = 240.0  # seconds for an answer: kernels may have to be compiled first, on a busy machine
HEARING_CTRL_C = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from ropewalk.cli.main import run; run()"
)


class Talk:
    """A running `ropewalk`; what it says is read as it comes, with the time."""

    def __init__(self, *argv: str) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 -- closed with the conversation
        command = [sys.executable, "-c", HEARING_CTRL_C, *argv]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.heard: queue.Queue[tuple[float, str | None]] = queue.Queue()
        self.at = 0.0  # when the last line came
        threading.Thread(target=self.listen, daemon=True).start()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        self.errors.close()
        self.process.stdin.close()

    def listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self.heard.put((time.monotonic(), line.decode().rstrip("\r\n")))
        self.heard.put((time.monotonic(), None))

    def say(self, *lines: str | bytes) -> float:
        """Send some lines; when that was."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()
        return time.monotonic()

    def ask(self, **fields: Any) -> float:
        """Send a query."""
        return self.say(json.dumps(fields))

    def line(self) -> str:
        """The next line."""
        self.at, line = self.heard.get(timeout=PATIENCE)
        assert line is not None, f"it has ended: {self.complaints()}"
        return line

    def until(self, beginning: str) -> list[str]:
        """All lines up to one that begins so."""
        lines = [self.line()]
        while not lines[-1].startswith(beginning):
            lines.append(self.line())
        return lines

    def answer(self) -> dict[str, Any]:
        """The next line, which is a JSON object."""
        found: dict[str, Any] = json.loads(self.line())
        return found

    def is_silent(self) -> bool:
        """Whether nothing more has been said so far."""
        return self.heard.empty()

    def end(self) -> list[str]:
        """Say no more; what it says until it ends by itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.rest()

    def rest(self) -> list[str]:
        """What it says until it ends."""
        lines = []
        while (line := self.heard.get(timeout=PATIENCE)[1]) is not None:
            lines.append(line)
        self.process.wait(PATIENCE)
        return lines

    def complaints(self) -> str:
        """What it wrote to its error stream, but for news of compilation."""
        self.errors.seek(0)
        lines = self.errors.read().decode().splitlines()
        return "\n".join(line for line in lines if not line.startswith("ropewalk: compiling "))

    @property
    def code(self) -> int | None:
        return self.process.returncode


def ended_unheard(said: str, *argv: str) -> tuple[int, str]:
    """How a command ends when its reader leaves after the first words, though its input stays open."""
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "ropewalk", *argv]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{said}\n".encode())
        process.stdin.flush()
        assert os.read(reader, 10)
        os.close(reader)
        code = process.wait(PATIENCE)
        return code, "\n".join(line for line in process.stderr.read().decode().splitlines() if "compiling" not in line)
