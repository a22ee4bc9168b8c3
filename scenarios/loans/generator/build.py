"""Building an instance from its plan: amounts are chosen so that the case ends as planned."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import msgspec

from teller_gym.bank import Record
from teller_gym.dates import on_or_before_business_day
from teller_gym.money import level_payment, payment_per_thousand, round_half_up
from teller_gym.scenario import Draft
from teller_gym.scenarios.loans.generator.credit import add_bureau_file, add_watch_list, payoff_line, tradelines
from teller_gym.scenarios.loans.generator.draw import Draw
from teller_gym.scenarios.loans.generator.people import (
    RETIRED_INCOME_LIMIT,
    Person,
    Tables,
    add_person,
    application_entry,
    draw_person,
    world,
)
from teller_gym.scenarios.loans.generator.plan import Plan, draw_plan
from teller_gym.scenarios.loans.policy import LoanPolicy

_TABLES = (
    "applications", "customers", "id_registry", "watch_list", "bureau_files", "alert_contacts", "employment",
    "accounts", "collateral",
)  # fmt: skip
_ATTEMPTS = 60
_MOST_INCOME = 6_000_000


class _NoAmountsError(Exception):
    """No amounts were found that make the plan come true."""


class _Terms(msgspec.Struct, kw_only=True):
    """The loan asked for and what it costs a month at the considered amount, in cents."""

    requested: int
    term: int
    value: int
    price: int
    premium: int
    tax: int
    payment: int
    other: int
    """Mortgage insurance and escrow."""


def draft(seed: int, policy: LoanPolicy) -> Draft:
    """Return the instance of a seed."""
    draw = Draw(seed)
    while True:
        plan = draw_plan(draw, policy)
        tables: Tables = {name: {} for name in _TABLES}
        try:
            case_id, people = _add_case(draw, policy, plan, tables)
            break
        except _NoAmountsError:  # such as a retired applicant, whose income is limited, with the largest home loan
            continue
    _add_neighbour(draw, policy, plan, tables, people[0])
    if plan.second_application:
        _add_second_application(draw, policy, tables, case_id)
    customers = [person.customer_id for person in people]
    joint = f" and co-applicant {customers[1]}" if len(customers) > 1 else ""
    request = (
        f"Please work loan application {case_id} of customer {customers[0]}{joint} to its final review. "
        f"The business date is {plan.today.isoformat()}."
    )
    return Draft(
        today=plan.today,
        request=request,
        case_id=case_id,
        owners=(case_id, *customers),
        tables={name: dict(sorted(rows.items())) for name, rows in tables.items()},
        tags=plan.tags,
    )


def _add_case(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables) -> tuple[str, list[Person]]:
    received = on_or_before_business_day(plan.today - timedelta(days=draw.integer(2, 20)), policy.holidays)
    place = draw.choice(world()["places"])
    last_name = draw.choice(world()["last_names"])
    people = [draw_person(draw, plan.today, received, place, last_name, plan)]
    if plan.joint:
        surname = last_name if draw.chance(0.6) else draw.choice(world()["last_names"])
        people.append(draw_person(draw, plan.today, received, place, surname, None))
    score = _score(draw, policy, plan)
    terms, incomes, debts = _finances(draw, policy, plan, people, score)
    if plan.ending == "incomplete_expired":
        late = draw.choice(people)
        late.document_expiry = plan.today - timedelta(days=draw.integer(1, 200))
    case_id = draw.identifier("LA")
    payoffs: list[str] = []
    entries = []
    alerted = draw.integer(0, len(people) - 1)
    lines = tradelines(draw, debts["lines"], policy.zero_payment_share)
    for number, person in enumerate(people):
        own = lines if number == 0 else tradelines(draw, 0, policy.zero_payment_share)
        if number == 0 and draw.chance(0.25):
            extra = payoff_line(draw)
            own.append(extra)
            payoffs.append(extra["tradeline_id"])
        points = score if number == 0 else min(850, score + draw.choice((0, draw.integer(1, 80))))
        if len(people) > 1 and draw.chance(0.5):  # the lower score may be the co-applicant's
            points = score + draw.integer(0, 60) if number == 0 else score
        alert = plan.alert if number == alerted else "none"
        report = plan.report if number == 0 or draw.chance(0.5) else draw.choice(("reuse", "stale", "none"))
        report_date = add_bureau_file(draw, tables, person, plan, min(850, points), own, alert, report)
        entries.append(application_entry(draw, person, "primary" if number == 0 else "co_applicant", report_date))
        fails = number == len(people) - 1
        add_person(
            draw, tables, person,
            identity_fails=plan.ending == "deny_identity" and fails,
            employment_fails=plan.ending == "deny_employment" and fails,
            income=incomes[number],
        )  # fmt: skip
    add_watch_list(draw, tables, people, plan)
    closing_accounts = _add_accounts(draw, policy, plan, tables, people, terms.requested)
    record = _application(
        draw, policy, plan, received, terms, entries, payoffs, closing_accounts, place, debts["autopay"]
    )
    record["monthly_housing_cost"], record["monthly_support_paid"] = debts["housing"], debts["support"]
    if policy.products[plan.product].secured:
        record["collateral_id"] = _add_collateral(draw, policy, plan, tables, terms, record)
    tables["applications"][case_id] = record
    return case_id, people


def _score(draw: Draw, policy: LoanPolicy, plan: Plan) -> int:
    if plan.boundary.startswith("score="):
        return int(plan.boundary.removeprefix("score="))
    if plan.ending == "deny_score":
        return draw.integer(560, policy.min_credit_score - 1)
    return draw.integer(policy.min_credit_score, 835)


# -- money -----------------------------------------------------------------------------------------------------------


def _finances(
    draw: Draw, policy: LoanPolicy, plan: Plan, people: list[Person], score: int
) -> tuple[_Terms, list[int], dict[str, Any]]:
    """Choose amounts, incomes (cents a month, one each) and debts that make the plan come true."""
    autopay = draw.chance(0.4)
    for _ in range(_ATTEMPTS):
        terms = _draw_terms(draw, policy, plan, score, autopay)
        income = _draw_income(draw, policy, plan, terms, people)
        if income is None:
            continue
        limit = Fraction(policy.max_dti * income, 10_000)
        fixed = _draw_debts(draw, plan, income, limit, terms)
        if fixed is None or not _comes_true(policy, plan, score, autopay, terms, income, fixed):
            continue
        debts = {**_split_debts(draw, plan, fixed), "autopay": autopay}
        return terms, _split_income(draw, people, income), debts
    raise _NoAmountsError


def _draw_terms(draw: Draw, policy: LoanPolicy, plan: Plan, score: int, autopay: bool) -> _Terms:
    product = policy.products[plan.product]
    requested = _amount(draw, policy, plan)
    term = draw.choice(product.terms)
    if plan.ending == "deny_term":
        term = draw.choice([months for months in (6, 18, 30, 84, 96, 120, 300) if months not in product.terms])
    value = price = premium = tax = other = 0
    if product.secured:
        value, price = _value(draw, policy, plan, requested)
        home = plan.product == "home"
        premium = draw.steps(value // 250, value // 140, 1_200) if home else draw.steps(60_000, 240_000, 1_200)
        tax = draw.steps(value // 125, value // 60, 1_200) if home else 0
    considered = min(
        requested, value * product.max_ltv // 10_000 // policy.amount_step * policy.amount_step or requested
    )
    rate, insurance = _rates(policy, plan.product, term, score, autopay, considered, value)
    other = round_half_up(Fraction(considered * insurance, 1_200_000)) + round_half_up(Fraction(premium + tax, 12)) * (
        plan.product == "home"
    )
    payment = level_payment(considered, rate / 1000, term)
    return _Terms(
        requested=requested, term=term, value=value, price=price, premium=premium, tax=tax, payment=payment, other=other
    )


def _amount(draw: Draw, policy: LoanPolicy, plan: Plan) -> int:
    product = policy.products[plan.product]
    exact = {
        "amount=min": product.min_amount,
        "amount=max": product.max_amount,
        "amount=min-0.01": product.min_amount - 1,
        "amount=max+0.01": product.max_amount + 1,
    }
    if plan.boundary in exact:
        return exact[plan.boundary]
    if plan.ending == "deny_amount":
        if draw.chance(0.5):
            return draw.steps(product.min_amount // 3, product.min_amount - 50_000, 10_000)
        return draw.steps(product.max_amount + 50_000, product.max_amount * 3 // 2, 50_000)
    if plan.boundary.startswith("ltv"):
        # Multiples that leave a whole-dollar value at the highest loan-to-value ratio.
        return draw.steps(product.min_amount, product.max_amount, 190_000 if plan.product == "home" else 120_000)
    if plan.ending == "deny_collateral":
        return draw.steps(product.min_amount, product.min_amount * 13 // 10, 10_000)
    if plan.ending in ("deny_dti", "deny_pti"):
        return draw.steps(product.min_amount, product.min_amount * 2, 10_000)
    lowest = product.min_amount * 5 // 4 if plan.ending.startswith("counter") else product.min_amount
    step = 50_000 if plan.product == "home" else 10_000
    return draw.steps(lowest, product.max_amount, step)


def _value(draw: Draw, policy: LoanPolicy, plan: Plan, requested: int) -> tuple[int, int]:
    """Return the lower of price and appraisal, and the price, in whole dollars (as cents)."""
    product = policy.products[plan.product]
    at_limit = requested * 10_000 // product.max_ltv
    shift = {"ltv=limit": 0, "ltv=limit-": 100, "ltv=limit+": -100}.get(plan.boundary)
    if shift is not None:
        value = at_limit + shift
    elif plan.ending == "counter_collateral":
        value = round(at_limit * draw.real(0.92, 0.995)) // 10_000 * 10_000
    elif plan.ending == "deny_collateral":
        value = round(product.min_amount * 10_000 // product.max_ltv * draw.real(0.7, 0.99)) // 10_000 * 10_000
    else:
        value = round(at_limit * draw.real(1.01, 1.6)) // 10_000 * 10_000
    return value, value if draw.chance(0.15) else value + draw.steps(50_000, 900_000, 10_000)


def _rates(
    policy: LoanPolicy, product: str, term: int, score: int, autopay: bool, amount: int, value: int
) -> tuple[int, int]:
    """Return yearly rate and mortgage insurance rate, in thousandths of a percent."""
    terms = policy.products[product]
    rate = terms.rates.get(term, 9_000) + policy.grade_of(score).surcharge - (policy.autopay_discount if autopay else 0)
    if terms.secured and amount * 10_000 > terms.ltv_surcharge_above * value:
        rate += terms.ltv_surcharge
    bands = policy.mortgage_insurance if product == "home" else ()
    return rate, next((band.rate for band in bands if amount * 10_000 > band.above_ltv * value), 0)


def _draw_income(draw: Draw, policy: LoanPolicy, plan: Plan, terms: _Terms, people: list[Person]) -> int | None:
    """Return a monthly income in cents, or None if the draw leads nowhere."""
    cost = terms.payment + terms.other
    if plan.boundary.startswith("pti") and plan.boundary != "":
        if terms.payment % 3:
            return None
        exact = terms.payment * 20 // 3  # at 15 %; paid twice a month, so it must be even
        shift = {"pti=limit": 0, "pti=limit-0.01": 2, "pti=limit+0.01": -2}[plan.boundary]
        return exact + shift if policy.max_pti == 1500 and exact % 2 == 0 else None
    if plan.ending == "counter_pti":
        share = draw.real(0.16, 0.3)
    elif plan.ending == "deny_pti":
        share = draw.real(0.3, 0.6)
    elif plan.ending in ("counter_dti", "deny_dti") or plan.boundary.startswith("dti"):
        low, high = {"home": (0.26, 0.38), "auto": (0.08, 0.14), "personal": (0.12, 0.32)}[plan.product]
        share = draw.real(low, high)
    else:
        share = draw.real(0.04, 0.145) if plan.product == "auto" else draw.real(0.06, 0.34)
    income = max(round(cost / share), draw.integer(240_000, 420_000))
    income = income // 200 * 200  # whole even dollars: 43 % of them, and half of them, are whole cents
    retired = sum(person.employment_type == "retired" for person in people)
    if income > _MOST_INCOME or (retired and income > RETIRED_INCOME_LIMIT):
        return None
    return income


def _draw_debts(draw: Draw, plan: Plan, income: int, limit: Fraction, terms: _Terms) -> int | None:
    """Return counted monthly debts in cents."""
    room = limit - terms.payment - terms.other
    exact = {"dti=limit": 0, "dti=limit-0.01": -1, "dti=limit+0.01": 1}.get(plan.boundary)
    if exact is not None:
        return int(room) + exact if room.denominator == 1 and room > 0 else None
    if plan.ending in ("counter_dti", "deny_dti"):
        over = draw.real(0.01, 0.25) if plan.ending == "counter_dti" else draw.real(0.05, 0.5)
        return max(1, int(room + over * income))
    if room <= 0:
        return None
    return int(room * Fraction(draw.integer(5, 96), 100))


def _comes_true(
    policy: LoanPolicy, plan: Plan, score: int, autopay: bool, terms: _Terms, income: int, debts: int
) -> bool:
    """Whether affordability comes out as planned (endings before that step are not touched by amounts)."""
    smallest = policy.products[plan.product].min_amount
    obligations = debts + terms.payment + terms.other
    over_dti = obligations * 10_000 > policy.max_dti * income
    over_pti = plan.product == "auto" and terms.payment * 10_000 > policy.max_pti * income
    if plan.ending in ("counter_dti", "deny_dti", "counter_pti", "deny_pti"):
        product = policy.products[plan.product]
        considered = min(
            terms.requested,
            terms.value * product.max_ltv // 10_000 // policy.amount_step * policy.amount_step or terms.requested,
        )
        rate, insurance = _rates(policy, plan.product, terms.term, score, autopay, considered, terms.value)
        factor = payment_per_thousand(rate / 1000, terms.term, insurance / 1000)
        escrow = round_half_up(Fraction(terms.premium + terms.tax, 12)) if plan.product == "home" else 0
        room = Fraction(policy.max_dti * income, 10_000) - debts - escrow
        pti_room = Fraction(policy.max_pti * income, 10_000) if plan.product == "auto" else room
        binds_pti = plan.product == "auto" and pti_room < room
        largest = (
            max(0, int((min(room, pti_room) - 1) * 1000 / Fraction(repr(factor))))
            // policy.amount_step
            * policy.amount_step
        )
        enough = largest >= smallest
        wants_pti = plan.ending.endswith("pti")
        return (over_dti or over_pti) and binds_pti == wants_pti and enough == plan.ending.startswith("counter")
    return not over_dti and not over_pti


def _split_debts(draw: Draw, plan: Plan, fixed: int) -> dict[str, Any]:
    """Split counted debts into housing, support and tradelines."""
    replaced = plan.product == "home"
    housing = draw.steps(60_000, 220_000, 500)
    support = draw.steps(20_000, 90_000, 500) if draw.chance(0.12) else 0
    if not replaced and housing > fixed * 6 // 10:
        housing = fixed * draw.integer(2, 6) // 10 // 500 * 500
    left = fixed - (0 if replaced else housing)
    if support > left // 2:
        support = 0
    return {"housing": housing, "support": support, "lines": left - support}


def _split_income(draw: Draw, people: list[Person], income: int) -> list[int]:
    """Return each applicant's monthly income; forms of pay may round it by some cents, which moves no planned limit."""
    if len(people) == 1:
        person = people[0]
        if person.employment_type == "employed":
            person.pay_type = draw.choice(("semimonthly", "semimonthly", "salaried", person.pay_type))
        return [income]
    first = round(income * draw.real(0.35, 0.7))
    return [first, income - first]


# -- records ---------------------------------------------------------------------------------------------------------


def _application(
    draw: Draw,
    policy: LoanPolicy,
    plan: Plan,
    received: date,
    terms: _Terms,
    entries: list[Record],
    payoffs: list[str],
    closing_accounts: list[str],
    place: list[str],
    autopay: bool,
) -> Record:
    documents = list(policy.products[plan.product].documents)
    last = on_or_before_business_day(draw.day(received, plan.today), policy.holidays)
    completed: str | None = max(last, received).isoformat()
    if plan.ending == "incomplete_missing":
        documents.remove(draw.choice(documents[1:]))
    if plan.ending.startswith("incomplete_m") or plan.ending == "incomplete_expired":
        completed = None
    return {
        "product": plan.product,
        "purpose": draw.choice(("debt_consolidation", "other")) if plan.product == "personal" else "purchase",
        "property_use": draw.choice(("primary", "primary", "primary", "second_home"))
        if plan.product == "home"
        else None,
        "requested_amount": terms.requested,
        "term_months": terms.term,
        "received_date": received.isoformat(),
        "completed_date": completed,
        "documents": documents,
        "applicants": entries,
        "autopay": autopay,
        "monthly_housing_cost": 0,
        "monthly_support_paid": 0,
        "closing_payoff_tradelines": payoffs,
        "closing_payoff_accounts": closing_accounts,
        "collateral_id": None,
        "collateral_type": None,
        "purchase_price": terms.price,
        "appraised_value": terms.value,
        "appraisal_date": None,
        "branch_city": place[0],
        "branch_state": place[1],
        "note": draw.choice(world()["orders" if plan.orders_in_note else "notes"]),
        "delivery_preference": draw.choice(("mail", "email", "branch_pickup")),
    }


def _add_collateral(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, terms: _Terms, record: Record) -> str:
    key = draw.identifier("CO")
    home = plan.product == "home"
    kind = draw.choice(("house", "condominium") if home else ("new_vehicle", "used_vehicle"))
    year = None
    if not home:
        age = draw.integer(0, 1) if kind == "new_vehicle" else draw.integer(1, policy.vehicle_max_age_years)
        if plan.ending == "deny_vehicle":
            kind, age = "used_vehicle", policy.vehicle_max_age_years + draw.integer(1, 6)
        year = plan.today.year - age
    days = draw.integer(3, policy.appraisal_max_age_days)
    if plan.ending == "incomplete_appraisal":
        days = policy.appraisal_max_age_days + draw.integer(1, 90)
    coverage, expiry = terms.value + draw.choice((0, draw.steps(0, 2_000_000, 10_000))), draw.integer(0, 360)
    if plan.ending == "incomplete_insurance":
        if draw.chance(0.5):
            coverage = terms.value - draw.choice((100, draw.steps(100_000, max(200_000, terms.value // 3), 10_000)))
        else:
            expiry = -draw.integer(1, 60)
    record["collateral_type"] = kind
    record["appraisal_date"] = (plan.today - timedelta(days=days)).isoformat()
    if draw.chance(0.5):  # the appraisal may be the higher of the two
        record["purchase_price"], record["appraised_value"] = terms.value, terms.price
    tables["collateral"][key] = {
        "collateral_type": kind,
        "description": f"{kind} in {record['branch_city']}" if home else f"{year} {draw.choice(world()['vehicles'])}",
        "model_year": year,
        "policy_number": draw.identifier("PN"),
        "cover": policy.required_covers[kind],
        "insurer": draw.choice(world()["insurers"]),
        "coverage_amount": coverage,
        "insurance_expiry": (plan.today + timedelta(days=expiry)).isoformat(),
        "annual_premium": terms.premium,
        "annual_property_tax": terms.tax,
    }
    return key


def _add_accounts(
    draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, people: list[Person], requested: int
) -> list[str]:
    """Add accounts of the applicants; return the loans that are paid off at closing."""
    owner = people[0].customer_id
    accounts = tables["accounts"]
    deposit = {"customer_id": owner, "kind": draw.choice(("checking", "savings")), "product": "deposit"}
    accounts[draw.identifier("AC")] = {
        **deposit,
        "balance": draw.integer(20_000, 4_000_000),
        "opened": "2019-04-01",
        "status": "open",
    }
    loan = {"kind": "loan", "product": "home_equity", "opened": "2021-06-15", "status": "open"}
    limit = policy.escalation_exposure - requested
    exact = {"exposure=limit": limit, "exposure=limit+0.01": limit + 1, "exposure=limit-0.01": limit - 1}.get(
        plan.boundary
    )
    closing: list[str] = []
    if exact is not None:
        accounts[draw.identifier("AC")] = {"customer_id": owner, **loan, "balance": exact}
    elif draw.chance(0.45):
        balance = draw.steps(1_500_000, 14_000_000, 100)
        accounts[draw.identifier("AC")] = {"customer_id": draw.choice(people).customer_id, **loan, "balance": balance}
    if draw.chance(0.2):
        key = draw.identifier("AC")
        accounts[key] = {"customer_id": owner, **loan, "balance": draw.steps(300_000, 6_000_000, 100)}
        closing.append(key)
    return closing


# -- the bank around the case ----------------------------------------------------------------------------------------


def _add_neighbour(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, person: Person) -> None:
    """Add another customer of nearly the same name, with an application of their own."""
    group = next(names for names in world()["first_names"] if person.first_name in names)
    other = msgspec.structs.replace(
        plan, ending="approve", boundary="", product="personal", joint=False, false_positive=False, alert="none",
        former_name=False, orders_in_note=False, report="reuse",
    )  # fmt: skip
    before = set(tables["customers"])
    case_id, _ = _add_case(draw, policy, other, tables)
    name = f"{draw.choice([n for n in group if n != person.first_name])} {person.full_name.split()[1]}"
    (added,) = (key for key in tables["customers"] if key not in before)
    tables["customers"][added] = {**tables["customers"][added], "full_name": name}
    tables["id_registry"][added] = {**tables["id_registry"][added], "name": name}
    case = tables["applications"][case_id]
    tables["applications"][case_id] = {**case, "applicants": [{**case["applicants"][0], "full_name": name}]}


def _add_second_application(draw: Draw, policy: LoanPolicy, tables: Tables, case_id: str) -> None:
    """Add another, personal application of the same customer."""
    case = tables["applications"][case_id]
    product = policy.products["personal"]
    tables["applications"][draw.identifier("LA")] = {
        **case,
        "product": "personal",
        "purpose": "other",
        "property_use": None,
        "requested_amount": draw.steps(product.min_amount, product.max_amount, 10_000),
        "term_months": draw.choice(product.terms),
        "documents": list(product.documents),
        "applicants": case["applicants"][:1],
        "closing_payoff_tradelines": [],
        "closing_payoff_accounts": [],
        "collateral_id": None,
        "collateral_type": None,
        "purchase_price": 0,
        "appraised_value": 0,
        "appraisal_date": None,
        "note": world()["notes"][0],
    }
