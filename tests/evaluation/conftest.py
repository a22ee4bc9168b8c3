"""Fixture that registers the stub env and its tasks."""

from collections.abc import Iterator

import pytest

from tests.evaluation.stub import installed


@pytest.fixture
def stub_env(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed(monkeypatch):
        yield
