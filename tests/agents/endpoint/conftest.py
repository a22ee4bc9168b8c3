"""Provides one endpoint for all tests of this folder, and shortens the pauses before retries."""

from collections.abc import Iterator

import pytest

from teller_gym.agents.endpoint import client
from tests.agents.endpoint.server import Endpoint, running


@pytest.fixture(scope="session")
def _running() -> Iterator[Endpoint]:
    with running() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(_running: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)
    for kept in (_running.behaviours, _running.bodies, _running.headers, _running.times, _running.models):
        kept.clear()
    _running.cards.clear()
    _running.asked_for_models = 0
    return _running
