"""Frozen cases bent onto boundaries that no frozen case lies on, only for comparing the two computations."""

import copy
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.solver_facts import (
    Case,
    considered_amount,
    installments,
    monthly_debts,
    monthly_income,
    price,
    room_by_limit,
    total_exposure,
)
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record

LOANS = load_scenario("loans")
_TASKS = list(frozen_tasks("loans").values())


def bend(task: Task, change: Callable[[Task, Record], None]) -> Task:
    """Return a copy of a task after ``change`` has been at its tables and application, with a new standard result."""
    copied = _bend(task, change)
    return msgspec.structs.replace(copied, standard=LOANS.run_expert(copied))


def _bend(task: Task, change: Callable[[Task, Record], None]) -> Task:
    copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
    change(copied, copied.tables["applications"][copied.case_id])
    return copied


def _chosen(**branches: str) -> list[Task]:
    return [task for task in _TASKS if all(task.branches[point] == outcome for point, outcome in branches.items())]


def _reports(task: Task, customer: str) -> Iterator[Record]:
    file = task.tables["bureau_files"][customer]
    yield from (report for report in (file["on_file"], file["current"]) if report is not None)


def document_expires_today() -> Iterator[Task]:
    """Every identity document ends on the business date: still in date."""

    def change(task: Task, case: Record) -> None:
        for person in case["applicants"]:
            person["document_expiry"] = task.today.isoformat()
            task.tables["id_registry"][person["customer_id"]]["document_expiry"] = task.today.isoformat()

    yield from (bend(task, change) for task in _chosen(affordability="within")[:3])


def insurance_ends_today() -> Iterator[Task]:
    """Cover ends on the business date: still adequate."""

    def change(task: Task, case: Record) -> None:
        task.tables["collateral"][case["collateral_id"]]["insurance_expiry"] = task.today.isoformat()

    yield from (bend(task, change) for task in _chosen(affordability="within", insurance="adequate")[:3])


def appraisal_at_its_oldest() -> Iterator[Task]:
    """The appraisal is just as old as it may be."""

    def change(task: Task, case: Record) -> None:
        case["appraisal_date"] = (task.today - timedelta(days=LOANS.policy.appraisal_max_age_days)).isoformat()

    yield from (bend(task, change) for task in _chosen(affordability="within", collateral="ok")[:3])


def vehicle_at_its_oldest() -> Iterator[Task]:
    """The vehicle's model year lies just as far back as it may."""

    def change(task: Task, case: Record) -> None:
        year = task.today.year - LOANS.policy.vehicle_max_age_years
        task.tables["collateral"][case["collateral_id"]]["model_year"] = year

    yield from (bend(task, change) for task in _chosen(product="auto", affordability="within")[:3])


def loan_to_value_at_a_band() -> Iterator[Task]:
    """The loan-to-value ratio equals the one above which a surcharge or mortgage insurance begins: none is due."""
    for product, percent in (("home", 80), ("home", 85), ("home", 90), ("auto", 100)):

        def change(task: Task, case: Record, percent: int = percent) -> None:
            asked = case["requested_amount"] // 1_530_000 * 1_530_000 or 1_530_000
            value = asked * 100 // percent
            case.update(requested_amount=asked, purchase_price=value, appraised_value=value)
            task.tables["collateral"][case["collateral_id"]]["coverage_amount"] = value

        # Where debts bind, mortgage insurance shows in the amount that is offered.
        tasks = _chosen(product=product, affordability="dti_reduced") + _chosen(product=product, affordability="within")
        yield from (bend(task, change) for task in tasks[:8])


def equal_failing_scores() -> Iterator[Task]:
    """Two applicants with the same score under the minimum and different factors: the primary's factor counts."""

    def change(task: Task, case: Record) -> None:
        factors = ("too_many_recent_inquiries", "high_revolving_balances")
        for person, factor in zip(case["applicants"], factors, strict=True):
            for report in _reports(task, person["customer_id"]):
                report.update(score=600, main_factor=factor)

    yield from (bend(task, change) for task in _chosen(applicants="joint", score="pass")[:3])


def smallest_amount_affordable() -> Iterator[Task]:
    """The largest affordable amount is exactly the product's smallest: it is offered."""
    for task in _chosen(product="personal", affordability="dti_reduced") + _chosen(
        product="auto", affordability="dti_reduced"
    ):
        smallest = LOANS.policy.products[task.branches["product"]].min_amount / 100
        low, high = 0, 10_000_000  # the more the housing costs, the less can be offered
        while low < high:
            middle = (low + high) // 2
            offered = LOANS.solve(_bend(task, _housing(middle))).outputs["approved_amount"]
            low, high = (middle + 1, high) if offered > smallest else (low, middle)
        if LOANS.solve(_bend(task, _housing(low))).outputs["approved_amount"] == smallest:
            yield bend(task, _housing(low))


def _housing(cents: int) -> Callable[[Task, Record], None]:
    def change(_: Task, case: Record) -> None:
        case["monthly_housing_cost"] = cents

    return change


def both_limits_bind() -> Iterator[Task]:
    """Debts leave as much room as the payment limit does: the debt ratio counts as the one that binds."""
    for task in _chosen(product="auto"):
        if task.branches["affordability"] not in ("pti_reduced", "dti_reduced"):
            continue
        case = Case(task, LOANS.policy)
        income = monthly_income(case)
        difference = income * (LOANS.policy.max_dti - LOANS.policy.max_pti)
        housing = difference // 10_000 - monthly_debts(case) + case.application["monthly_housing_cost"]
        if difference % 10_000 == 0 and housing >= 0:
            yield bend(task, _housing(housing))


def _with_round_income() -> Iterator[Task]:
    """Cases of one applicant within all limits, whose income is bent to whole dollars that are even."""
    for task in _chosen(applicants="single", affordability="within"):
        (person,) = task.tables["applications"][task.case_id]["applicants"]
        if person["pay_type"] in ("semimonthly", "pension"):

            def change(task: Task, _: Record, who: str = person["customer_id"]) -> None:
                job = task.tables["employment"][who]
                job["gross_pay"] = job["gross_pay"] // 600 * 600

            yield _bend(task, change)


def debts_around_the_limit() -> Iterator[Task]:
    """The debt-to-income ratio is exactly what it may be, or a cent to either side."""
    for task in _with_round_income():
        case = Case(task, LOANS.policy)
        if case.application["property_use"] == "primary":
            continue
        considered = considered_amount(case)
        cost = sum(installments(price(case, considered), considered))
        spare = room_by_limit(case)["dti"] - cost
        if spare.denominator == 1:
            housing = case.application["monthly_housing_cost"] + int(spare)
            yield from (bend(task, _housing(housing + cents)) for cents in (-1, 0, 1))


def payment_around_the_limit() -> Iterator[Task]:
    """The payment-to-income ratio is exactly what it may be, or a cent to either side."""
    for task in _with_round_income():
        if task.branches["product"] != "auto":
            continue
        for steps in range(200):

            def change(_: Task, case: Record, amount: int = 1_500_000 + 10_000 * steps) -> None:
                case["requested_amount"] = amount

            moved = _bend(task, change)
            facts = Case(moved, LOANS.policy)
            if considered_amount(facts) < facts.asked:
                break
            exact = installments(price(facts, facts.asked), facts.asked)[0] * 10_000 / LOANS.policy.max_pti
            if exact % 2 == 0:
                yield from (bend(moved, _poor(int(exact) + cents)) for cents in (-2, 0, 2))
                break


def _poor(income: int) -> Callable[[Task, Record], None]:
    """Return a change that leaves an applicant with an income and with next to no debts."""

    def change(task: Task, case: Record) -> None:
        (person,) = case["applicants"]
        half = person["pay_type"] == "semimonthly"
        task.tables["employment"][person["customer_id"]]["gross_pay"] = income // 2 if half else income
        case.update(monthly_housing_cost=0, monthly_support_paid=0)
        for report in _reports(task, person["customer_id"]):
            report["tradelines"] = []
        case["closing_payoff_tradelines"] = []

    return change


def value_around_the_cap() -> Iterator[Task]:
    """The collateral carries exactly what was asked for, or a dollar of its value is too many or too few."""
    for product, whole in (("home", 1_900_000), ("auto", 600_000)):
        for task in _chosen(product=product, affordability="within")[:3]:
            for dollars in (-1, 0, 1):

                def change(task: Task, case: Record, dollars: int = dollars, whole: int = whole) -> None:
                    asked = case["requested_amount"] // whole * whole
                    value = asked * 10_000 // LOANS.policy.products[case["product"]].max_ltv + 100 * dollars
                    case.update(requested_amount=asked, purchase_price=value, appraised_value=value)
                    task.tables["collateral"][case["collateral_id"]]["coverage_amount"] = value

                yield bend(task, change)


def exposure_around_the_limit() -> Iterator[Task]:
    """The exposure is exactly what the branch may decide, or a cent to either side."""
    for task in _chosen(affordability="within"):
        case = Case(task, LOANS.policy)
        gap = LOANS.policy.escalation_exposure - total_exposure(case)
        owners = [person["customer_id"] for person in case.applicants]
        kept = [
            key
            for key, account in task.tables["accounts"].items()
            if account["kind"] == "loan"
            and account["customer_id"] in owners
            and key not in case.application["closing_payoff_accounts"]
        ]
        if case.asked >= LOANS.policy.escalation_exposure or not kept:
            continue
        if task.tables["accounts"][kept[0]]["balance"] + gap > 0:
            for cents in (-1, 0, 1):

                def change(task: Task, _: Record, key: str = kept[0], cents: int = gap + cents) -> None:
                    task.tables["accounts"][key]["balance"] += cents

                yield bend(task, change)


def scores_around_the_minimum() -> Iterator[Task]:
    """The qualifying score is the minimum, or a point to either side."""

    def change(points: int) -> Callable[[Task, Record], None]:
        def changed(task: Task, case: Record) -> None:
            for person in case["applicants"]:
                for report in _reports(task, person["customer_id"]):
                    report["score"] = LOANS.policy.min_credit_score + points

        return changed

    for task in _chosen(affordability="within", applicants="single")[:4]:
        yield from (bend(task, change(points)) for points in (-1, 0, 1))


def reports_around_the_limit() -> Iterator[Task]:
    """A report on file is just as old as it may be, or a day to either side."""

    def change(days: int) -> Callable[[Task, Record], None]:
        def changed(task: Task, case: Record) -> None:
            day = (task.today - timedelta(days=LOANS.policy.report_max_age_days + days)).isoformat()
            for person in case["applicants"]:
                file = task.tables["bureau_files"][person["customer_id"]]
                file["on_file"] = {**(file["on_file"] or file["current"]), "report_date": day}
                person["report_on_file_date"] = day

        return changed

    for task in _chosen(affordability="within", report="new")[:4]:
        yield from (bend(task, change(days)) for days in (-1, 0, 1))


def amounts_around_the_range() -> Iterator[Task]:
    """The amount asked for is the smallest or the largest, or a cent outside."""
    for product in ("home", "auto", "personal"):
        range_of = LOANS.policy.products[product]
        for amount in (
            range_of.min_amount - 1, range_of.min_amount, range_of.max_amount, range_of.max_amount + 1
        ):  # fmt: skip

            def change(task: Task, case: Record, amount: int = amount) -> None:
                case["requested_amount"] = amount

            outside = not range_of.min_amount <= amount <= range_of.max_amount
            for task in _chosen(product=product, affordability="within")[:2]:
                bent = bend(task, change)
                yield msgspec.structs.replace(bent, tags=("validation",)) if outside else bent


LIMITS: tuple[Callable[[], Iterator[Task]], ...] = (
    debts_around_the_limit, payment_around_the_limit, value_around_the_cap, exposure_around_the_limit,
    scores_around_the_minimum, reports_around_the_limit, amounts_around_the_range,
)  # fmt: skip
"""Functions that bend cases onto a limit and just to either side of it."""


def around_limits() -> list[Task]:
    """Return cases on the limits of the policy and just beside them, with their branches."""
    tasks = [task for kind in LIMITS for task in kind()]
    return [msgspec.structs.replace(task, branches=LOANS.solve(task).branches) for task in tasks]


def all_bent() -> dict[str, list[Task]]:
    """Return the bent tasks by what they were bent to."""
    kinds: tuple[Callable[[], Iterator[Any]], ...] = (
        document_expires_today, insurance_ends_today, appraisal_at_its_oldest, vehicle_at_its_oldest,
        loan_to_value_at_a_band, equal_failing_scores, smallest_amount_affordable, both_limits_bind, *LIMITS,
    )  # fmt: skip
    return {kind.__name__: list(kind()) for kind in kinds}
