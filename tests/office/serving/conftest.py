"""Servers that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.office.serving.kv import Office

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


@pytest.fixture
def serving() -> Iterator[Serving]:
    """A server with the usual limits."""
    from teller_gym.office.serving import Serving

    with Serving(Office()) as started:
        yield started


@pytest.fixture
def hasty() -> Iterator[Serving]:
    """A server that waits half a second for anything."""
    from teller_gym.office.serving import ServerLimits, Serving

    limits = ServerLimits(head_s=0.5, body_s=0.5, idle_s=0.5, send_s=0.5, linger_s=0.3, stop_s=0.5)
    with Serving(Office(), limits=limits) as started:
        yield started
