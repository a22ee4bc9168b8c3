"""Net worth experts that each make one wrong judgement.

Codes such as NW2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from decimal import Decimal

from teller_gym.office.documents.amounts import parse_money
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.wealth.tasks.net_worth.expert import Expert
from teller_gym.scenarios.wealth.worker import Row


@lapse("NW2")
class JointAssetsWhole(Expert):
    """Counts joint assets in full."""

    def share(self, row: Row) -> Decimal:
        return Decimal(100)


@lapse("NW3")
class EveryValuation(Expert):
    """Adds up all rows of an asset."""

    def latest(self, rows: list[Row]) -> list[Row]:
        return rows


@lapse("NW3")
class FirstValuation(Expert):
    """Uses an asset's oldest valuation."""

    def latest(self, rows: list[Row]) -> list[Row]:
        return list({row["asset"]: row for row in sorted(rows, key=lambda row: row["as_of"], reverse=True)}.values())


@lapse("NW4")
class TrustAssetsCounted(Expert):
    """Counts assets held in trust."""

    def is_in_trust(self, row: Row) -> bool:
        return False


@lapse("NW5")
class CreditLimits(Expert):
    """Uses the credit limit, if any, instead of the balance."""

    def owed(self, row: Row) -> int:
        return parse_money(row["credit_limit"]) if row["credit_limit"] else super().owed(row)


@lapse("NW5")
class SettledCounted(Expert):
    """Counts settled liabilities."""

    def is_open(self, row: Row) -> bool:
        return True


@lapse("NW6")
class NoPrivateLoan(Expert):
    """Ignores the client's CRM stream."""

    def private_loan(self, notes: list[Seen]) -> int:
        return 0


@lapse("NW6")
class FirstPost(Expert):
    """Uses the first post about the loan."""

    def chosen(self, found: list[re.Match[str]]) -> re.Match[str] | None:
        return found[-1] if found else None
