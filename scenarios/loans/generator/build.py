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
from teller_gym.scenarios.loans.generator.credit import (
    add_bureau_file,
    add_watch_list,
    payoff_line,
    shared_line,
    tradelines,
)
from teller_gym.scenarios.loans.generator.draw import Draw
from teller_gym.scenarios.loans.generator.people import (
    RETIRED_INCOME_LIMIT,
    Person,
    Tables,
    add_person,
    application_entry,
    draw_person,
    of_age,
    world,
)
from teller_gym.scenarios.loans.generator.plan import OLD_VEHICLE_AMOUNT, OLD_VEHICLE_YEARS, Plan, draw_plan
from teller_gym.scenarios.loans.policy import LoanPolicy

_TABLES = (
    "applications", "customers", "id_registry", "watch_list", "bureau_files", "alert_contacts", "employment",
    "accounts", "collateral",
)  # fmt: skip
_ATTEMPTS = 60
_MOST_INCOME = 6_000_000
_LEAST_HOUSING = 50_000
"""Cents a month: what a shared flat costs."""
_LEAST_LINE = 2_500
_HOURLY_PAY = (1_000, 9_000)
"""Cents an hour; who earns less or more is paid in another form."""


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
    if plan.has("incomplete_expired"):
        late = draw.choice(people)
        late.document_expiry = plan.today - timedelta(days=draw.choice((1, draw.integer(1, 200))))
    case_id = draw.identifier("LA")
    payoffs: list[str] = []
    entries = []
    alerted, failing, lowest = (draw.integer(0, len(people) - 1) for _ in range(3))
    reports = _reports(draw, policy, len(people), debts["lines"])
    for number, person in enumerate(people):
        own = reports[number]
        if number == 0:
            for extra in _payoff_lines(draw, plan, terms.requested):
                own.append(extra)
                payoffs.append(extra["tradeline_id"])
        points = score if number == lowest else min(850, score + draw.choice((0, draw.integer(1, 80))))
        alert = plan.alert if number == alerted else "none"
        report = plan.report if number == 0 or draw.chance(0.5) else draw.choice(("reuse", "stale", "none"))
        report_date = add_bureau_file(draw, tables, policy, person, plan, points, own, alert, report)
        entries.append(application_entry(draw, person, "primary" if number == 0 else "co_applicant", report_date))
        add_person(
            draw, tables, person,
            identity_fails=plan.has("deny_identity") and number == failing,
            employment_fails=plan.has("deny_employment") and number == failing,
            income=incomes[number],
        )  # fmt: skip
    add_watch_list(draw, tables, people, plan)
    closing_accounts = _add_accounts(draw, policy, plan, tables, people, terms.requested, debts["housing"])
    record = _application(
        draw, policy, plan, received, terms, entries, payoffs, closing_accounts, place, debts["autopay"]
    )
    record["monthly_housing_cost"], record["monthly_support_paid"] = debts["housing"], debts["support"]
    if policy.products[plan.product].secured:
        record["collateral_id"] = _add_collateral(draw, policy, plan, tables, terms, record)
    tables["applications"][case_id] = record
    return case_id, people


def _reports(draw: Draw, policy: LoanPolicy, people: int, counted: int) -> list[list[Record]]:
    """Spread counted debts of ``counted`` cents a month over the applicants' reports; one may stand on both."""
    if people == 1:
        return [tradelines(draw, counted, policy.zero_payment_share)]
    both = None
    if counted > 60_000 and draw.chance(0.5):
        both = shared_line(draw, draw.steps(10_000, counted // 3, 500))
        counted -= both["monthly_payment"]
    second = draw.steps(_LEAST_LINE, max(_LEAST_LINE, counted // 2), 500) if counted > 2 * _LEAST_LINE else 0
    reports = [tradelines(draw, part, policy.zero_payment_share) for part in (counted - second, second)]
    return [[*lines, both] if both is not None else lines for lines in reports]


def _payoff_lines(draw: Draw, plan: Plan, requested: int) -> list[Record]:
    """Debts that the loan pays off: what a consolidation is for, seldom with other loans, never more than the loan."""
    if plan.purpose == "debt_consolidation":
        first = payoff_line(draw, requested * draw.integer(40, 85) // 100)
        left = requested * 9 // 10 - first["balance"]
        return [first, payoff_line(draw, left)] if left > 100_000 and draw.chance(0.4) else [first]
    return [payoff_line(draw, requested)] if plan.purpose == "purchase" and draw.chance(0.25) else []


def _score(draw: Draw, policy: LoanPolicy, plan: Plan) -> int:
    if plan.boundary.startswith("score="):
        return int(plan.boundary.removeprefix("score="))
    if plan.has("deny_score"):
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
    if plan.has("deny_term"):
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
    old = plan.vehicle_age is not None and plan.vehicle_age >= OLD_VEHICLE_YEARS
    if plan.ending == "deny_amount":
        if old or draw.chance(0.5):
            return draw.steps(product.min_amount // 3, product.min_amount - 50_000, 10_000)
        return draw.steps(product.max_amount + 50_000, product.max_amount * 3 // 2, 50_000)
    if plan.boundary.startswith("ltv"):
        # Multiples that leave a whole-dollar value at the highest loan-to-value ratio.
        return draw.steps(product.min_amount, product.max_amount, 190_000 if plan.product == "home" else 120_000)
    if plan.ending == "deny_collateral":
        return draw.steps(product.min_amount, product.min_amount * 13 // 10, 10_000)
    if plan.ending in ("deny_dti", "deny_pti"):
        return draw.steps(product.min_amount, OLD_VEHICLE_AMOUNT if old else product.min_amount * 2, 10_000)
    lowest = product.min_amount * 5 // 4 if plan.ending.startswith("counter") else product.min_amount
    step = 50_000 if plan.product == "home" else 10_000
    return draw.steps(lowest, OLD_VEHICLE_AMOUNT if old else product.max_amount, step)


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
    return value, value if draw.chance(0.15) else value + draw.steps(10_000, min(900_000, value // 8), 10_000)


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
    if plan.boundary.startswith("pti"):
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
    income = max(round(cost / share), draw.integer(280_000, 460_000))
    income = income // 200 * 200  # whole even dollars: 43 % of them, and half of them, are whole cents
    retired = sum(person.employment_type == "retired" for person in people)
    if income > _MOST_INCOME or (retired and income > RETIRED_INCOME_LIMIT):
        return None
    return income


def _draw_debts(draw: Draw, plan: Plan, income: int, limit: Fraction, terms: _Terms) -> int | None:
    """Return counted monthly debts in cents."""
    room = limit - terms.payment - terms.other
    least = 0 if plan.housing_replaced else _LEAST_HOUSING
    exact = {"dti=limit": 0, "dti=limit-0.01": -1, "dti=limit+0.01": 1}.get(plan.boundary)
    if exact is not None:
        return int(room) + exact if room.denominator == 1 and room > least else None
    if plan.ending in ("counter_dti", "deny_dti"):
        over = draw.real(0.01, 0.25) if plan.ending == "counter_dti" else draw.real(0.05, 0.5)
        return max(1, least, int(room + over * income))
    if room <= least:
        return None
    return least + int((room - least) * Fraction(draw.integer(5, 96), 100))


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
    housing = draw.steps(60_000, 220_000, 500)
    if plan.housing_replaced:
        left = fixed
    else:
        housing = min(housing, max(_LEAST_HOUSING, fixed * draw.integer(45, 90) // 100 // 500 * 500))
        left = fixed - housing
        if left < _LEAST_LINE:  # nobody pays a few dollars a month on a debt
            housing, left = fixed, 0
    support = draw.steps(20_000, 90_000, 500) if draw.chance(0.12) else 0
    if support > left // 2:
        support = 0
    return {"housing": housing, "support": support, "lines": left - support}


def _split_income(draw: Draw, people: list[Person], income: int) -> list[int]:
    """Return each applicant's monthly income; forms of pay may round it by some cents, which moves no planned limit."""
    if len(people) == 1:
        person = people[0]
        if person.employment_type == "employed":
            person.pay_type = draw.choice(("semimonthly", "semimonthly", "salaried", person.pay_type))
        parts = [income]
    else:
        first = round(income * draw.real(0.35, 0.7))
        parts = [first, income - first]
    for person, part in zip(people, parts, strict=True):
        low, high = (pay * 36 * 52 // 12 for pay in _HOURLY_PAY)
        if person.pay_type == "hourly" and not low * 40 // 32 <= part <= high * 32 // 40:
            person.pay_type = "biweekly" if part < high else "salaried"
    return parts


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
    if plan.has("incomplete_missing"):
        documents.remove(draw.choice(documents[1:]))
    unrecorded = plan.ending.startswith(("deny", "counter")) and draw.chance(0.12)
    if plan.has("incomplete_missing") or plan.has("incomplete_expired") or unrecorded:
        completed = None
    return {
        "product": plan.product,
        "purpose": plan.purpose,
        "property_use": plan.property_use,
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
    kind = draw.choice(("house", "condominium"))
    year = None
    if plan.vehicle_age is not None:
        new = plan.vehicle_age == 0 and plan.ending != "deny_collateral"
        kind, year = "new_vehicle" if new else "used_vehicle", plan.today.year - plan.vehicle_age
    days = draw.choice((draw.integer(3, policy.appraisal_max_age_days),) * 9 + (policy.appraisal_max_age_days,))
    if plan.has("incomplete_appraisal"):
        days = policy.appraisal_max_age_days + draw.choice((1, draw.integer(1, 90), draw.integer(1, 90)))
    coverage, expiry = terms.value + draw.choice((0, draw.steps(0, 2_000_000, 10_000))), draw.integer(0, 360)
    expiry = 0 if draw.chance(0.08) else expiry
    cover = policy.required_covers[kind]
    if plan.has("incomplete_insurance"):
        lack = draw.choice(("sum", "date", "cover"))
        if lack == "sum":
            coverage = terms.value - draw.choice((100, draw.steps(100_000, max(200_000, terms.value // 3), 10_000)))
        elif lack == "date":
            expiry = -draw.choice((1, draw.integer(1, 60)))
        else:
            cover = draw.choice([code for code in sorted(set(policy.required_covers.values())) if code != cover])
    record["collateral_type"] = kind
    record["appraisal_date"] = (plan.today - timedelta(days=days)).isoformat()
    if draw.chance(0.5):  # the appraisal may be the higher of the two
        record["purchase_price"], record["appraised_value"] = terms.value, terms.price
    tables["collateral"][key] = {
        "collateral_type": kind,
        "description": f"{kind} in {record['branch_city']}" if home else f"{year} {draw.choice(world()['vehicles'])}",
        "model_year": year,
        "policy_number": draw.identifier("PN"),
        "cover": cover,
        "insurer": draw.choice(world()["insurers"]),
        "coverage_amount": coverage,
        "insurance_expiry": (plan.today + timedelta(days=expiry)).isoformat(),
        "annual_premium": terms.premium,
        "annual_property_tax": terms.tax,
    }
    return key


def _add_accounts(
    draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, people: list[Person], requested: int, housing: int
) -> list[str]:
    """Add accounts of the applicants; return the loans that are paid off at closing."""
    owner = people[0]
    _add_account(draw, tables, owner, draw.choice(("checking", "savings")), "deposit", draw.integer(20_000, 4_000_000))
    limit = policy.escalation_exposure - requested
    exact = {"exposure=limit": limit, "exposure=limit+0.01": limit + 1, "exposure=limit-0.01": limit - 1}.get(
        plan.boundary
    )
    if exact is not None:
        _add_account(draw, tables, owner, "loan", "home_equity", exact)
    elif draw.chance(0.45):
        # What the housing cost pays for: at least two thirds of a percent of the balance a month.
        balance = min(draw.steps(1_500_000, 14_000_000, 100), housing * 150 // 100 * 100)
        _add_account(draw, tables, draw.choice(people), "loan", "home_equity", balance)
    if plan.product == "home" and draw.chance(0.4):
        return [_add_account(draw, tables, owner, "loan", "home_equity", draw.steps(300_000, 6_000_000, 100))]
    if plan.purpose == "debt_consolidation" and requested > 1_000_000 and draw.chance(0.5):
        # Besides the tradelines, which take less than nine tenths of the loan.
        return [_add_account(draw, tables, owner, "loan", "home_equity", draw.steps(50_000, requested // 10, 100))]
    return []


def _add_account(draw: Draw, tables: Tables, person: Person, kind: str, product: str, balance: int) -> str:
    since = max(of_age(person), date.fromisoformat(tables["customers"][person.customer_id]["customer_since"]))
    key = draw.identifier("AC")
    tables["accounts"][key] = {
        "customer_id": person.customer_id,
        "kind": kind,
        "product": product,
        "opened": draw.day(since, max(since, person.received - timedelta(days=20))).isoformat(),
        "status": "open",
        "balance": balance,
    }
    return key


# -- the bank around the case ----------------------------------------------------------------------------------------


def _add_neighbour(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, person: Person) -> None:
    """Add another customer of nearly the same name, with an application of their own."""
    group = next(names for names in world()["first_names"] if person.first_name in names)
    other = msgspec.structs.replace(
        plan, ending="approve", also="", boundary="", product="personal", purpose="other", property_use=None,
        vehicle_age=None, joint=False, false_positive=False, alert="none",
        former_name=False, orders_in_note=False, report="reuse",
    )  # fmt: skip
    before = set(tables["customers"])
    case_id, _ = _add_case(draw, policy, other, tables)
    name = f"{draw.choice([n for n in group if n != person.first_name])} {person.full_name.split()[1]}"
    (added,) = (key for key in tables["customers"] if key not in before)
    email = f"{name[0].lower()}***@example.org"
    tables["customers"][added] = {**tables["customers"][added], "full_name": name, "email": email}
    tables["id_registry"][added] = {**tables["id_registry"][added], "name": name}
    case = tables["applications"][case_id]
    tables["applications"][case_id] = {**case, "applicants": [{**case["applicants"][0], "full_name": name}]}


def _add_second_application(draw: Draw, policy: LoanPolicy, tables: Tables, case_id: str) -> None:
    """Add another, personal application of the same customer."""
    case = tables["applications"][case_id]
    product = policy.products["personal"]
    received = date.fromisoformat(case["received_date"]) - timedelta(days=draw.integer(3, 40))
    tables["applications"][draw.identifier("LA")] = {
        **case,
        "product": "personal",
        "purpose": "other",
        "property_use": None,
        "received_date": on_or_before_business_day(received, policy.holidays).isoformat(),
        "completed_date": None,
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
