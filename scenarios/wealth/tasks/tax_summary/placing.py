"""Places the facts for a tax summary: wage statements, two tables, and notes."""

from __future__ import annotations

from teller_gym.office.documents.amounts import MoneyStyle, money_text
from teller_gym.office.documents.dates import date_text
from teller_gym.office.documents.pdf_document import Block, KeyValues, PageBreak, Paragraph, PdfDocument, Title
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.tax_summary.facts import Facts, Sales, WageStatement

_INTEREST = ("Payer", "Kind", "Earned In", "Date Credited", "Amount")
_DIVIDENDS = ("Fund", "Kind", "Date Paid", "Amount", "Qualified Part")


def place(plan: Plan, case: Case) -> None:
    """Place four documents in the client's folder."""
    facts: Facts = case.facts
    plan.document(case.client, "employment_income.pdf", _statements(facts, case.client.name, case.rules))
    interest = tuple(
        (one.payer, one.kind, one.earned, date_text(one.credited), money_text(one.amount)) for one in facts.interest
    )
    plan.table(case.client, "interest.csv", TextTable(_INTEREST, interest), ("Amount",))
    dividends = tuple(
        (
            one.fund,
            one.kind,
            date_text(one.paid),
            money_text(one.amount),
            "" if one.qualified is None else money_text(one.qualified),
        )
        for one in facts.dividends
    )
    plan.table(case.client, "dividends.csv", TextTable(_DIVIDENDS, dividends), ("Amount", "Qualified Part"))
    plan.text(case.client, "tax_notes.txt", _notes(facts, case.client.name))


def _statements(facts: Facts, client: str, rules: Rules) -> PdfDocument:
    blocks: list[Block] = []
    for one in facts.wages:
        blocks += [PageBreak()] if blocks else []
        blocks += _statement(one, client, rules)
    return PdfDocument(tuple(blocks), title="Annual Wage Statements")


def _statement(one: WageStatement, client: str, rules: Rules) -> list[Block]:
    pairs = (
        ("Statement", rules["corrected"] if one.is_corrected else "Original"),
        ("Employer", one.employer),
        ("Employer ID", one.employer_id),
        ("Employee", client),
        ("Tax Year", str(one.year)),
        ("Gross Pay", _grouped(one.gross)),
        ("Pre-Tax Retirement Contributions", _grouped(one.pre_tax)),
        ("Roth Retirement Contributions", _grouped(one.roth)),
        ("Federal Tax Withheld", _grouped(one.withheld)),
    )
    return [
        Title("Annual Wage Statement"),
        KeyValues(pairs),
        Paragraph("Gross Pay is before contributions and before tax. Amounts are in US dollars."),
    ]


def _notes(facts: Facts, client: str) -> list[str]:
    paragraphs = (
        [_sales(one) for one in facts.sales],
        [f"Capital loss carried forward from {facts.year - 1}: {_grouped(facts.carried)}"],
        [
            f"Rollover: {_grouped(facts.rollover)} went straight from the plan of {facts.plan} to an IRA "
            f"on {date_text(facts.rolled)}."
        ],
        [f"Gift: {_grouped(facts.gift)} in cash from {facts.giver} in {facts.year}."],
    )
    lines = [f"Tax notes for {client}", f"Tax year: {facts.year}"]
    for number in facts.order:
        lines += ["", *paragraphs[number]]
    return lines


def _sales(one: Sales) -> str:
    what = "loss" if one.result < 0 else "gain"
    return f"Securities sold in {one.year}, {one.term}: {what} of {_grouped(abs(one.result))}"


def _grouped(cents: int) -> str:
    return money_text(cents, MoneyStyle.GROUPED)
