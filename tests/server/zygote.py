"""A process that has loaded everything and forks servers: one that was killed is back in a tenth of a second.

`python -m tests.server.zygote` reads lines of JSON, a database and a port each, and answers with a process id.
"""

from __future__ import annotations

import json
import os
import signal
import sys


def main() -> None:
    from ropewalk.server.live.rules import warmed
    from ropewalk.server.serving import serve  # noqa: F401  (loaded before the first fork)

    warmed("tether-9")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that were killed
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            be_server(**json.loads(line))
        print(child, flush=True)


def be_server(database: str, port: int) -> None:
    from ropewalk.server.house import HouseSettings
    from ropewalk.server.serving import Place, serve
    from ropewalk.server.storage.database import read_url

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.close(0)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    code = serve(HouseSettings(read_url(database), 1, warming=False, rate=0), Place("127.0.0.1", port, quiet=True))
    os._exit(code)


if __name__ == "__main__":
    main()
