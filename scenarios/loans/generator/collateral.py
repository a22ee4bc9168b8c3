"""Generated collateral and its insurance."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.scenarios.loans.generator.terms import Loan
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record


def add_collateral(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, loan: Loan, case: Record) -> None:
    """Add the collateral of a case, and enter it in the application."""
    key = draw.identifier("CO")
    kind, year = draw.choice(("house", "condominium")), None
    if plan.vehicle_age is not None:
        kind = "new_vehicle" if plan.vehicle_age == 0 else "used_vehicle"
        year = plan.today.year - plan.vehicle_age
    oldest = policy.appraisal_max_age_days
    days = draw.weighted(((draw.integer(3, oldest), 18), (oldest, 1)))
    if plan.has("incomplete_appraisal"):
        days = oldest + draw.choice((draw.integer(1, 20), draw.integer(5, 120)))
    case["collateral_id"], case["collateral_type"] = key, kind
    case["appraisal_date"] = (plan.today - timedelta(days=days)).isoformat()
    words = words_of(__package__)
    described = f"{kind} in {case['branch_city']}" if year is None else f"{year} {draw.choice(words['vehicles'])}"
    tables["collateral"][key] = {
        "collateral_type": kind,
        "description": described,
        "valuation_title": draw.choice(words["valuations"]),
        "model_year": year,
        "policy_number": draw.identifier("PN"),
        "insurer": draw.choice(words["insurers"]),
        **_insurance(draw, policy, plan, loan, kind),
        "annual_premium": loan.premium,
        "annual_property_tax": loan.tax,
    }


def _insurance(draw: Draw, policy: LoanPolicy, plan: Plan, loan: Loan, kind: str) -> Record:
    """Draw an insurance, adequate unless the plan says otherwise, and sometimes only just adequate."""
    cover = policy.required_covers[kind]
    # The sum insured may be between price and appraisal, since the lower of the two counts.
    high = max(loan.price, loan.appraised)
    coverage = draw.choice((loan.value, draw.steps(loan.value, high, 5_000), high + draw.steps(0, 2_000_000, 10_000)))
    days = 0 if draw.chance(0.08) else draw.integer(1, 360)
    if plan.has("incomplete_insurance"):
        lack = draw.choice(("sum", "date", "cover"))
        if lack == "sum":
            coverage = loan.value - draw.steps(loan.value // 60, loan.value // 4, 50_000)
        elif lack == "date":
            days = -draw.integer(1, 60)
        else:
            cover = draw.choice([code for code in sorted(set(policy.required_covers.values())) if code != cover])
    return {
        "cover": cover,
        "coverage_amount": coverage,
        "insurance_expiry": (plan.today + timedelta(days=days)).isoformat(),
    }
