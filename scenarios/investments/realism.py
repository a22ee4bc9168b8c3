"""Realism rules: what a banker would smile at, enforced on every instance."""

from __future__ import annotations

from collections.abc import Iterator

from teller_gym.procedure.task import Task
from teller_gym.scenarios.investments.policy import InvestmentPolicy


def complaints(task: Task, policy: InvestmentPolicy) -> Iterator[str]:
    """Yield a complaint for each way in which a task's case is not realistic."""
    yield from ()
