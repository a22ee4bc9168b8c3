"""Frozen cases bent onto boundaries that no frozen case lies on: for comparing the two computations alone."""

import copy
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.solver_facts import Case, monthly_debts, monthly_income
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

        # Where debts bind, mortgage insurance tells in the amount that is offered.
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


def all_bent() -> dict[str, list[Task]]:
    """Return the bent tasks by what they were bent to."""
    kinds: tuple[Callable[[], Iterator[Any]], ...] = (
        document_expires_today, insurance_ends_today, appraisal_at_its_oldest, vehicle_at_its_oldest,
        loan_to_value_at_a_band, equal_failing_scores, smallest_amount_affordable, both_limits_bind,
    )  # fmt: skip
    return {kind.__name__: list(kind()) for kind in kinds}
