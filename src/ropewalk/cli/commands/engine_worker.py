"""`ropewalk engine-worker` and `ropewalk engine-token`: engines of a server on other machines."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from argparse import Namespace
from pathlib import Path

from ..arguments import Parser, UsageError, make_int_parser
from ..command import EXIT_NEGATIVE, EXIT_OK, Command

TOKEN_VARIABLE = "ROPEWALK_ENGINE_TOKEN"
TOKENS_VARIABLE = "ROPEWALK_ENGINE_TOKENS"

WORKER_DESCRIPTION = (
    "Search for servers on other machines: take jobs (moves of bots and analyses) from one or more servers over HTTP, run "
    "them in engine processes of this machine, and return the results. The server must run the same version with the "
    "option --engine-tokens, and its operator creates the token with 'ropewalk engine-token'. If a server is away, the "
    "worker tries again with growing pauses. Ctrl-C hands the running jobs back and exits. The manual is "
    "docs/engine-workers.md."
)

WORKER_EXAMPLES = [
    (f"{TOKEN_VARIABLE}=... ropewalk engine-worker --server https://games.example.org", "one server, all processors"),
    (
        "ropewalk engine-worker --server http://10.0.0.5:8000 --server http://10.0.0.6:8000 --token-file token.txt",
        "two servers behind a proxy",
    ),
]


def add_worker_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk engine-worker`."""
    help_text = "address of a server, such as https://games.example.org; repeat it for several servers"
    parser.usage = "%(prog)s --server URL [options]"
    parser.add_argument("--server", metavar="URL", action="append", required=True, help=help_text)
    help_text = f"the token; other users of this machine can see it, so prefer {TOKEN_VARIABLE} or --token-file"
    parser.add_argument("--token", metavar="T", help=help_text)
    parser.add_argument("--token-file", metavar="FILE", help="file with the token")
    help_text = "number of engine processes, up to 900 MB each (default: the number of processors)"
    parser.add_argument("--engines", metavar="N", type=make_int_parser(1, 256), default=os.cpu_count() or 1, help=help_text)
    help_text = "name of this worker in the server's log (default: the name of the machine)"
    parser.add_argument("--name", metavar="NAME", default=socket.gethostname()[:40] or "worker", help=help_text)
    help_text = "compile kernels when they are first needed instead of at the start"
    parser.add_argument("--no-warm-up", action="store_true", help=help_text)


def run_engine_worker(arguments: Namespace) -> int:
    """Run jobs until a signal ends the worker or all servers refuse it; return the exit code."""
    token = read_token(arguments)

    from ...server.engine_worker.http_client import ServerClient
    from ...server.engine_worker.worker import EngineWorker

    async def run() -> bool:
        clients = [ServerClient(url, token) for url in arguments.server]
        worker = EngineWorker(clients, arguments.engines, arguments.name, say, warming=not arguments.no_warm_up)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, worker.stop)
        say(f"{arguments.engines} engines for {', '.join(client.url for client in clients)}; stop with Ctrl-C")
        return await worker.run()

    return EXIT_OK if asyncio.run(run()) else EXIT_NEGATIVE


def read_token(arguments: Namespace) -> str:
    """Return the token of the options or the environment. Raises UsageError if there is none."""
    token = arguments.token or os.environ.get(TOKEN_VARIABLE, "")
    if arguments.token_file is not None:
        try:
            token = Path(arguments.token_file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the token in {arguments.token_file}: {error}") from None
    if not token.strip():
        raise UsageError(f"the token is missing: use --token-file, --token or {TOKEN_VARIABLE}")
    return token.strip()


def say(line: str) -> None:
    """Print a line of progress at once."""
    print(line, flush=True)


TOKEN_DESCRIPTION = (
    "Create, list or revoke the tokens with which 'ropewalk engine-worker' takes jobs from a server. A token is shown only "
    "once; the file has its hash. Servers with the option --engine-tokens FILE read the file again when it has changed."
)

TOKEN_EXAMPLES = [
    ("ropewalk engine-token engines.txt add attic", "create a token named attic and print it"),
    ("ropewalk engine-token engines.txt list", "print the names"),
    ("ropewalk engine-token engines.txt revoke attic", "refuse it from now on"),
]


def add_token_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk engine-token`."""
    parser.add_argument("file", metavar="FILE", help="file of the tokens; it is created if it does not exist")
    parser.add_argument("action", metavar="ACTION", choices=("add", "list", "revoke"), help="add, list or revoke")
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of the token, to add or to revoke it")


def run_engine_token(arguments: Namespace) -> int:
    """Change or list the tokens; return the exit code."""
    from ...server.engine_pool.engine_tokens import EngineTokenFile

    tokens = EngineTokenFile(Path(arguments.file))
    if (arguments.name is None) != (arguments.action == "list"):
        raise UsageError("add and revoke need a NAME, list has none")
    if arguments.action == "add":
        print(tokens.add(arguments.name))
    elif arguments.action == "revoke":
        tokens.revoke(arguments.name)
        print(f"{arguments.name} was revoked")
    else:
        print("\n".join(tokens.load()) or "there are no tokens")
    return EXIT_OK


COMMANDS = {
    "engine-worker": Command(WORKER_DESCRIPTION, WORKER_EXAMPLES, add_worker_arguments, run_engine_worker),
    "engine-token": Command(TOKEN_DESCRIPTION, TOKEN_EXAMPLES, add_token_arguments, run_engine_token),
}
