"""Programs as distributions ship them, and the office's own server for them to talk to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.office.files.office import SERVICE, check_tree, office
from tests.office.served import served

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


@contextmanager
def served_office() -> Iterator[Serving]:
    """Serve the file store of the tests, and check the tree afterwards."""
    with served(SERVICE, office()) as serving:
        yield serving
        serving.look(check_tree)


def program(name: str) -> str:
    """Return a program's path; without it the test is skipped, and says so."""
    found = shutil.which(name)
    return found if found else missing(name)


def missing(package: str) -> Any:
    pytest.skip(f"NOT RUN: {package} is not installed (apt-get install {package})")
