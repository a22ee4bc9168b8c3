"""Tests that all claims pass for the package's envs with the small samples of ``teller-gym check --quick``.

The other banking scenarios have the same claims and take a minute each; their tests are in ``tests/scenarios``.
"""

import pytest

from teller_gym.proof import check_env


@pytest.mark.slow
@pytest.mark.parametrize("env_id", ["Teller-Loans-v0", "Teller-LoansGraph-v0", "Teller-Day-v0", "Teller-Wealth-v0"])
def test_every_claim_holds(env_id: str) -> None:
    pytest.importorskip("sklearn")
    report = check_env(env_id, quick=True, processes=1)
    assert [f"{one.name}: {one.figure}" for one in report.items if not one.passed] == []
