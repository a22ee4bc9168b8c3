"""The verdict on an office: what its work's checkpoints find, and what was changed besides."""

from __future__ import annotations

import msgspec

from teller_gym.scenarios.wealth.collateral import collateral
from teller_gym.scenarios.wealth.contract import Finding, Look


class Verdict(msgspec.Struct, frozen=True):
    """What came of a piece of work.

    Attributes:
        findings: one a checkpoint, in their order.
        collateral: what was changed that the work does not ask for, a sentence each.
    """

    findings: tuple[Finding, ...]
    collateral: tuple[str, ...]

    @property
    def success(self) -> bool:
        """Whether all checkpoints are passed, and nothing else was touched."""
        return not self.collateral and all(one.passed for one in self.findings)

    @property
    def share(self) -> float:
        """Share of the checkpoints that are passed."""
        return sum(one.passed for one in self.findings) / len(self.findings)


def judge(look: Look) -> Verdict:
    """Return the verdict, by the office's state alone."""
    return Verdict(tuple(look.case.work.check(look)), tuple(collateral(look)))
