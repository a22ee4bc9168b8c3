"""CI tries the same examples every time; with a seed from outside (`make fuzz`) they are others each time."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# The profile of the rest of the suite, without hypothesis's health checks, which attacks would fail.
settings.register_profile("fuzz", settings.get_profile("teller_gym"), suppress_health_check=list(HealthCheck))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Read the modules of this folder under its own profile, which is not for the rest of the suite."""
    settings.load_profile("fuzz")
    try:
        return (yield)
    finally:
        settings.load_profile("teller_gym")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Of an attack that is not hypothesis's own: the number given as `--hypothesis-seed`, or 0."""
    given = request.config.getoption("--hypothesis-seed")
    return 0 if given is None else int(given)
