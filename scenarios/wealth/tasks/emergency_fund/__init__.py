"""Emergency Fund: whether a client can live on savings for a while, reported to the adviser."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of
from teller_gym.scenarios.wealth.tasks.emergency_fund.checking import secrets

WORK = work_of(__name__, "Emergency Fund", 3, told_to=lambda case: case.client.adviser, secrets=secrets)
