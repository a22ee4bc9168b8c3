"""Fixtures of the tests of commands."""

import pytest

from teller_gym.evaluation import evaluate
from tests.evaluation.conftest import stub_env

__all__ = ["run", "stub_env"]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Play two episodes and return the run folder."""
    folder = tmp_path_factory.mktemp("runs") / "expert"
    evaluate("expert", "Teller-Loans-v0", "validation", n=2, run_dir=folder, progress=False)
    return str(folder)
