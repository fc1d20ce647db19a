"""A `ropewalk` command in a process, with line-based input and output."""

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

from tests.support.command_runner import WITH_CTRL_C

TIMEOUT_SECONDS = 240.0  # for a line: kernels may have to be compiled first


class EngineProcess:
    """A running command; a thread reads its output, with the time of each line."""

    def __init__(self, *argv: str) -> None:
        self.stderr_file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by __exit__
        command = [sys.executable, "-c", WITH_CTRL_C, *argv]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr_file)
        self.output: queue.Queue[tuple[float, str | None]] = queue.Queue()
        self.received_at = 0.0  # time of the last line read
        threading.Thread(target=self.read_output, daemon=True).start()

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        self.stderr_file.close()
        self.process.stdin.close()

    def read_output(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self.output.put((time.monotonic(), line.decode().rstrip("\r\n")))
        self.output.put((time.monotonic(), None))

    def send(self, *lines: str | bytes) -> float:
        """Send lines and return the time."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()
        return time.monotonic()

    def send_query(self, **fields: Any) -> float:
        """Send the fields as a line of JSON and return the time."""
        return self.send(json.dumps(fields))

    def read_line(self) -> str:
        """Return the next line of output, waiting for it."""
        self.received_at, line = self.output.get(timeout=TIMEOUT_SECONDS)
        assert line is not None, f"it has ended: {self.read_stderr()}"
        return line

    def read_until(self, prefix: str) -> list[str]:
        """Return all lines up to the first with this prefix."""
        lines = [self.read_line()]
        while not lines[-1].startswith(prefix):
            lines.append(self.read_line())
        return lines

    def read_response(self) -> dict[str, Any]:
        """Return the next line, a JSON object."""
        response: dict[str, Any] = json.loads(self.read_line())
        return response

    def has_no_output(self) -> bool:
        """Return whether there is no unread line."""
        return self.output.empty()

    def close_input(self) -> list[str]:
        """Close the input and return all lines until the process ends."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.read_to_end()

    def read_to_end(self) -> list[str]:
        """Return all lines until the process ends."""
        lines = []
        while (line := self.output.get(timeout=TIMEOUT_SECONDS)[1]) is not None:
            lines.append(line)
        self.process.wait(TIMEOUT_SECONDS)
        return lines

    def read_stderr(self) -> str:
        """Return the text on stderr, without the lines about compilation."""
        self.stderr_file.seek(0)
        lines = self.stderr_file.read().decode().splitlines()
        return "\n".join(line for line in lines if not line.startswith("ropewalk: compiling "))

    @property
    def exit_code(self) -> int | None:
        return self.process.returncode


def exit_after_broken_pipe(line: str, *argv: str) -> tuple[int, str]:
    """Return exit code and stderr of a command whose output is closed after its first bytes, its input still open."""
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "ropewalk", *argv]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{line}\n".encode())
        process.stdin.flush()
        assert os.read(reader, 10)
        os.close(reader)
        exit_code = process.wait(TIMEOUT_SECONDS)
        lines = process.stderr.read().decode().splitlines()
        return exit_code, "\n".join(line for line in lines if "compiling" not in line)
