"""Settings of the fuzz tests: the same examples in every CI run, new ones with a seed (`make fuzz`)."""

from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# The suite's profile without hypothesis's health checks, which these tests would fail.
settings.register_profile("fuzz", settings.get_profile("teller_gym"), suppress_health_check=list(HealthCheck))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Load the modules of this folder under their own profile, which does not apply to the rest of the suite."""
    settings.load_profile("fuzz")
    try:
        return (yield)
    finally:
        settings.load_profile("teller_gym")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Return the seed of fuzz tests without hypothesis: the number of `--hypothesis-seed`, or 0."""
    given = request.config.getoption("--hypothesis-seed")
    return 0 if given is None else int(given)
