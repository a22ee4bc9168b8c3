"""Verdicts on an office after a piece of work."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from teller_gym.office.store import Store

_CONTENT = ("files.", "crm.", "tracker.", "chat.messages", "chat.rooms")
"""Prefixes of the tables of people's files, messages and records."""


class Failure(StrEnum):
    """Classes of failed checkpoints, as in the paper."""

    ACCESS = "E1"
    """A needed service could not be reached: it refused every attempt, and nothing was delivered."""
    DELIVERY = "E2"
    """The deliverable is not in its place, or cannot be read."""
    CROSS_TOOL = "E3"
    """A step in another service is missing: a message, a meeting, a work item."""
    LOGIC = "E4"
    """It was delivered, and says something wrong."""


class Finding(msgspec.Struct, frozen=True):
    """Result of a checkpoint.

    Attributes:
        checkpoint: its name.
        evidence: sentence on what was expected and found.
        failure: the class of failure; None if the checkpoint is passed.
    """

    checkpoint: str
    passed: bool
    evidence: str
    failure: Failure | None = None


class Verdict(msgspec.Struct, frozen=True):
    """Verdict on a piece of work.

    Attributes:
        findings: one per checkpoint, in order.
        collateral: sentences on changes that the work does not require.
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
        """Share of the checkpoints that are passed."""
        return sum(one.passed for one in self.findings) / len(self.findings)


def is_touched(store: Store) -> bool:
    """Return True if anything was written, sent or made in an office; signing in does not count."""
    return any(change.table.startswith(_CONTENT) for change in store.diff())


def with_access(verdict: Verdict, shut: Mapping[str, str], has_written: bool) -> Verdict:
    """Return the verdict with missing deliveries attributed to access, if access was what stopped the work.

    That is the case if nothing was written, and a service that the work needs refused every attempt to use it: ``shut``
    has the last refusal (401 or 403) of each; see `access`.
    """
    if has_written or not shut:
        return verdict
    why = "; ".join(f"{service} let nobody in, last with {last}" for service, last in shut.items())
    findings = tuple(
        one if one.passed else msgspec.structs.replace(one, failure=Failure.ACCESS, evidence=f"{one.evidence}; {why}")
        for one in verdict.findings
    )
    return msgspec.structs.replace(verdict, findings=findings)
