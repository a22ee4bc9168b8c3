"""Checks a comparison of a trust's deed with the CRM."""

from __future__ import annotations

from decimal import Decimal

from teller_gym.office.documents.amounts import money_text
from teller_gym.scenarios.wealth.contract import Failure, Finding, Look, failed, judged
from teller_gym.scenarios.wealth.delivered import Delivered, Row, cell, normal
from teller_gym.scenarios.wealth.tasks.trusts.solving import Answer

CHECKPOINTS = ("delivered", "deed_shares", "differences", "total")


def check(look: Look) -> list[Finding]:
    """Compare the delivered shares with the answer.

    All checkpoints fail if the compared records were changed.
    """
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    changed = _changed(look)
    if changed:
        evidence = f"records of the CRM that were only to be read were changed: {', '.join(changed)}"
        return [failed(name, Failure.LOGIC, evidence) for name in CHECKPOINTS]
    names = [*look.case.answer.shares, rules["total"]]
    return [table.has_rows("Beneficiary", names), *_shares(look, table), _total(look, table)]


def _changed(look: Look) -> list[str]:
    """Return the names of changed beneficiary and client records."""
    found = []
    for change in look.store.diff():
        name = (change.after or change.before or {}).get("name") or change.key
        is_contact = change.table == "crm.Contact" and change.before is not None
        if is_contact or change.table == f"crm.{look.case.rules['entity']}":
            found.append(str(name))
    return found


def _shares(look: Look, table: Delivered) -> list[Finding]:
    """Check the columns Deed, CRM and Difference.

    Additional people must have zero shares.
    """
    answer: Answer = look.case.answer
    rows = table.keyed("Beneficiary")
    known = {(normal(name),) for name in (*answer.shares, look.case.rules["total"])}
    others = [row for key, row in rows.items() if key not in known]
    deed, crm = [], []
    for name, (in_deed, in_crm) in answer.shares.items():
        row = rows.get((normal(name),))
        if not _has(table, row, "Deed", in_deed):
            deed.append(f"{name}: expected {money_text(in_deed)}, got {cell(row, 'deed')}")
        if not (_has(table, row, "CRM", in_crm) and _has(table, row, "Difference", in_crm - in_deed)):
            expected = f"{money_text(in_crm)} and {money_text(in_crm - in_deed)}"
            crm.append(f"{name}: expected {expected}, got {cell(row, 'crm')} and {cell(row, 'difference')}")
    for row in others:
        if not _has(table, row, "Deed", 0):
            deed.append(f"{cell(row, 'beneficiary')} has no share in the deed")
        if not (_has(table, row, "CRM", 0) and _has(table, row, "Difference", 0)):
            crm.append(f"{cell(row, 'beneficiary')} has neither a share in the CRM nor a difference")
    return [
        judged("deed_shares", not deed, "the shares in the deed are right", "; ".join(deed)),
        judged("differences", not crm, "the shares in the CRM and the differences are right", "; ".join(crm)),
    ]


def _total(look: Look, table: Delivered) -> Finding:
    answer: Answer = look.case.answer
    row = table.keyed("Beneficiary").get((normal(look.case.rules["total"]),))
    sums = {"Deed": answer.deed, "CRM": answer.crm, "Difference": answer.apart}
    wrong = [
        f"{column}: expected {money_text(value)}, got {cell(row, column.lower())}"
        for column, value in sums.items()
        if not _has(table, row, column, value)
    ]
    return judged("total", not wrong, "the sums are right", "; ".join(wrong))


def _has(table: Delivered, row: Row | None, column: str, value: int) -> bool:
    """Return True if a cell is a share of ``value`` basis points."""
    return table.number(row, column, Decimal(value) / 100)
