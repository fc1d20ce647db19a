"""Addresses of push services, which browsers name: a server must not be made to send requests into its own network.

An endpoint is an https address with a public host. When a message is sent, the host is resolved once, and every address must
be public. The connection is made to the address that was checked, so that a second answer of the name server has no effect.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from ..errors import ApiError

MAX_ENDPOINT_LENGTH = 1000
HTTPS_PORT = 443
HTTP_PORT = 80
CONNECT_SECONDS = 10.0  # to connect, and for each part of the answer
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
TRANSLATED_NETWORKS = tuple(  # addresses that contain an IPv4 address, which may be a private one
    ipaddress.ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "::/96")
)


class PushEndpointError(ApiError):
    """An address that messages are not sent to."""

    def __init__(self, reason: str) -> None:
        super().__init__("bad-request", f"the push endpoint is not allowed: {reason}")


def parse_endpoint(text: str, *, allows_private: bool = False) -> SplitResult:
    """Return the parts of an endpoint.

    Args:
        text: The address that the browser has named.
        allows_private: Whether http and private addresses are allowed, for tests.

    Raises:
        PushEndpointError: It is not an https address of a public host with the standard port.
    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise PushEndpointError("it is not a URL") from None
    if len(text) > MAX_ENDPOINT_LENGTH or not text.isascii() or not text.isprintable() or " " in text:
        raise PushEndpointError(f"it must have at most {MAX_ENDPOINT_LENGTH} printable characters")
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        raise PushEndpointError("it must have a host, and neither a user nor a fragment")
    if allows_private:
        if parts.scheme not in ("http", "https"):
            raise PushEndpointError("it must begin with http:// or https://")
        return parts
    if parts.scheme != "https" or port not in (None, HTTPS_PORT):
        raise PushEndpointError("it must begin with https:// and use port 443")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if "." not in host.strip("."):
            raise PushEndpointError("its host must be a full name") from None
    else:
        require_public(address)
    return parts


def require_public(address: IPAddress) -> None:
    """Raise PushEndpointError unless an address is one of the public internet."""
    is_translated = any(address in network for network in TRANSLATED_NETWORKS if network.version == address.version)
    if is_translated or not address.is_global or address.is_multicast or address.is_reserved:
        raise PushEndpointError("its host has an address that is not public")


def resolve_public(host: str, port: int, *, allows_private: bool = False) -> list[str]:
    """Return the addresses of a host, all of which are public.

    Raises:
        PushEndpointError: One of them is not, or there are none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise PushEndpointError("its host cannot be found") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not allows_private:
        for text in addresses:
            require_public(ipaddress.ip_address(text.partition("%")[0]))
    return addresses


def open_connection(endpoint: SplitResult, *, allows_private: bool = False) -> HTTPConnection:
    """Return a connection to the host of an endpoint, at an address that was checked.

    Raises:
        PushEndpointError: The host has a private address.
        OSError: It cannot be reached.
    """
    is_encrypted = endpoint.scheme == "https"
    host, port = endpoint.hostname or "", endpoint.port or (HTTPS_PORT if is_encrypted else HTTP_PORT)
    address = resolve_public(host, port, allows_private=allows_private)[0]
    plain = socket.create_connection((address, port), CONNECT_SECONDS)
    if not is_encrypted:
        connection = HTTPConnection(host, port, timeout=CONNECT_SECONDS)
        connection.sock = plain
        return connection
    context = ssl.create_default_context()
    encrypted = HTTPSConnection(host, port, timeout=CONNECT_SECONDS, context=context)
    try:
        encrypted.sock = context.wrap_socket(plain, server_hostname=host)
    except OSError:
        plain.close()
        raise
    return encrypted
