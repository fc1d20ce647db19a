"""The address under which the requests of a client are counted."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from starlette.types import Scope

IPV6_PREFIX_LENGTH = 64  # what a provider gives to one customer: each of them has 2**64 addresses


def client_address(scope: Scope) -> str:
    """Return the address that a request comes from; of an IPv6 address the network of 64 bits."""
    client = scope.get("client")
    return group_address(client[0]) if client else "unknown"


@lru_cache(maxsize=4096)
def group_address(text: str) -> str:
    """Return the key of an address: IPv4 addresses as they are, also inside IPv6, and other IPv6 addresses by network."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX_LENGTH), strict=False))
