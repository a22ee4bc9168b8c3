"""Register the stub env and its tasks for the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.evaluation.stub import installed


@pytest.fixture(autouse=True)
def stub_env(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed(monkeypatch):
        yield
