"""Command `teller-gym office serve`, and parts shared with `office run`: ports, server and public addresses."""

from __future__ import annotations

import argparse
import ipaddress
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from teller_gym.base.errors import OptionError
from teller_gym.cli.common import tell
from teller_gym.cli.interrupt import note, take_time
from teller_gym.cli.office.wording import say_start

CONTROL: Final = "control"
"""Name of the service for ending a run."""

DEFAULT_PORTS: Final[Mapping[str, int]] = {CONTROL: 8080, "crm": 8081, "files": 8082, "chat": 8083, "tracker": 8084}
_FURTHER: Final = 8085
"""First default port for services that are not in DEFAULT_PORTS."""

_STOP_S: Final = 4.0
"""Seconds for completing requests and closing the journal after a signal; see `lifecycle.STOP_S`."""

_LOCAL: Final = "127.0.0.1"
_REACHED: Final = {"0.0.0.0": _LOCAL, "::": "::1"}
"""Loopback addresses to print if a server listens on all addresses."""
_NO_HOST: Final = f"host: expected an address of this machine such as {_LOCAL}, or 0.0.0.0 for all"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")
_TAKEN: Final = re.compile(r"port: (?P<service>\S+) cannot have (?P<port>\d+): (?P<reason>[^;]*)")
"""Regular expression for the server's error message about an unavailable port."""


@contextmanager
def served(office: Any, options: argparse.Namespace, command: str) -> Iterator[Any]:
    """Serve an office while the block runs.

    Args:
        options: parsed options of the command.
        command: command that may continue from the state folder, such as ``office serve``.
    """
    from teller_gym.office.serving import FrictionOptions, Serving

    _warn(options)
    friction = FrictionOptions(
        rate_limit=options.rate_limit, temporary_errors=options.temporary_errors, seed=options.seed
    )
    take_time(_STOP_S)
    if options.state is not None:
        note(f"what was acknowledged is kept in {options.state}; the same command continues")
    given = ports_of(options, office.services)
    with _told_of_ports(options), Serving(
        office,
        ports={name: port for name, port in given.items() if name != CONTROL},
        state=options.state,
        begun_by=f"teller-gym {command}",
        log=options.log,
        friction=friction,
        host=options.host,
    ) as serving:  # fmt: skip
        yield serving


@contextmanager
def control_served(office: Any, options: argparse.Namespace) -> Iterator[Any]:
    """Serve the control port while the block runs, without state or rate limits."""
    from teller_gym.office.serving import Serving

    given = ports_of(options, (CONTROL,))
    with _told_of_ports(options), Serving(office, ports={CONTROL: given.get(CONTROL, 0)}, host=options.host) as serving:
        yield serving


def ports_of(options: argparse.Namespace, services: Iterable[str]) -> dict[str, int]:
    """Return ports by service from ``--port``.

    With ``--ports default``, the services' default ports are included.
    """
    found: dict[str, int] = {}
    if options.ports == "default":
        known = [name for name in services if name in DEFAULT_PORTS]
        others = [name for name in services if name not in DEFAULT_PORTS]
        found = {name: DEFAULT_PORTS[name] for name in known}
        found |= {name: _FURTHER + number for number, name in enumerate(others)}
    for text in options.port:
        name, _, number = text.partition("=")
        if not (number.isascii() and number.isdecimal()):
            raise OptionError(f"port: expected SERVICE=N such as files=8080, got {text!r}")
        found[name] = int(number)
    return found


def public(addresses: Mapping[str, str], options: argparse.Namespace) -> dict[str, str]:
    """Return the services' addresses with the host name under which clients reach this machine."""
    name = options.public_host or _REACHED.get(options.host, options.host)
    if ":" in name:
        name = f"[{name}]"
    return {service: f"http://{name}:{urlsplit(address).port}" for service, address in addresses.items()}


@contextmanager
def _told_of_ports(options: argparse.Namespace) -> Iterator[None]:
    """Extend errors about a port or address with the option that solves the problem."""
    try:
        yield
    except OptionError as error:
        found = _TAKEN.match(str(error))
        if found is None:
            raise
        if "assign requested" in str(error) or found["port"] == "0":
            raise OptionError(f"{_NO_HOST}, got {options.host!r}: {found['reason']}") from None
        raise OptionError(f"{error} (--port {found['service']}=N; --ports free has free ones for all)") from None


def _warn(options: argparse.Namespace) -> None:
    """Check the host options, and warn if other machines can reach the office."""
    if options.public_host is not None and not _NAME.fullmatch(options.public_host):
        raise OptionError(f"public_host: expected a name or address without port, got {options.public_host!r}")
    if options.host == "localhost":
        return
    try:
        local = ipaddress.ip_address(options.host).is_loopback
    except ValueError:
        raise OptionError(f"{_NO_HOST}, got {options.host!r}") from None
    if not local:
        tell(
            f"teller-gym: --host {options.host}: others reach the office, and passwords, keys and documents cross the "
            "network in clear; use it where you trust the network, such as between two containers"
        )


_FROZEN = "teller_gym.scenarios.wealth.offices:open_frozen"


def serve(options: argparse.Namespace) -> int:
    """Serve an office until a signal arrives, and return the exit code."""
    from teller_gym.office.serving import load_office

    with _own_folder_searched():
        office = load_office(options.office or _FROZEN)
    with served(office, options, "office serve") as serving:
        addresses = public(serving.addresses, options)
        say_start(addresses, office.credentials(), options, serving.restored)
        serving.wait()
    return 0


@contextmanager
def _own_folder_searched() -> Iterator[None]:
    """Make modules in the current folder importable, as with `python -m` but not with a script."""
    folder = os.getcwd()
    if folder in sys.path or "" in sys.path:
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
