"""Verdicts: the result of grading an office after an episode."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from teller_gym.office.store import Store

_CONTENT = ("files.", "crm.", "tracker.", "chat.messages", "chat.rooms")
"""Prefixes of the tables with files, messages and records."""


class Failure(StrEnum):
    """Classes of failed checkpoints, as in the paper."""

    ACCESS = "E1"
    """A required service rejected every access attempt, and nothing was delivered."""
    DELIVERY = "E2"
    """The deliverable is missing, in the wrong place or unreadable."""
    CROSS_TOOL = "E3"
    """A step in another service is missing, such as a message, meeting or work item."""
    LOGIC = "E4"
    """The deliverable has wrong contents."""


class Finding(msgspec.Struct, frozen=True):
    """Result of a checkpoint.

    Attributes:
        checkpoint: name of the checkpoint.
        passed: True if the checkpoint is passed.
        evidence: sentence about the expected and actual state.
        failure: failure class; None if the checkpoint is passed.
    """

    checkpoint: str
    passed: bool
    evidence: str
    failure: Failure | None = None


class Verdict(msgspec.Struct, frozen=True):
    """Verdict on a task.

    Attributes:
        findings: one finding per checkpoint, in order.
        collateral: sentences about changes that the task does not require.
    """

    findings: tuple[Finding, ...]
    collateral: tuple[str, ...]

    @property
    def accurate(self) -> bool:
        """True if all checkpoints are passed."""
        return all(one.passed for one in self.findings)

    @property
    def success(self) -> bool:
        """True if all checkpoints are passed and nothing else was changed."""
        return not self.collateral and self.accurate

    @property
    def share(self) -> float:
        """Share of checkpoints that are passed, 0 to 1."""
        return sum(one.passed for one in self.findings) / len(self.findings)


def is_touched(store: Store) -> bool:
    """Return True if anything was written, sent or created in an office.

    Signing in does not count.
    """
    return any(change.table.startswith(_CONTENT) for change in store.diff())


def with_access(verdict: Verdict, shut: Mapping[str, str], has_written: bool) -> Verdict:
    """Reclassify missing deliveries as access failures if the agent could not work for lack of access.

    That is the case if nothing was written and a required service was shut; ``shut`` has the last rejection (401 or
    403)
    by each such service (see `access`).
    """
    if has_written or not shut:
        return verdict
    why = "; ".join(f"{service} let nobody in, last with {last}" for service, last in shut.items())
    findings = tuple(
        one if one.passed else msgspec.structs.replace(one, failure=Failure.ACCESS, evidence=f"{one.evidence}; {why}")
        for one in verdict.findings
    )
    return msgspec.structs.replace(verdict, findings=findings)
