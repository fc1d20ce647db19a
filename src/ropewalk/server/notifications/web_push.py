"""Web Push: messages to the push service of a browser, encrypted for it (RFC 8291) and signed by the server (RFC 8292)."""

from __future__ import annotations

import base64
import binascii
import json
import logging
import time
from collections.abc import Mapping
from enum import Enum
from http.client import HTTPException
from typing import Any

from ..db.notification_repository import PushSubscription
from ..errors import ApiError
from .push_endpoint import PushEndpointError, open_connection, parse_endpoint

TTL_SECONDS = 24 * 3600  # that a push service keeps a message for a browser that is not there
TOKEN_SECONDS = 12 * 3600  # that the signature is valid
MAX_ANSWER_BYTES = 10_000
PUBLIC_KEY_BYTES, AUTH_BYTES = 65, 16  # of a subscription
UNCOMPRESSED_POINT = 4  # first byte of such a key
KEY_BYTES = 32
GONE_STATUSES = (404, 410)  # the subscription has ended
MIN_ERROR_STATUS = 300
log = logging.getLogger("ropewalk.notifications")


class PushOutcome(Enum):
    """What a push service has done with a message."""

    SENT = "sent"
    GONE = "gone"  # the subscription has ended and is to be deleted
    FAILED = "failed"


class WebPushSender:
    """Sends messages to push services. Its methods block: call them in threads.

    Args:
        private_key: The key that signs messages, of the curve P-256.
        contact: Where push services reach the operator: a mailto: or https: address.
        allows_private: Whether endpoints may have private addresses and no encryption, for tests.
    """

    def __init__(self, private_key: int, contact: str, *, allows_private: bool = False) -> None:
        self.private_key = private_key
        self.contact = contact
        self.allows_private = allows_private

    def format_public_key(self) -> str:
        """Return the public key as browsers take it."""
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = ec.derive_private_key(self.private_key, ec.SECP256R1()).public_key()
        return encode_base64(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def send(self, subscription: PushSubscription, message: Mapping[str, Any]) -> PushOutcome:
        """Encrypt, sign and send a message; problems of the push service are logged."""
        try:
            status = self.post(subscription, json.dumps(message).encode())
        except (PushEndpointError, OSError, HTTPException, ValueError) as error:
            log.warning("a push message was not sent: %s", type(error).__name__)
            return PushOutcome.FAILED
        if status in GONE_STATUSES:
            return PushOutcome.GONE
        if status >= MIN_ERROR_STATUS:
            log.warning("a push service has answered with status %d", status)
            return PushOutcome.FAILED
        return PushOutcome.SENT

    def post(self, subscription: PushSubscription, message: bytes) -> int:
        """Post an encrypted message to the endpoint of a subscription; return the status of the answer."""
        endpoint = parse_endpoint(subscription.endpoint, allows_private=self.allows_private)
        body, headers = self.encrypt(subscription, message), self.sign(f"{endpoint.scheme}://{endpoint.netloc}")
        target = (endpoint.path or "/") + (f"?{endpoint.query}" if endpoint.query else "")
        connection = open_connection(endpoint, allows_private=self.allows_private)
        try:
            connection.request("POST", target, body, headers)
            answer = connection.getresponse()  # a redirection is an error: it is not followed
            answer.read(MAX_ANSWER_BYTES)
            return answer.status
        finally:
            connection.close()

    def encrypt(self, subscription: PushSubscription, message: bytes) -> bytes:
        """Return a message that only the browser of a subscription can read."""
        from pywebpush import WebPusher

        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        encoded = WebPusher({"endpoint": subscription.endpoint, "keys": keys}).encode(message, "aes128gcm")
        return bytes(encoded["body"])

    def sign(self, audience: str) -> dict[str, str]:
        """Return the headers of a message to a push service, with the signature of this server."""
        from py_vapid import Vapid02

        key = Vapid02.from_raw(encode_base64(self.private_key.to_bytes(KEY_BYTES, "big")).encode())
        claims = {"aud": audience, "sub": self.contact, "exp": int(time.time()) + TOKEN_SECONDS}
        signature: dict[str, str] = key.sign(claims)
        return {
            **signature,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL_SECONDS),
            "Urgency": "normal",
        }


def encode_base64(data: bytes) -> str:
    """Return data in the alphabet for URLs, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64(text: str) -> bytes:
    """Return the data of a text in the alphabet for URLs, with or without padding. Raises ValueError."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def check_keys(p256dh: str, auth: str) -> None:
    """Check the keys of a subscription.

    Raises:
        ApiError: `bad-request`: they are not a point of P-256 and 16 bytes.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point, secret = decode_base64(p256dh), decode_base64(auth)
        if len(point) != PUBLIC_KEY_BYTES or point[0] != UNCOMPRESSED_POINT or len(secret) != AUTH_BYTES:
            raise ValueError("wrong length")
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise ApiError("bad-request", "the keys of the push subscription are invalid; subscribe again") from None
