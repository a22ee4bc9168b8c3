"""Building an instance from its plan: the records of the case, and the bank around it."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Draft
from teller_gym.scenarios.loans.generator.amounts import LEAST_LINE, NoAmountsError, Terms, draw_finances, draw_score
from teller_gym.scenarios.loans.generator.credit import (
    add_bureau_file,
    add_watch_list,
    payoff_line,
    shared_line,
    tradelines,
)
from teller_gym.scenarios.loans.generator.people import (
    Person,
    Tables,
    add_person,
    application_entry,
    draw_person,
    of_age,
    world,
)
from teller_gym.scenarios.loans.generator.plan import Plan, draw_plan
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

_TABLES = (
    "applications", "customers", "id_registry", "watch_list", "bureau_files", "alert_contacts", "employment",
    "accounts", "collateral",
)  # fmt: skip


def draft(seed: int, policy: LoanPolicy) -> Draft:
    """Return the instance of a seed."""
    draw = Draw(seed)
    while True:
        plan = draw_plan(draw, policy)
        tables: Tables = {name: {} for name in _TABLES}
        try:
            case_id, people = _add_case(draw, policy, plan, tables)
            break
        except NoAmountsError:  # such as a retired applicant, whose income is limited, with the largest home loan
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
    score = draw_score(draw, policy, plan)
    terms, incomes, debts = draw_finances(draw, policy, plan, people, score)
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
        return [tradelines(draw, counted, policy)]
    both = None
    if counted > 60_000 and draw.chance(0.5):
        both = shared_line(draw, draw.steps(10_000, counted // 3, 500))
        counted -= both["monthly_payment"]
    second = draw.steps(LEAST_LINE, max(LEAST_LINE, counted // 2), 500) if counted > 2 * LEAST_LINE else 0
    reports = [tradelines(draw, part, policy) for part in (counted - second, second)]
    return [[*lines, both] if both is not None else lines for lines in reports]


def _payoff_lines(draw: Draw, plan: Plan, requested: int) -> list[Record]:
    """Debts that the loan pays off: what a consolidation is for, seldom with other loans, never more than the loan."""
    if plan.purpose == "debt_consolidation":
        first = payoff_line(draw, requested * draw.integer(40, 85) // 100)
        left = requested * 9 // 10 - first["balance"]
        return [first, payoff_line(draw, left)] if left > 100_000 and draw.chance(0.4) else [first]
    return [payoff_line(draw, requested)] if plan.purpose == "purchase" and draw.chance(0.25) else []


# -- records ---------------------------------------------------------------------------------------------------------


def _application(
    draw: Draw,
    policy: LoanPolicy,
    plan: Plan,
    received: date,
    terms: Terms,
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


def _add_collateral(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, terms: Terms, record: Record) -> str:
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
