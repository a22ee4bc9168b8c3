"""Coverage reviews: several accounts of one depositor, in several ownership categories."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.savings.generator.records import Desk, months_on, owner_row, term_fields
from teller_gym.scenarios.savings.generator.terms import TERM_PRODUCTS, Made
from teller_gym.tools.bank import Record


def add_coverage(desk: Desk) -> Made:
    """Draw a review of how much of a depositor's money is insured, with its accounts."""
    draw = desk.draw
    depositor, spouse = desk.requester(), desk.person()
    over = draw.choice(("single", "joint", "retirement", "trust")) if desk.plan.ends("cov_over") else ""
    makers = {"single": _single, "joint": _joint, "retirement": _retirement, "trust": _trust}
    kinds = [over] if over else []
    kinds += [kind for kind in makers if kind != over and draw.chance(0.8 if kind == "trust" else 0.6)]
    accounts: list[str] = []
    for kind in kinds:
        accounts += makers[kind](desk, depositor, spouse, kind == over)
    if draw.chance(0.6):
        accounts.append(_account(desk, "corporation", [owner_row(depositor, "owner")], _amount(desk, 0.4, 1.2)))
    if draw.chance(0.4):
        child = desk.person(depositor.born + timedelta(days=draw.integer(9_000, 11_000)))
        if child.born > desk.plan.today - timedelta(days=2_000) or depositor.born > desk.plan.today - timedelta(
            days=13_500
        ):
            raise NoCaseError
        rows = [owner_row(depositor, "custodian"), owner_row(child, "beneficiary")]
        accounts.append(_account(desk, "custodial", rows, _amount(desk, 0.02, 0.1)))
    if not 2 <= len(accounts) <= 8:
        raise NoCaseError
    accounts.sort()
    return desk.request([depositor], payout_method="internal_transfer"), accounts, [depositor]


def _amount(desk: Desk, low: float, high: float) -> int:
    """Draw a balance to the cent, between two shares of the insured amount."""
    limit = desk.policy.insured_amount
    return desk.draw.integer(round(limit * low), round(limit * high))


def _account(desk: Desk, ownership: str, owners: list[Record], balance: int) -> str:
    """Add an account, either a time deposit or a saver, and return its ID."""
    draw, today = desk.draw, desk.plan.today
    fields: dict[str, Any]
    if ownership in ("corporation", "custodial") or draw.chance(0.35):
        quarter = today.replace(day=1, month=today.month - (today.month - 1) % 3)
        opened = months_on(today, -draw.integer(12, 80), today.day)
        product = "young_saver" if ownership == "custodial" else "bonus_saver"
        fields = {"product": product, "opened": opened.isoformat(), "interest_paid_to": quarter.isoformat()}
        fields |= (
            {"custodial_state": "KY", "bonus_plan": None} if ownership == "custodial" else {"bonus_plan": "classic"}
        )
    else:
        months = draw.choice((12, 24, 36, 60))
        fields = term_fields(draw, today + timedelta(days=draw.integer(10, months * 26)), months, today)
        fields["product"] = draw.choice(TERM_PRODUCTS)
    return desk.account(
        ownership=ownership,
        owners=owners,
        balance=balance,
        annual_rate=draw.steps(210, 480, 5) if "term_months" in fields else draw.steps(40, 120, 5),
        restrictions=desk.restrictions() if draw.chance(0.3) else [],
        **fields,
    )


def _single(desk: Desk, depositor: Person, spouse: Person, over: bool) -> list[str]:
    rows = [owner_row(depositor, "owner")]
    if desk.draw.chance(0.75):
        second = _account(desk, "sole_proprietor", rows, _amount(desk, 0.3, 0.6) if over else _amount(desk, 0.05, 0.3))
        return [_account(desk, "single", rows, _amount(desk, 0.72, 0.97) if over else _amount(desk, 0.2, 0.6)), second]
    return [_account(desk, "single", rows, _amount(desk, 1.02, 1.6) if over else _amount(desk, 0.2, 0.94))]


def _joint(desk: Desk, depositor: Person, spouse: Person, over: bool) -> list[str]:
    rows = [owner_row(depositor, "owner"), owner_row(spouse, "owner")]
    if desk.draw.chance(0.5):
        rows.reverse()
    first = _account(desk, "joint", rows, _amount(desk, 1.3, 1.7) if over else _amount(desk, 0.7, 1.4))
    if not over and desk.draw.chance(0.5):
        return [first]
    third = [*rows, owner_row(desk.person(), "owner")]
    return [first, _account(desk, "joint", third, _amount(desk, 1.1, 1.5) if over else _amount(desk, 0.1, 0.6))]


def _retirement(desk: Desk, depositor: Person, spouse: Person, over: bool) -> list[str]:
    near = desk.draw.chance(0.6)
    balance = (
        _amount(desk, 0.997, 1.0) if over and near else _amount(desk, 1.01, 1.4) if over else _amount(desk, 0.3, 0.95)
    )
    return [_account(desk, "retirement", [owner_row(depositor, "owner")], balance)]


def _trust(desk: Desk, depositor: Person, spouse: Person, over: bool) -> list[str]:
    """Add trust accounts with shared beneficiaries, one of whom may have died.

    The accounts may name more beneficiaries than the policy's maximum.
    """
    draw, most = desk.draw, desk.policy.most_beneficiaries
    many = draw.chance(0.5)
    living = [spouse, *(desk.person() for _ in range(most + draw.integer(0, 1) if many else draw.integer(0, 2)))]
    died = (desk.plan.today - timedelta(days=draw.integer(20, 900))).isoformat()
    dead = [owner_row(desk.person(), "beneficiary", died)] if draw.chance(0.65) else []
    heirs = [owner_row(person, "beneficiary") for person in living]
    limit = min(len(living), most)
    total = limit + draw.real(0.1, 0.6) if over else limit * draw.real(0.55, 0.95)
    owner = [owner_row(depositor, "owner")]
    if draw.chance(0.7):
        part = draw.real(0.3, 0.7)
        shared = heirs[: max(1, len(heirs) - 1)]
        return [
            _account(desk, "trust", [*owner, *heirs, *dead], _amount(desk, total * part, total * part)),
            _account(desk, "trust", [*owner, *shared], _amount(desk, total * (1 - part), total * (1 - part) + 0.001)),
        ]
    return [_account(desk, "trust", [*owner, *heirs, *dead], _amount(desk, total, total + 0.001))]
