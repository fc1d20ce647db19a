"""A push service and a browser's side of it: receives messages over HTTP, and decrypts them as the browser would."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from ropewalk.server.notifications.web_push import encode_base64

WAIT_SECONDS = 20.0
AUTH_BYTES = 16


@dataclass
class PushService:
    """A push service with one subscription; `status` is its answer to the next messages."""

    url: str = ""
    status: int = 201
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(AUTH_BYTES))
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)  # path, headers, body

    def subscription(self, name: str = "browser") -> dict[str, Any]:
        """Return what a browser gives to a page that subscribes."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encode_base64(point), "auth": encode_base64(self.auth)}
        return {"endpoint": f"{self.url}/push/{name}", "keys": keys}

    def decrypt(self, number: int) -> Any:
        """Return a message as the browser reads it, after a check of its signature."""
        _, headers, body = self.requests[number]
        assert headers["content-encoding"] == "aes128gcm"
        assert Vapid02.verify(headers["authorization"])
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        return json.loads(text)

    def wait_for(self, count: int) -> None:
        """Wait until a number of messages has come."""
        until = time.monotonic() + WAIT_SECONDS
        while len(self.requests) < count:
            assert time.monotonic() < until, f"{len(self.requests)} messages instead of {count}"
            time.sleep(0.02)


@contextmanager
def run_push_service() -> Iterator[PushService]:
    """Yield a push service that listens on this machine."""
    service = PushService()

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Store a message."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.requests.append((self.path, headers, body))
            self.send_response(service.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
