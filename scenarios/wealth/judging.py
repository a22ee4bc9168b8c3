"""Judges an office: what its work's checkpoints find, and what was changed besides."""

from __future__ import annotations

from teller_gym.office_tasks.verdict import Verdict
from teller_gym.scenarios.wealth.collateral import collateral
from teller_gym.scenarios.wealth.contract import Look


def judge(look: Look) -> Verdict:
    """Return the verdict, from the office's state only."""
    return Verdict(tuple(look.case.work.check(look)), tuple(collateral(look)))
