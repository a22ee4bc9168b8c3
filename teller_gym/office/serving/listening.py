"""Sockets of served offices and their addresses."""

from __future__ import annotations

import errno
import socket

from teller_gym.base.errors import OptionError


def listen(host: str, port: int, service: str) -> socket.socket:
    """Return a bound socket, which accepts connections once the event loop listens on it.

    Raises:
        OptionError: the port is taken or invalid, or the host is not an address of this machine.
    """
    try:
        # With the protocol named, asyncio disables Nagle's algorithm: answers do not wait for earlier acknowledgements.
        found = socket.getaddrinfo(
            host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        raise _no_host(host, error) from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address[0], port, *address[2:]))
    except (OSError, OverflowError) as error:
        listening.close()
        if getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
            raise _no_host(host, error) from None
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"port: {service} cannot have {port}: {reason}; choose another, or 0 for any") from None
    return listening


def address_of(listening: socket.socket) -> str:
    """Return a socket's address for clients on this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _no_host(host: str, error: Exception) -> OptionError:
    return OptionError(
        f"host: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, got {host!r}: "
        f"{getattr(error, 'strerror', None) or error}"
    )
