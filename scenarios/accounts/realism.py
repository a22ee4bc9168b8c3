"""What a request must keep to be realistic."""

from __future__ import annotations

from collections.abc import Iterator

from teller_gym.procedure.task import Task
from teller_gym.scenarios.accounts.policy import AccountPolicy


def complaints(task: Task, policy: AccountPolicy) -> Iterator[str]:
    """Yield a complaint for each way in which a task is not realistic."""
    yield from ()
