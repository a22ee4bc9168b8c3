"""Bureau files, tradelines, loans with the bank."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.loans.generator.people import Person, Tables, world
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

_LARGEST_PAYMENT = 240_000
"""Cents a month of one tradeline; more debt stands on several."""

REPORT_AGES = {"report=limit-1": -1, "report=limit": 0, "report=limit+1": 1}
"""Days by which the report on file is older than it may be."""

_SHORT = (-7, -5, -2, -1, 0, 0)
"""Payments left of a debt that is too near to its end to count, less the policy's limit."""


def tradelines(draw: Draw, counted: int, policy: LoanPolicy) -> list[Record]:
    """Return tradelines whose counted payments add up to ``counted`` cents, and some that do not count.

    Lines that do not count are short installment loans and authorized-user cards.
    """
    lines: list[Record] = []
    share_of_zero_payment, short = policy.zero_payment_share, policy.short_debt_payments
    left = counted
    if left > 20_000 and draw.chance(0.3):
        balance = draw.steps(20_000, min(200_000, left * 10), 2_000)
        payment = balance * share_of_zero_payment // 10_000
        if balance * share_of_zero_payment % 10_000 == 0 and payment < left:
            lines.append(_line(draw, "revolving", "owner", balance, 0, None))
            left -= payment
    if left > 30_000 and draw.chance(0.6):
        payment = draw.steps(5_000, left // 2, 500)
        lines.append(_line(draw, "revolving", "owner", payment * draw.integer(20, 45), payment, None))
        left -= payment
    while left > _LARGEST_PAYMENT:
        payment = draw.steps(90_000, _LARGEST_PAYMENT * 3 // 4, 500)
        months = draw.integer(14, 58)
        lines.append(_line(draw, "installment", "owner", payment * months, payment, months))
        left -= payment
    if left > 0:
        kind = draw.choice(("installment", "lease", "installment"))
        # A lease counts to its last payment; only installment loans are near enough to their end.
        months = draw.integer(short + 1, 58) if kind == "installment" else draw.integer(4, 40)
        lines.append(_line(draw, kind, draw.choice(("owner", "owner", "joint")), left * months, left, months))
    if draw.chance(0.4):
        payment = draw.steps(4_000, 45_000, 100)
        months = max(1, short + draw.choice(_SHORT))
        lines.append(_line(draw, "installment", "owner", payment * months, payment, months))
    if draw.chance(0.25):
        payment = draw.steps(2_500, 20_000, 100)
        lines.append(_line(draw, "revolving", "authorized_user", payment * 30, payment, None))
    return lines


def payoff_line(draw: Draw, most: int) -> Record:
    """Return a long-running tradeline that is going to be paid off at closing, with a balance of ``most`` at most."""
    months = draw.integer(14, 50)
    highest = most // months
    payment = draw.steps(3_000, min(60_000, highest), 100) if highest >= 3_000 else highest
    return _line(draw, draw.choice(("installment", "revolving")), "owner", payment * months, payment, months)


def shared_line(draw: Draw, payment: int) -> Record:
    """Return a debt of both applicants, which stands on the reports of both."""
    months = draw.integer(12, 58)
    return _line(draw, "installment", "joint", payment * months, payment, months)


def _line(draw: Draw, kind: str, role: str, balance: int, payment: int, payments_left: int | None) -> Record:
    return {
        "tradeline_id": draw.identifier("TL"),
        "creditor": draw.choice(world()["creditors"][kind]),
        "kind": kind,
        "role": role,
        "balance": balance,
        "monthly_payment": payment,
        "payments_left": payments_left if kind != "revolving" else None,
    }


def add_bureau_file(
    draw: Draw, tables: Tables, policy: LoanPolicy, person: Person, plan: Plan, score: int, lines: list[Record],
    alert: str, report: str,
) -> date | None:  # fmt: skip
    """Add the bureau's file; the report that counts has the given score and lines. Return the date of that on file."""
    today = plan.today
    phone = draw.digits(4)
    revolving = any(line["kind"] == "revolving" and line["role"] != "authorized_user" for line in lines)
    factors = [factor for factor in world()["factors"] if revolving or factor != "high_revolving_balances"]
    truth = {
        "score": score,
        "main_factor": draw.choice(factors),
        "alert_type": alert,
        "alert_phone_last4": phone if alert != "none" else None,
        "tradelines": lines,
    }
    other = {
        **truth,
        "score": min(850, max(520, score + draw.choice((-1, 1)) * draw.integer(6, 45))),
        "main_factor": draw.choice(factors),
        "tradelines": [{**line, "monthly_payment": line["monthly_payment"] * 9 // 10} for line in lines],
    }
    oldest, beyond = policy.report_max_age_days, REPORT_AGES.get(plan.boundary)
    if report == "none":
        report_date = None
    elif report == "reuse":
        days = oldest + beyond if beyond is not None else draw.integer(2, oldest - 2)
        report_date = today - timedelta(days=days)
    else:
        age = oldest + beyond if beyond is not None else draw.integer(oldest + 2, 110)
        report_date = today - timedelta(days=age)
        other["tradelines"] = [_months_ago(line, age // 30) for line in lines]
    on_file = truth if report == "reuse" else other
    current = other if report == "reuse" else truth
    tables["bureau_files"][person.customer_id] = {
        "on_file": {"report_date": report_date.isoformat(), **on_file} if report_date else None,
        "current": {"report_date": today.isoformat(), **current},
    }
    if alert != "none":
        tables["alert_contacts"][person.customer_id] = {
            "phone_last4": phone,
            "method": policy.contact_methods[alert],
            "confirms": not plan.has("deny_alert"),
        }
    return report_date


def _months_ago(line: Record, months: int) -> Record:
    """Return a tradeline as an older report showed it."""
    if line["payments_left"] is None:
        return {**line, "monthly_payment": line["monthly_payment"] * 9 // 10}
    left = line["payments_left"] + months
    return {**line, "payments_left": left, "balance": left * line["monthly_payment"]}


def add_watch_list(draw: Draw, tables: Tables, people: list[Person], plan: Plan) -> None:
    """Add list entries: strangers, and one of an applicant's verified name if the plan asks for it."""
    names = world()
    taken = {person.registry_name for person in people}
    for _ in range(2):
        name = f"{draw.choice(draw.choice(names['first_names']))} {draw.choice(names['last_names'])}"
        if name not in taken:
            _add_entry(
                draw,
                tables,
                name,
                draw.day(date(1950, 1, 1), date(2000, 12, 31)),
                draw.choice(names["countries"]),
                "global",
            )
    person = draw.choice(people)
    home = "us" if person.country == "US" else "global"
    if plan.ending.startswith("refer"):
        on_list = plan.ending.removeprefix("refer_")
        _add_entry(draw, tables, person.registry_name.upper(), person.born, person.country, home, on_list)
        if draw.chance(0.25):
            # Another bearer of the name, who is not the applicant.
            born = person.born + timedelta(days=draw.integer(1, 4000))
            _add_entry(draw, tables, person.registry_name, born, person.country, home, on_list)
    elif home == "us" and not plan.false_positive and draw.chance(0.1):
        # On a list that citizens are not screened against: the wrong scope finds it.
        _add_entry(draw, tables, person.registry_name, person.born, "MX", "global")
    elif plan.false_positive:
        kind = draw.weighted((("born", 5), ("both", 3), ("country", 1)))
        born = person.born + timedelta(days=draw.integer(1, 4000)) if kind != "country" else person.born
        others = [country for country in names["countries"] if country != person.country]
        country = draw.choice(others) if kind != "born" else person.country
        _add_entry(draw, tables, person.registry_name, born, country, home)


def _add_entry(
    draw: Draw, tables: Tables, name: str, born: date, country: str, region: str, on_list: str | None = None
) -> None:
    tables["watch_list"][draw.identifier("WL")] = {
        "name": name,
        "date_of_birth": born.isoformat(),
        "country": country,
        "list": on_list or draw.choice(("sanctions", "pep", "enforcement")),
        "region": region,
    }
