"""Places the facts about a trust: its deed with amendments and a memorandum, and CRM records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from teller_gym.office.crm.descriptions import Description, Field
from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.dates import MONTHS
from teller_gym.office.documents.pdf_document import (
    Block,
    Heading,
    KeyValues,
    PageBreak,
    Paragraph,
    PdfDocument,
    PdfTable,
    Title,
)
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.trusts.facts import ACTIVE, Amendment, Child, Death, Entry, Facts, Record

_CLAUSES = (
    "1. The trustee holds the trust property for the persons in the Schedule, each with the share that stands beside "
    "the name.",
    "2. The grantor may give new shares by a deed of amendment. It takes effect on its Effective Date and leaves the "
    "shares of those whom it does not name as they are.",
    "3. The share of a beneficiary who has died goes to that beneficiary's children in equal parts. Adopted children "
    "are children; stepchildren are not.",
)
_COUNTS = {2: "two", 3: "three", 4: "four"}


def place(plan: Plan, case: Case) -> None:
    """Place the deed, and the CRM entity and records of the beneficiaries."""
    facts: Facts = case.facts
    plan.document(case.client, "trust_deed.pdf", PdfDocument(_deed(facts, case), title=f"Deed of the {facts.trust}"))
    plan.entities[case.rules["entity"]] = Description(
        fields={
            "name": Field(type="varchar", required=True),
            "trust": Field(type="varchar", max_length=150),
            "relationship": Field(type="varchar", max_length=60),
            "share": Field(type="float", min=0, max=100),
            "status": Field(type="enum", options=(ACTIVE, case.rules["revoked"]), default=ACTIVE),
            "contact": Field(type="link", entity="Contact", foreign="beneficiaries"),
        }
    )
    for number, record in enumerate(facts.records, 1):
        plan.record(case.rules["entity"], f"beneficiary {number}", _values(record))


def _values(record: Record) -> dict[str, object]:
    return {
        "name": record.name,
        "trust": record.trust,
        "relationship": record.relation,
        "share": record.share / 100,  # the CRM stores a number, which is exact to two decimals
        "status": record.status,
        "contactId": record.owner,
        "createdAt": f"{record.created:%Y-%m-%d %H:%M:%S}",
        "modifiedAt": f"{record.modified:%Y-%m-%d %H:%M:%S}",
    }


def _deed(facts: Facts, case: Case) -> tuple[Block, ...]:
    """Return the blocks of the deed, with each deed on a new page."""
    blocks: list[Block] = [
        Title("Deed of Trust"),
        KeyValues(
            (
                ("Trust", facts.trust),
                ("Grantor", case.client.name),
                ("Trustee", facts.trustee),
                ("Signed", _day(facts.signed)),
            )
        ),
        *map(Paragraph, _CLAUSES),
        Heading("Schedule of Beneficiaries"),
        _table(facts.schedule, "Share %"),
    ]
    for number, amendment in enumerate(facts.amendments, 1):
        blocks += _amendment(facts, amendment, number)
    return (*blocks, *_memorandum(facts))


def _amendment(facts: Facts, amendment: Amendment, number: int) -> list[Block]:
    details = (
        ("Trust", facts.trust),
        ("Signed", _day(amendment.signed)),
        ("Effective Date", _day(amendment.effective)),
    )
    text = "From the Effective Date the persons below have these shares in place of those that they had."
    table = _table(amendment.entries, "New Share %")
    return [PageBreak(), Title(f"Deed of Amendment No. {number}"), KeyValues(details), Paragraph(text), table]


def _memorandum(facts: Facts) -> list[Block]:
    details = (("Trust", facts.trust), ("Trustee", facts.trustee))
    return [PageBreak(), Title("Trustee's Memorandum"), KeyValues(details), Paragraph(_death(facts.death))]


def _death(death: Death) -> str:
    *most, last = map(_child, death.children)
    count = _COUNTS[len(death.children)]
    return (
        f"{death.name} died on {_day(death.day)} and left {count} children, {', '.join(most)} and {last}, "
        f"and a stepchild, {death.stepchild}."
    )


def _child(child: Child) -> str:
    return f"{child.name} (adopted)" if child.is_adopted else child.name


def _table(entries: Sequence[Entry], share: str) -> PdfTable:
    rows = tuple(
        (f"{one.name} (formerly {one.former})" if one.former else one.name, one.relation, money_text(one.share))
        for one in entries
    )
    return PdfTable(TextTable(("Beneficiary", "Relationship", share), rows), (share,))


def _day(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"
