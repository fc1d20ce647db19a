"""A process that has loaded all modules and forks servers, so that a server starts within a tenth of a second.

`python -m tests.support.fork_server` reads lines of JSON, each with the settings of a server and optionally the file of its
log, and answers with a process id.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from typing import Any


def main() -> None:
    load_modules()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # killed children are not waited for
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            serve_in_child(**json.loads(line))
        print(child, flush=True)


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


def serve_in_child(settings: dict[str, Any], log_file: str | None = None) -> None:
    from ropewalk.server.run import serve
    from ropewalk.server.settings import ServerSettings

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.close(0)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if log_file is not None:
        os.dup2(os.open(log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
    defaults = {"engine_workers": 1, "warm_up": False, "rate_limit_scale": 0, "quiet": True}
    code = serve(ServerSettings(**(defaults | settings)))
    os._exit(code)


if __name__ == "__main__":
    main()
