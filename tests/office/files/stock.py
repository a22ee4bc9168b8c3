"""Programs as distributions ship them, and the office's own server for them to talk to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.web import Service
from tests.office.files.office import SERVICE, check_tree, office

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


class FilesOffice:
    """An office of one service: the file store of the tests."""

    def __init__(self) -> None:
        self.store: Store = office()
        self.services: Mapping[str, Service] = {"files": SERVICE}

    def credentials(self) -> Any:
        return {}


@contextmanager
def served_office() -> Iterator[Serving]:
    """Serve through `Serving`, and check the tree afterwards."""
    pytest.importorskip("h11", reason="needs the extra office (pip install -e '.[office]')")
    from teller_gym.office.serving import Serving

    with Serving(FilesOffice()) as serving:
        yield serving
        serving.look(check_tree)


def program(name: str) -> str:
    """Return a program's path; without it the test is skipped, and says so."""
    found = shutil.which(name)
    return found if found else missing(name)


def missing(package: str) -> Any:
    pytest.skip(f"NOT RUN: {package} is not installed (apt-get install {package})")
