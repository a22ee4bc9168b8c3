"""Tools of an account desk outside the API graph, from ``auxiliary.yaml``."""

from __future__ import annotations

from datetime import date

from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools import types
from teller_gym.scenarios.accounts.tools.availability import parts_of
from teller_gym.scenarios.accounts.tools.deadlines import check_start, moved
from teller_gym.scenarios.accounts.tools.lookup import account, parties_of, party, service_request
from teller_gym.scenarios.banking.tools.auxiliary import auxiliary_subject


def deadlines(
    policy: AccountPolicy, start: date, direction: str, length: int, unit: str, roll: str, repeats: int
) -> list[date]:
    """Return a deadline and the ``repeats`` that follow it at the same interval."""
    days = []
    for _ in range(repeats + 1):
        check_start(start, "start_date")
        start = moved(policy, start, direction, length, unit, roll)
        days.append(start)
    return days


SUBJECT = auxiliary_subject(__package__, types, account, check_start, parties_of, parts_of, party, service_request)
"""The auxiliary tools, in the order in which agents see them."""
