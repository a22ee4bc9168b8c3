"""Account openings: the applicants, their deposit, and reports of other banks about them."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.persons import People, birthday, not_yet, odd_street
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import request_record
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.tools.bank import Record


def add_opening(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Record:
    """Add the applicants of an opening and return the request."""
    people = People(draw, plan, tables)
    shape = draw.weighted((("single", 22), ("joint", 30), ("custodial", 48)))
    product = "custodial" if shape == "custodial" else draw.choice(("checking", "savings"))
    wrong = draw.integer(0, 1) if plan.ends("open_age") else -1
    if shape == "custodial":
        pairs = _guardian_and_child(draw, policy, plan, people, wrong)
    else:
        pairs = [(_owner(draw, policy, plan, people, plan.ends("open_age")), "owner")]
        if shape == "joint":
            pairs.append((_owner(draw, policy, plan, people, False), "joint_owner"))
    if draw.chance(0.5):
        pairs.reverse()
    if plan.ends("open_identity"):
        _contradict(draw, tables, draw.choice(pairs)[0])
    persons = [person for person, _ in pairs]
    people.add_lists(persons)
    _add_reports(draw, policy, plan, tables, persons)
    # Cases that end early contain later faults, too, so that a fault does not reveal the ending.
    sooner = plan.ends("open_identity", "open_match", "open_misuse")
    short = plan.ends("open_deposit") or (sooner and draw.chance(0.18))
    boxed = draw.choice(persons) if plan.ends("open_address") or (sooner and draw.chance(0.18)) else None
    rows = []
    for person, role in pairs:
        street = ""
        if person is boxed:
            street = odd_street(draw, "post_boxes")
        elif draw.chance(0.35):
            street = odd_street(draw, "military")
        rows.append(people.row(person, role, street))
    return {
        **request_record(draw, plan, None, rows, []),
        "product": product,
        "opening_deposit": _deposit(draw, policy.minimum_deposits[product], short),
    }


def _deposit(draw: Draw, least: int, short: bool) -> int:
    if short:
        return draw.steps(least // 4, least - 500, 500)
    return draw.weighted(
        ((least, 1), (draw.steps(least, 20 * least, 500), 6), (draw.steps(450_000, 900_000, 2_500), 1.5))
    )


def _owner(draw: Draw, policy: AccountPolicy, plan: Plan, people: People, wrong: bool) -> Person:
    if wrong:
        return people.adult(born=not_yet(draw, plan.today, policy.adult_age))
    if draw.chance(0.55):
        return people.adult(born=birthday(draw, plan.today, policy.adult_age))
    return people.adult()


def _guardian_and_child(
    draw: Draw, policy: AccountPolicy, plan: Plan, people: People, wrong: int
) -> list[tuple[Person, str]]:
    today = plan.today
    if wrong == 0:
        child = people.minor(birthday(draw, today, policy.adult_age))
    elif draw.chance(0.3):
        child = people.minor(not_yet(draw, today, policy.adult_age))
    else:
        child = people.minor(birthday(draw, today, draw.integer(1, policy.adult_age - 2)))
    if wrong == 1:
        guardian = people.adult(born=not_yet(draw, today, policy.custodian_age - draw.integer(0, 1)))
    elif draw.chance(0.5):
        guardian = people.adult(born=birthday(draw, today, policy.custodian_age))
    else:
        guardian = people.adult()
    return [(child, "minor"), (guardian, "custodian")]


def _contradict(draw: Draw, tables: Tables, person: Person) -> None:
    known = tables["id_registry"][person.customer_id]
    born = (person.born - timedelta(days=draw.integer(1, 900))).isoformat()
    last4 = f"{(int(person.document_last4) + draw.integer(1, 9998)) % 10_000:04d}"
    change = draw.choice(({"date_of_birth": born}, {"document_last4": last4}))
    tables["id_registry"][person.customer_id] = {**known, **change}


def _add_reports(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables, persons: list[Person]) -> None:
    """Add reports of other banks; next to one that counts there are some that do not."""
    bad = draw.choice(persons) if plan.ends("open_misuse") else None
    for person in persons:
        rows = []
        if draw.chance(0.55):  # settled by now
            rows.append(
                _report(
                    draw,
                    plan,
                    draw.choice(("account_abuse", "unpaid_overdraft", "suspected_fraud")),
                    draw.integer(4_000, 90_000),
                    300,
                    1_700,
                    True,
                )
            )
        if draw.chance(0.5):  # too small to count
            small = draw.weighted(((policy.misuse_minimum - 1, 1), (draw.integer(1_500, policy.misuse_minimum - 1), 4)))
            rows.append(
                _report(draw, plan, draw.choice(("account_abuse", "unpaid_overdraft")), small, 20, 1_500, False)
            )
        if draw.chance(0.3):  # too old
            limit = policy.misuse_lookback_days
            rows.append(
                _report(draw, plan, "unpaid_overdraft", draw.integer(12_000, 70_000), limit + 1, limit + 300, False)
            )
        if person is bad:
            fraud = draw.chance(0.65)
            kind = "suspected_fraud" if fraud else draw.choice(("account_abuse", "unpaid_overdraft"))
            least = 2_000 if fraud else policy.misuse_minimum
            most = policy.misuse_minimum - 1 if fraud else 12 * policy.misuse_minimum
            amount = policy.misuse_minimum if not fraud and draw.chance(0.3) else draw.integer(least, most)
            last = policy.misuse_lookback_days
            rows.append(
                _report(draw, plan, kind, amount, *draw.choice(((30, last), (last, last), (last - 200, last))), False)
            )
        if rows:
            rows.sort(key=lambda row: str(row["reported_on"]))
            tables["bureau_files"][person.customer_id] = {"reports": rows}


def _report(draw: Draw, plan: Plan, kind: str, amount: int, low: int, high: int, settled: bool) -> Record:
    age = draw.integer(low, high)
    paid = (plan.today - timedelta(days=draw.integer(1, age - 1))).isoformat() if settled else None
    return {
        "report_kind": kind,
        "amount": amount,
        "reported_on": (plan.today - timedelta(days=age)).isoformat(),
        "settled_on": paid,
    }
