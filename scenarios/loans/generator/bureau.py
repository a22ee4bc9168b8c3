"""Bureau files: the report that the policy uses, and another one with different findings."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.scenarios.loans.generator.tradelines import months_ago
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

LOWEST, HIGHEST = 540, 842
"""Range of the scores that the generator draws."""
BAD_STANDING = 680
"""Lowest score of people without late payments."""
LONG_HISTORY, LOW_BALANCES = 750, 790
"""Scores from which a short history, or high card balances, would be implausible."""
MANY_LINES = 4
"""Number of debts from which a credit history no longer counts as short."""
HIGH_BALANCE = 400_000
"""Total balance, in cents, of a person's own cards from which balances count as high."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The report on one applicant that the policy uses."""

    score: int
    lines: list[Record]
    alert: str
    confirms: bool
    kept: list[str]
    """Tradelines that appear on every report because the application names them."""


def draw_scores(draw: Draw, policy: LoanPolicy, plan: Plan, people: int) -> list[int]:
    """Draw a score for each applicant, the lowest as planned; either applicant may have it."""
    limit = policy.min_credit_score
    if plan.has("deny_score"):
        lowest = limit - 1 if draw.chance(0.06) else draw.integer(LOWEST + 20, limit - 2)
        if draw.chance(0.4):
            lowest = draw.integer(limit - 30, limit - 2)
    else:
        bands = [grade.min_score for grade in policy.grades]
        lowest = draw.choice(bands) if draw.chance(0.08) else draw.integer(limit, 815)
        if draw.chance(0.07):
            lowest = limit
    if people == 1:
        return [lowest]
    higher = min(HIGHEST, max(lowest, limit) + draw.integer(4, 95))
    return [lowest, higher] if draw.chance(0.32) else [higher, lowest]


def report_age(draw: Draw, policy: LoanPolicy) -> int | None:
    """Draw the age in days of the report on file, often near the highest allowed age; None if there is no report."""
    oldest = policy.report_max_age_days
    kind = draw.weighted((("none", 3), ("recent", 4), ("old", 4), ("limit", 1), ("about", 1)))
    if kind == "none":
        return None
    if kind == "limit":
        return oldest
    if kind == "about":
        return oldest + draw.choice((-1, 1))
    return draw.integer(2, oldest - 2) if kind == "recent" else draw.integer(oldest + 2, 110)


def add_bureau_file(
    draw: Draw,
    tables: Tables,
    policy: LoanPolicy,
    plan: Plan,
    person: Person,
    report: Report,
    age: int | None,
    named: list[str],
) -> date | None:
    """Add a person's bureau file; return the date of the report on file.

    ``named`` lists the main factors of the reports so far, which are reused only if no other factor fits.
    """
    reused = age is not None and age <= policy.report_max_age_days
    phone = draw.digits(4)
    truth = _report(draw, report.score, report.lines, report.alert, phone, named)
    named.append(truth["main_factor"])
    moved = draw.choice((-1, 1)) * draw.integer(9, 60)
    score = min(HIGHEST, max(LOWEST, report.score + moved))
    if reused:  # the bureau's current report, which must not be ordered here, shows different debts
        lines = [line for line in report.lines if line["tradeline_id"] in report.kept or draw.chance(0.85)]
    else:
        lines = [months_ago(line, max(1, (age or 0) // 30)) for line in report.lines]
    other_alert = report.alert if draw.chance(0.5) else "none"
    other = _report(draw, score, lines, other_alert, phone, named)
    made = plan.today - timedelta(days=age) if age is not None else None
    on_file, current = (truth, other) if reused else (other, truth)
    tables["bureau_files"][person.customer_id] = {
        "on_file": {"report_date": made.isoformat(), **on_file} if made else None,
        "current": {"report_date": plan.today.isoformat(), **current},
    }
    if report.alert != "none":
        tables["alert_contacts"][person.customer_id] = {
            "phone_last4": phone,
            "method": policy.contact_methods[report.alert],
            "confirms": report.confirms,
        }
    return made


def _report(draw: Draw, score: int, lines: list[Record], alert: str, phone: str, named: list[str]) -> Record:
    factors = fitting_factors(score, lines)
    return {
        "score": score,
        "main_factor": draw.choice([name for name in factors if name not in named] or factors),
        "alert_type": alert,
        "alert_phone_last4": phone if alert != "none" else None,
        "consumer_statement": draw.choice(words_of(__package__)["statements"]) if draw.chance(0.2) else None,
        "tradelines": lines,
    }


def fitting_factors(score: int, lines: list[Record]) -> list[str]:
    """Return the main factors that are plausible for a score and its tradelines."""
    own = [line for line in lines if line["role"] != "authorized_user"]
    cards = sum(line["balance"] for line in own if line["kind"] == "revolving")
    fits = {
        "delinquent_past_obligations": score < BAD_STANDING,
        "insufficient_credit_history": len(own) < MANY_LINES and score < LONG_HISTORY,
        "high_revolving_balances": cards >= HIGH_BALANCE and score < LOW_BALANCES,
        "too_many_recent_inquiries": True,
    }
    return [name for name, holds in fits.items() if holds]
