"""Realism rules (Appendix B of the TELLER paper, and what a banker would smile at), enforced on every instance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.procedure.task import Task
from teller_gym.scenarios.credit_cards.policy import CardPolicy


def complaints(task: Task, policy: CardPolicy) -> Iterator[str]:
    """Yield a complaint for each way in which a task's case is not realistic."""
    case = task.tables["requests"][task.case_id]
    if date.fromisoformat(case["received_date"]) > task.today:
        yield "received after the business date"
