"""Places the statements for an asset aggregation: two PDFs, and two custodian tables."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from teller_gym.office.documents.amounts import MoneyStyle, money_text
from teller_gym.office.documents.dates import DateStyle, date_text
from teller_gym.office.documents.pdf_document import PdfDocument, PdfTable, statement
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.asset_aggregation.facts import BrokerageAccount, Facts, Statement

_BROKERAGE = (
    "Account Number",
    "Account Type",
    "Custodian",
    "Statement Date",
    "Security Name",
    "Quantity",
    "Price",
    "Cash Balance",
)
_OWN = ("Account Number", "Product", "Status", "Currency", "Balance")
_LINKED = ("Account Number", "Product", "Held At", "Reported Balance")
_PENSION = ("Account Number", "Plan", "Own Contributions", "Employer Contributions", "Vested %")

_WRITINGS: tuple[Callable[[str], str], ...] = (
    lambda bare: bare,
    lambda bare: f"{bare[:2]}-{bare[2:6]}-{bare[6:]}",
    lambda bare: f"{bare[:2]} {bare[2:]}",
    lambda bare: f"{bare[:4]}-{bare[4:]}",
)


def place(plan: Plan, case: Case) -> None:
    """Place four statements in the client's folder."""
    facts: Facts = case.facts
    plan.document(case.client, "bank_statement.pdf", _bank_statement(facts, case.client.name))
    for name, one in zip(("brokerage.csv", "brokerage_2.csv"), facts.statements, strict=True):
        plan.table(case.client, name, _brokerage(facts, one), ("Cash Balance",))
    plan.document(case.client, "pension_statement.pdf", _pension_statement(facts, case.client.name))


def written(number: str, writing: int) -> str:
    """Format an account number in one of the `WRITINGS` formats."""
    return _WRITINGS[writing](number)


def _bank_statement(facts: Facts, client: str) -> PdfDocument:
    writing = facts.writings[0]
    own = tuple(
        (written(one.number, writing), one.product, one.status, one.currency, _grouped(one.balance))
        for one in facts.accounts
    )
    linked = tuple(
        (written(one.number, writing), one.product, one.institution, _grouped(one.balance)) for one in facts.linked
    )
    return statement(
        "Statement of Accounts",
        (
            ("Bank", facts.bank),
            ("Client", client),
            ("Statement date", date_text(facts.day, DateStyle.LONG)),
            ("Average rate", f"1 EUR = {_places(facts.average, 4)} USD (this month)"),
            ("Closing rate", f"1 EUR = {_places(facts.closing, 4)} USD (statement date)"),
        ),
        (
            ("Accounts with us", PdfTable(TextTable(_OWN, own), ("Balance",))),
            ("Linked accounts held elsewhere", PdfTable(TextTable(_LINKED, linked), ("Reported Balance",))),
        ),
        (
            "For an account that was closed, the balance is the last one before it was closed.",
            "Balances of linked accounts are in US dollars, as they were last reported to us, and may be out of date.",
        ),
    )


def _pension_statement(facts: Facts, client: str) -> PdfDocument:
    rows = tuple(
        (written(one.number, facts.writings[2]), one.plan, _grouped(one.own), _grouped(one.employer), f"{one.vested}%")
        for one in facts.pensions
    )
    whole = sum(one.own + one.employer for one in facts.pensions)
    return statement(
        "Retirement Plan Statement",
        (("Provider", facts.provider), ("Participant", client), ("As of", date_text(facts.day, DateStyle.LONG))),
        (("Your accounts", PdfTable(TextTable(_PENSION, rows), _PENSION[2:])),),
        (
            f"All contributions with what they have earned: ${_grouped(whole)}.",
            "Employer contributions that are not vested are lost if the participant leaves the employer.",
        ),
    )


def _brokerage(facts: Facts, one: Statement) -> TextTable:
    return TextTable(_BROKERAGE, tuple(row for account in one.accounts for row in _rows(facts, one, account)))


def _rows(facts: Facts, one: Statement, account: BrokerageAccount) -> list[tuple[str, ...]]:
    head = (written(account.number, facts.writings[1]), account.kind, facts.custodian, date_text(one.day))
    positions = [
        (*head, position.security, _quantity(position.quantity), _places(position.price, 4), "")
        for position in account.positions
    ]
    return [*positions, (*head, "Cash", "", "", money_text(account.cash))]


def _quantity(thousandths: int) -> str:
    return str(thousandths // 1_000) if thousandths % 1_000 == 0 else _places(thousandths, 3)


def _places(units: int, places: int) -> str:
    return str(Decimal(units).scaleb(-places))


def _grouped(cents: int) -> str:
    return money_text(cents, MoneyStyle.GROUPED)
