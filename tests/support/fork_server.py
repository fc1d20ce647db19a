"""A process that has loaded all modules and forks servers, so that a server starts within a tenth of a second.

`python -m tests.support.fork_server` reads lines of JSON. A `ForkRequest` starts a server and is answered with its process
id; a process id is answered with the exit code of that server, negative for a signal, or with null while it runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ForkRequest:
    """What a forked server gets."""

    settings: dict[str, Any] = field(default_factory=dict)  # of the server
    arguments: list[str] = field(default_factory=list)  # of the command `ropewalk`, instead of settings
    environment: dict[str, str] | None = None  # None for that of the fork server
    log_file: str | None = None  # None for the standard error of the fork server
    max_file_bytes: int | None = None  # the limit of RLIMIT_FSIZE, which simulates a full disk


def main() -> None:
    """Answer requests until the input ends, also because its writer was killed; then kill all servers that still run."""
    load_modules()
    print("ready", flush=True)
    children: set[int] = set()
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, int):
            answer = find_exit_code(request)
            if answer is not None:
                children.discard(request)
        else:
            answer = fork(ForkRequest(**request))
            children.add(answer)
        print(json.dumps(answer), flush=True)
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def load_modules() -> None:
    """Load what a server would load after it was forked."""
    import asyncpg  # noqa: F401
    import uvicorn.loops.auto
    import uvicorn.protocols.http.auto
    import uvicorn.protocols.websockets.websockets_sansio_impl  # noqa: F401

    import ropewalk
    from ropewalk.server.run import prepare_database
    from ropewalk.server.settings import ServerSettings

    ropewalk.game("tether-9")._stepper.compile()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(prepare_database(ServerSettings(database_url=f"{folder}/some.db")))


def fork(request: ForkRequest) -> int:
    """Return the process id of a new server."""
    child = os.fork()
    if child == 0:
        try:
            code = serve_in_child(request)
        except BaseException:  # whatever it is, the child must not go on as a second fork server
            sys.excepthook(*sys.exc_info())
            code = 1
        os._exit(code)
    return child


def find_exit_code(child: int) -> int | None:
    """Return the exit code of a server, None while it runs, 0 if its end was told before."""
    try:
        ended, status = os.waitpid(child, os.WNOHANG)
    except ChildProcessError:
        return 0
    return os.waitstatus_to_exitcode(status) if ended else None


def serve_in_child(request: ForkRequest) -> int:
    """Run a server in the forked process; return its exit code."""
    os.close(0)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if request.log_file is not None:
        os.dup2(os.open(request.log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
    if request.max_file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (request.max_file_bytes, request.max_file_bytes))
    if request.environment is not None:
        os.environ.clear()
        os.environ.update(request.environment)
    if request.arguments:
        from ropewalk.cli.main import main as run_command

        return run_command(request.arguments)
    from ropewalk.server.run import serve
    from ropewalk.server.settings import ServerSettings

    defaults = {"engine_workers": 1, "warm_up": False, "rate_limit_scale": 0, "quiet": True}
    return serve(ServerSettings(**(defaults | request.settings)))


if __name__ == "__main__":
    main()
