"""Generated accounts and their files: owners, authorities, restrictions and linked accounts."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.investments.generator.plan import Plan
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.tools.bank import Record

_ENDED = (1, 8, 14, 20, 27, 45, 90, 150)
"""Possible numbers of days since an authority ended."""

PROTECTED_AGE = 65
"""Age in years above which payouts may be held if the owner seems to be exploited."""


def add_account(
    draw: Draw, plan: Plan, tables: Tables, owners: list[Person], account_type: str, *, status: str = "open",
    names: tuple[str, ...] = (),
) -> str:  # fmt: skip
    """Add an account that contains only some cash; return its id.

    Args:
        draw: the case's draws.
        plan: plan of the case.
        tables: contains ``brokerage_accounts``.
        owners: owners who are customers.
        account_type: as the SOP calls it.
        status: ``open`` or ``closed``.
        names: names of all owners, if some are not customers, such as a child.
    """
    key = draw.identifier("AC")
    retired = plan.kind == "distribution" and account_type in ("traditional_ira", "sep_ira", "inherited_ira")
    tables["brokerage_accounts"][key] = {
        "owner_ids": [person.customer_id for person in owners],
        "title": " and ".join(names or [person.full_name for person in owners]),
        "account_type": account_type,
        "tax_id_last4": tax_id_last4(owners[0]) if owners else draw.digits(4),
        "standing_method": draw.weighted((("fifo", 2), ("lifo", 3), ("highest_cost", 3))),
        "status": status,
        "opened": draw.day(date(2010, 1, 4), date(2023, 12, 29)).isoformat(),
        "restrictions": [],
        "authorities": {},
        "linked": [],
        "questionnaires": [],
        "remark": draw.choice(words_of(__package__)["file_remarks"]) if draw.chance(0.5) else None,
        "cash_balance": draw.integer(40_000, 1_900_000) if status == "open" else 0,
        "margin_debit": 0,
        "accrued_interest": 0,
        "cash_items": [],
        "prior_year_end_value": 0,
        "rollover_in_transit": draw.steps(200_000, 2_500_000, 50_000) if retired and draw.chance(0.4) else 0,
        "distributions_this_year": draw.steps(20_000, 180_000, 5_000) if retired and draw.chance(0.7) else 0,
        "conversions_this_year": draw.steps(200_000, 1_500_000, 50_000) if retired and draw.chance(0.45) else 0,
        "owner_birth_date": owners[0].born.isoformat() if owners else None,
    }
    return key


def tax_id_last4(person: Person) -> str:
    """Return the last four digits of a person's tax number, derived from the customer id without a draw."""
    return Draw(int(person.customer_id.removeprefix("CU-"))).digits(4)


def link(account: Record, account_id: str, relation: str) -> None:
    """Add an account to the linked accounts of a file."""
    account["linked"].append({"account_id": account_id, "relation": relation})


def add_authorities(draw: Draw, policy: InvestmentPolicy, plan: Plan, account: Record, signers: list[Person]) -> None:
    """Add the signers' authorities; at least one is sufficient, or none if the plan says so.

    Raises:
        NoCaseError: no power of attorney covers this type of request.
    """
    owners = account["owner_ids"]
    outside = not any(person.customer_id in owners for person in signers)
    if plan.has("no_authority") or (plan.has("restricted") and outside and draw.chance(0.85)):
        _nobody(draw, policy, plan, account, signers)
        return
    for person in signers:
        if person.customer_id in owners:
            account["authorities"][person.customer_id] = _row("joint_owner" if len(owners) > 1 else "owner", None)
    others = [person for person in signers if person.customer_id not in owners]
    for place, person in enumerate(others):
        fitting = [name for name, kinds in policy.authority.items() if plan.kind in kinds and name.endswith("power")]
        if not fitting:
            raise NoCaseError
        until = (
            None if draw.chance(0.35) else plan.today + timedelta(days=0 if draw.chance(0.4) else draw.integer(1, 700))
        )
        if place or len(others) < len(signers):
            # An ended power is harmless if another signer may instruct.
            until = plan.today - timedelta(days=draw.choice(_ENDED)) if draw.chance(0.7) else until
        account["authorities"][person.customer_id] = _row(draw.choice(fitting), until)


def _nobody(draw: Draw, policy: InvestmentPolicy, plan: Plan, account: Record, signers: list[Person]) -> None:
    for person in signers:
        if person.customer_id in account["owner_ids"]:
            # A single joint owner, although every owner must sign.
            account["authorities"][person.customer_id] = _row("joint_owner", None)
            continue
        weak = [name for name, kinds in policy.authority.items() if plan.kind not in kinds and name.endswith("power")]
        if weak and draw.chance(0.5):
            account["authorities"][person.customer_id] = _row(draw.choice(weak), None)
        elif draw.chance(0.8):
            until = plan.today - timedelta(days=draw.choice(_ENDED))
            account["authorities"][person.customer_id] = _row("full_power", until)


def _row(authority: str, until: date | None) -> Record:
    return {"authority": authority, "until": None if until is None else until.isoformat()}


def add_restrictions(
    draw: Draw, policy: InvestmentPolicy, plan: Plan, account: Record, signers: list[Person], *, is_old: bool
) -> None:  # fmt: skip
    """Add ended or irrelevant restrictions, and one that stops the request if planned.

    Args:
        draw: the case's draws.
        policy: policy of the scenario.
        plan: plan of the case.
        account: the account to restrict.
        signers: the signers, who must be alive.
        is_old: True if payouts may be held to protect the owner.

    Raises:
        NoCaseError: only a death would stop the request, but all owners have signed.
    """
    rows: list[dict[str, Any]] = []
    possible = {kind: kinds for kind, kinds in policy.restrictions.items() if is_old or kind != "exploitation_hold"}
    stopping = [kind for kind, kinds in possible.items() if plan.kind in kinds]
    harmless = [kind for kind, kinds in possible.items() if plan.kind not in kinds]
    if plan.has("restricted"):
        signing = {person.customer_id for person in signers}
        if signing.issuperset(account["owner_ids"]):
            # Signers must be alive.
            stopping = [kind for kind in stopping if kind != "owner_deceased"]
        if not stopping:
            raise NoCaseError
        kind = draw.choice(stopping)
        until = (
            None if draw.chance(0.4) else plan.today + timedelta(days=0 if draw.chance(0.5) else draw.integer(1, 90))
        )
        rows.append(_restriction(kind, None if kind == "owner_deceased" else until))
    elif draw.chance(0.45):
        # A death does not end on a date, so it cannot be an ended restriction.
        kinds = [kind for kind in stopping if kind != "owner_deceased"] or ["legal_hold"]
        rows.append(_restriction(draw.choice(kinds), plan.today - timedelta(days=draw.choice((1, 1, 2, 9, 40, 120)))))
    if plan.kind == "purchase" and draw.chance(0.36):
        until = None if draw.chance(0.6) else plan.today + timedelta(days=draw.integer(0, 80))
        rows.append(_restriction("settled_cash_only", until))
    taken = [row["kind"] for row in rows]
    if draw.chance(0.45) and (left := [kind for kind in harmless if kind not in taken]):
        until = None if draw.chance(0.5) else plan.today + timedelta(days=draw.integer(0, 60))
        rows.append(_restriction(draw.choice(left), until))
    account["restrictions"] = sorted(rows, key=lambda row: str(row["kind"]))


def _restriction(kind: str, until: date | None) -> Record:
    return {"kind": kind, "until": None if until is None else until.isoformat()}


def cash_items(draw: Draw, policy: InvestmentPolicy, plan: Plan, days: list[date]) -> list[Record]:
    """Draw unsettled cash items, zero to two of each kind.

    Args:
        draw: the case's draws.
        policy: policy of the scenario.
        plan: plan of the case.
        days: settlement days; proceeds of one sale settle on one of the first two, of another on a later one.
    """
    rows = []
    soon, late = days[:2], days[2:]
    for kind, chance, low, high, settling in (
        ("sale_proceeds", 0.8, 60_000, 900_000, soon),
        ("sale_proceeds", 0.7, 60_000, 900_000, late),
        ("deposit", 0.7, 50_000, 600_000, days),
        ("dividend", 0.65, 1_500, 42_000, days),
        ("open_buy_order", 0.55, 50_000, 500_000, days),
        ("pending_withdrawal", 0.55, 20_000, 300_000, days),
    ):
        if draw.chance(chance):
            cents = (
                draw.steps(low, high, 5_000) if kind in ("deposit", "pending_withdrawal") else draw.integer(low, high)
            )
            rows.append({"kind": kind, "amount": cents, "settles_on": draw.choice(settling).isoformat()})
    return rows
