"""Serves a single service over HTTP, for tests with stock clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.web import Service

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


class OneService:
    """An office of one service."""

    def __init__(self, service: Service, store: Store) -> None:
        self.store = store
        self.services: Mapping[str, Service] = {service.name: service}

    def credentials(self) -> Any:
        return {}


@contextmanager
def served(service: Service, store: Store) -> Iterator[Serving]:
    """Serve until the end of the block; the server has its own store (see `Serving.look`)."""
    pytest.importorskip("h11", reason="needs the extra office (pip install -e '.[office]')")
    from teller_gym.office.serving import Serving

    with Serving(OneService(service, store)) as serving:
        yield serving
