"""Emergency Fund: a check that a client's savings cover some months' expenses, reported to the adviser."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of
from teller_gym.scenarios.wealth.tasks.emergency_fund.checking import secrets

WORK = work_of(__name__, "Emergency Fund", 3, told_to=lambda case: case.client.adviser, secrets=secrets)
