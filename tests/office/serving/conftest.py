"""A server that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.office.serving.kv import Office

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


@pytest.fixture
def serving() -> Iterator[Serving]:
    """A served office."""
    from teller_gym.office.serving import Serving

    with Serving(Office()) as started:
        yield started
