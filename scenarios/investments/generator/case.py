"""The case under construction, shared by the makers of all types of request."""

from __future__ import annotations

from datetime import date

import msgspec

from teller_gym.base.dates import add_business_days
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.scenarios.investments.generator.accounts import add_account, link
from teller_gym.scenarios.investments.generator.plan import Plan
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.tools.bank import Record

_FIRST_NAMES = {"partner": ("Robin", "Casey", "Jamie", "Alex"), "child": ("Sam", "Charlie", "Taylor", "Riley")}


class Making(msgspec.Struct, kw_only=True):
    """A case under construction."""

    draw: Draw
    policy: InvestmentPolicy
    plan: Plan
    tables: Tables
    owners: list[Person]
    """All owners of the account, including those who do not sign."""
    signers: list[Person]
    account_id: str = ""
    linked: dict[str, str] = {}
    """Linked accounts created so far, by purpose."""
    relatives: dict[str, str] = {}
    """Names of relatives who own linked accounts but are not customers."""

    @property
    def account(self) -> Record:
        """Record of the request's own account."""
        return self.tables["brokerage_accounts"][self.account_id]

    def record(self, key: str) -> Record:
        """Return the record of an account."""
        return self.tables["brokerage_accounts"][key]

    def days_ahead(self, *counts: int) -> list[date]:
        """Return a date for each count of business days after the business date."""
        return [add_business_days(self.plan.today, count, self.policy.holidays) for count in counts]

    def add_linked(self, relation: str, account_type: str, *, status: str = "open", purpose: str = "") -> str:
        """Add an account linked to the request's account; return its id."""
        family = self.owners[0].full_name.split()[1]
        who = "child" if relation == "custodian" else "partner"
        if who not in self.relatives:
            self.relatives[who] = f"{self.draw.choice(_FIRST_NAMES[who])} {family}"
        other = self.relatives[who]
        owners: list[Person] = self.owners[:1] if relation in ("self", "joint") else []
        names: tuple[str, ...] = () if owners else (other,)
        if relation == "joint":
            names = (self.owners[0].full_name, other)
        if relation == "spouse" and len(self.owners) > 1:
            owners, names = self.owners[1:2], ()
        key = add_account(self.draw, self.plan, self.tables, owners, account_type, status=status, names=names)
        self.linked[purpose or f"{relation}_{account_type}_{status}"] = key
        return key

    def link_all(self) -> None:
        """Enter the linked accounts in the account's file, sorted by id."""
        relations = {key: purpose.split("_")[0] for purpose, key in self.linked.items()}
        for key in sorted([self.account_id, *relations]):
            link(self.account, key, relations.get(key, "self"))


def blank_request() -> Record:
    """Return empty values for the fields that only some types of request use."""
    return {
        "symbol": None, "quantity": 0, "amount": 0, "lot_method": None, "named_lots": [], "payment_method": None,
    }  # fmt: skip
