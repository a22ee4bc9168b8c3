"""`teller-gym office serve`: serve an office until a signal arrives."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from teller_gym.cli.office.starting import public, served
from teller_gym.cli.office.wording import say_start

_FROZEN = "teller_gym.scenarios.wealth.offices:open_frozen"


def serve(options: argparse.Namespace) -> int:
    """Serve until a signal raises its exception."""
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
    """Make modules in the current folder importable, as `python -m` does and a script does not."""
    folder = os.getcwd()
    if folder in sys.path or "" in sys.path:
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
