"""The start of a server: clients reach it only when it can answer."""

from __future__ import annotations

import socket

import pytest

from ropewalk.server.run import open_socket
from ropewalk.server.settings import ServerSettings


def test_a_server_that_is_starting_refuses_connections_so_that_a_load_balancer_tries_another_one() -> None:
    with open_socket(ServerSettings(port=0)) as bound, pytest.raises(ConnectionRefusedError):
        socket.create_connection(bound.getsockname(), timeout=5)


def test_a_port_on_which_another_server_listens_is_refused() -> None:
    with open_socket(ServerSettings(port=0)) as bound:
        bound.listen()
        with pytest.raises(OSError, match="in use"):
            open_socket(ServerSettings(port=bound.getsockname()[1]))
