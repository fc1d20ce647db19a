"""`ropewalk moderate`: what the operator of a server does about reports, users and the announcement."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..arguments import Parser, UsageError
from ..command import EXIT_NEGATIVE, EXIT_OK, Command
from .server import add_database

if TYPE_CHECKING:
    from ...server.db.moderation_repository import ModerationRepository, UserReport
    from ...server.db.user_repository import User, UserRepository

DESCRIPTION = (
    "Moderate a server, also while it runs; servers notice within two seconds. 'reports' lists the open reports of users, "
    "'done' closes one. 'mute' forbids a user to write chat messages, 'unmute' allows it again. 'close' ends the sessions "
    "and challenges of an account and of its bots and refuses its password, 'reopen' undoes that; its matches stay. "
    "'announce' sets the line that every page shows, 'clear' removes it. Use the database of the server. The manual is "
    "docs/server.md."
)

EXAMPLES = [
    ("ropewalk moderate reports", "list the open reports"),
    ("ropewalk moderate mute 'Quiet Heron 417'", "no more chat messages of this user"),
    ("ropewalk moderate close Wanda --database postgresql://ropewalk@db/ropewalk", "close an account"),
    ("ropewalk moderate announce 'Maintenance tonight at 22:00 UTC'", "show a line on every page"),
    ("ropewalk moderate done 3", "report 3 is dealt with"),
]

ACTIONS = ("reports", "done", "mute", "unmute", "close", "reopen", "announce", "clear")
WITHOUT_VALUE = ("reports", "clear")


def add_moderate_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk moderate`."""
    parser.usage = "%(prog)s ACTION [VALUE] [--database URL]"
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    help_text = "the name of a user, the number of a report, or the text of an announcement"
    parser.add_argument("value", metavar="VALUE", nargs="?", help=help_text)
    add_database(parser)


def run_moderate(arguments: Namespace) -> int:
    """Perform an action and return the exit code, EXIT_NEGATIVE if there is no such user or report."""
    if (arguments.value is None) != (arguments.action in WITHOUT_VALUE):
        raise UsageError(f"{' and '.join(WITHOUT_VALUE)} have no VALUE, all other actions need one")
    return asyncio.run(moderate(arguments.action, arguments.value or "", arguments.database))


async def moderate(action: str, value: str, url: str) -> int:
    """Perform an action in a database, print its result, and return the exit code."""
    from ...server.db.database import Database, parse_url
    from ...server.db.migrate import migrate
    from ...server.db.moderation_repository import ModerationRepository
    from ...server.db.user_repository import UserRepository

    database = Database(parse_url(url))
    try:
        await migrate(database)
        repository, users = ModerationRepository(database), UserRepository(database)
        if action in ("mute", "unmute", "close", "reopen"):
            return await change_user(repository, users, action, value)
        return await PLAIN_ACTIONS[action](repository, value)
    finally:
        await database.close()


async def change_user(repository: ModerationRepository, users: UserRepository, action: str, name: str) -> int:
    """Mute, unmute, close or reopen a user; return the exit code."""
    user = await find_user(users, name)
    if user is None:
        print(f"there is no user {name!r}")
        return EXIT_NEGATIVE
    if user.kind == "builtin-bot":
        raise UsageError(f"{user.name} is a built-in bot")
    if action in ("mute", "unmute"):
        await repository.set_silenced(user.id, silenced=action == "mute")
        print(f"{user.name} {'can write no more' if action == 'mute' else 'can write again'}")
    else:
        await repository.set_closed(user.id, closed=action == "close")
        print(f"the account of {user.name} is {'closed' if action == 'close' else 'open again'}")
    return EXIT_OK


async def find_user(users: UserRepository, name: str) -> User | None:
    """Return a user by their name, None if there is none."""
    from ...server.errors import ApiError

    try:
        return (await users.find_by_name(name))[0]
    except ApiError as error:
        if error.code != "not-found":
            raise
        return None


async def print_reports(repository: ModerationRepository, value: str) -> int:
    """Print the open reports; return the exit code."""
    found = await repository.list_reports()
    print("\n".join(map(format_report, found)) or "there are no open reports")
    return EXIT_OK


def format_report(report: UserReport) -> str:
    """Return a report as lines: number, time, names, reason, and the chat message with its match."""
    at = datetime.fromtimestamp(report.created_at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    lines = [f"{report.id}  {at} UTC  {report.reporter} reports {report.user}: {clean(report.reason)}"]
    if report.match_id is not None:
        lines.append(f"    match {report.match_id}")
    if report.chat_text is not None:
        lines.append(f"    message: {clean(report.chat_text)}")
    return "\n".join(lines)


def clean(text: str) -> str:
    """Return a text in one line, without characters that control a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


async def finish_report(repository: ModerationRepository, value: str) -> int:
    """Close a report by its number; return the exit code."""
    if not value.isdecimal():
        raise UsageError(f"invalid number of a report {value!r}; 'ropewalk moderate reports' lists them")
    is_closed = await repository.close_report(int(value))
    print(f"report {value} is closed" if is_closed else f"there is no open report {value}")
    return EXIT_OK if is_closed else EXIT_NEGATIVE


async def announce(repository: ModerationRepository, value: str) -> int:
    """Set the announcement; return the exit code."""
    from ...server.db.moderation_repository import MAX_ANNOUNCEMENT_LENGTH

    text = clean(value).strip()
    if not 1 <= len(text) <= MAX_ANNOUNCEMENT_LENGTH:
        raise UsageError(f"an announcement has 1 to {MAX_ANNOUNCEMENT_LENGTH} characters, not {len(text)}")
    await repository.set_announcement(text)
    print("every page shows the announcement now")
    return EXIT_OK


async def clear_announcement(repository: ModerationRepository, value: str) -> int:
    """Remove the announcement; return the exit code."""
    await repository.set_announcement(None)
    print("the announcement is removed")
    return EXIT_OK


PLAIN_ACTIONS: dict[str, Callable[[ModerationRepository, str], Awaitable[int]]] = {
    "reports": print_reports,
    "done": finish_report,
    "announce": announce,
    "clear": clear_announcement,
}

COMMANDS = {"moderate": Command(DESCRIPTION, EXAMPLES, add_moderate_arguments, run_moderate)}
