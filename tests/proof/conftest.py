"""Creates a new env under test for each test, since tests modify it."""

from collections.abc import Iterator

import pytest

from teller_gym.proof.play import subject


@pytest.fixture(autouse=True)
def fresh_subject() -> Iterator[None]:
    subject.cache_clear()
    yield
    subject.cache_clear()
