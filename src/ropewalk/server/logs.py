"""Logs of a server: lines of text or of JSON, each with the id of the request during which it was written."""

from __future__ import annotations

import json
import logging
import sys
import time
from contextvars import ContextVar

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)  # of the request that is being handled
TEXT_FORMAT = "%(asctime)s %(levelname)s %(name)s%(request)s: %(message)s"
NOISY_LOGGERS = ("alembic", "sqlalchemy", "aiosqlite")


class TextFormatter(logging.Formatter):
    """Formats a record as one line of text, with the request id in brackets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        request_id = REQUEST_ID.get()
        record.request = "" if request_id is None else f" [{request_id}]"
        return super().format(record)


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return `time`, `level`, `logger` and `message` of a record, and `request_id` and `exception` if it has them."""
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry = {"time": f"{seconds}.{int(record.msecs):03d}Z", "level": record.levelname, "logger": record.name}
        entry["message"] = record.getMessage()
        if (request_id := REQUEST_ID.get()) is not None:
            entry["request_id"] = request_id
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def has_no_client_data(record: logging.LogRecord) -> bool:
    """Return whether a record of uvicorn may be logged: those of sockets have addresses of clients and keys of links."""
    return not (record.levelno < logging.WARNING and "WebSocket" in str(record.msg))


def configure_logging(log_format: str, *, quiet: bool) -> None:
    """Write the log to standard error, warnings only if `quiet`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter(TEXT_FORMAT))
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, handlers=[handler])
    for noisy in NOISY_LOGGERS:
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(has_no_client_data)
