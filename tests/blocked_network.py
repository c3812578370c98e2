"""Pytest plugin that lets sockets connect to loopback addresses only."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest


class NetworkBlocked(RuntimeError):
    """A test tried to connect to another machine."""


def is_loopback(address: Any) -> bool:
    """Whether an address is a Unix socket, localhost or a loopback IP address."""
    if not isinstance(address, tuple):
        return True
    host = address[0]
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    for name in ("connect", "connect_ex", "sendto"):
        _guard(name)


def _guard(name: str) -> None:
    real = getattr(socket.socket, name)

    def guarded(self: socket.socket, *arguments: Any) -> Any:
        if self.family != socket.AF_UNIX and not is_loopback(arguments[-1]):
            raise NetworkBlocked(f"tests may only connect to loopback, not {arguments[-1]!r}")
        return real(self, *arguments)

    setattr(socket.socket, name, guarded)
