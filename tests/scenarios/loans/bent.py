"""Boundary cases of the loans scenario, made from frozen cases."""

from collections.abc import Iterator
from datetime import timedelta

import msgspec

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
from teller_gym.tools.bank import Record
from tests.scenarios.bending import AROUND, Bending

BENT = Bending("loans", lambda task, case: task.tables["collateral"].get(case["collateral_id"] or "", {}))
LOANS, POLICY = BENT.scenario, BENT.scenario.policy
chosen, bend = BENT.chosen, BENT.bend


def _reports(task: Task, case: Record) -> Iterator[Record]:
    """Yield the credit reports of all applicants, on file and new."""
    for person in case["applicants"]:
        file = task.tables["bureau_files"][person["customer_id"]]
        yield from (report for report in (file["on_file"], file["current"]) if report is not None)


@BENT.boundary(affordability="within")
def document_expires_today(task: Task, case: Record, collateral: Record) -> None:
    """Every identity document expires on the business date, so it is still valid."""
    for person in case["applicants"]:
        person["document_expiry"] = task.today.isoformat()
        task.tables["id_registry"][person["customer_id"]]["document_expiry"] = task.today.isoformat()


@BENT.boundary(affordability="within", insurance="adequate")
def insurance_ends_today(task: Task, case: Record, collateral: Record) -> None:
    """The insurance ends on the business date, so it is still adequate."""
    collateral["insurance_expiry"] = task.today.isoformat()


@BENT.boundary(affordability="within", collateral="ok")
def appraisal_at_its_oldest(task: Task, case: Record, collateral: Record) -> None:
    """The appraisal has exactly the maximum age."""
    case["appraisal_date"] = (task.today - timedelta(days=POLICY.appraisal_max_age_days)).isoformat()


@BENT.boundary(product="auto", affordability="within")
def vehicle_at_its_oldest(task: Task, case: Record, collateral: Record) -> None:
    """The vehicle has exactly the maximum age in model years."""
    collateral["model_year"] = task.today.year - POLICY.vehicle_max_age_years


@BENT.cases
def loan_to_value_at_a_band() -> Iterator[Task]:
    """The loan-to-value ratio is exactly at the limit for a surcharge or mortgage insurance, so none is due."""

    def change(task: Task, case: Record, collateral: Record, percent: int) -> None:
        asked = case["requested_amount"] // 1_530_000 * 1_530_000 or 1_530_000
        _worth(case, collateral, asked, asked * 100 // percent)

    for product, percent in (("home", 80), ("home", 85), ("home", 90), ("auto", 100)):
        # If the debt limit binds, mortgage insurance changes the offered amount.
        tasks = chosen(product=product, affordability="dti_reduced") + chosen(product=product, affordability="within")
        yield from (bend(task, change, percent) for task in tasks[:8])


def _worth(case: Record, collateral: Record, asked: int, value: int) -> None:
    case.update(requested_amount=asked, purchase_price=value, appraised_value=value)
    collateral["coverage_amount"] = value


@BENT.boundary(applicants="joint", score="pass")
def equal_failing_scores(task: Task, case: Record, collateral: Record) -> None:
    """Two applicants have the same failing score with different factors, so the primary applicant's factor counts."""
    primary, _ = (person["customer_id"] for person in case["applicants"])
    for report in _reports(task, case):
        report.update(score=600, main_factor="high_revolving_balances")
    for report in _reports(task, {"applicants": [{"customer_id": primary}]}):
        report["main_factor"] = "too_many_recent_inquiries"


def _housing(task: Task, case: Record, collateral: Record, cents: int) -> None:
    case["monthly_housing_cost"] = cents


@BENT.cases
def smallest_amount_affordable() -> Iterator[Task]:
    """The largest affordable amount is exactly the product's minimum, so it is offered."""
    for product in ("personal", "auto"):
        smallest = POLICY.products[product].min_amount / 100
        for task in chosen(product=product, affordability="dti_reduced"):
            low, high = 0, 10_000_000  # higher housing costs reduce the offered amount
            while low < high:
                middle = (low + high) // 2
                offered = LOANS.solve(BENT.changed(task, _housing, middle)).outputs["approved_amount"]
                low, high = (middle + 1, high) if offered > smallest else (low, middle)
            found = bend(task, _housing, low)
            if LOANS.solve(found).outputs["approved_amount"] == smallest:
                yield found


@BENT.cases
def both_limits_bind() -> Iterator[Task]:
    """Both limits leave the same room, so the debt limit counts as the binding one."""
    for task in chosen(product="auto"):
        if task.branches["affordability"] not in ("pti_reduced", "dti_reduced"):
            continue
        case = Case(task, POLICY)
        difference = monthly_income(case) * (POLICY.max_dti - POLICY.max_pti)
        housing = difference // 10_000 - monthly_debts(case) + case.application["monthly_housing_cost"]
        if difference % 10_000 == 0 and housing >= 0:
            yield bend(task, _housing, housing)


def _with_round_income() -> Iterator[Task]:
    """Yield single-applicant cases within all limits, with incomes changed to even whole dollars."""

    def change(task: Task, case: Record, collateral: Record) -> None:
        job = task.tables["employment"][case["applicants"][0]["customer_id"]]
        job["gross_pay"] = job["gross_pay"] // 600 * 600

    for task in chosen(applicants="single", affordability="within"):
        (person,) = task.tables["applications"][task.case_id]["applicants"]
        if person["pay_type"] in ("semimonthly", "pension"):
            yield BENT.changed(task, change)


@BENT.cases
def debts_around_the_limit() -> Iterator[Task]:
    """The debt-to-income ratio is exactly at the limit, or one cent of debts below or above."""
    for task in _with_round_income():
        case = Case(task, POLICY)
        if case.application["property_use"] == "primary":
            continue
        considered = considered_amount(case)
        spare = room_by_limit(case)["dti"] - sum(installments(price(case, considered), considered))
        if spare.denominator == 1:
            housing = case.application["monthly_housing_cost"] + int(spare)
            yield from (bend(task, _housing, housing + cents) for cents in AROUND)


@BENT.cases
def payment_around_the_limit() -> Iterator[Task]:
    """The payment-to-income ratio is exactly at the limit, or the income a few cents below or above."""

    def ask(task: Task, case: Record, collateral: Record, amount: int) -> None:
        case["requested_amount"] = amount

    def earn(task: Task, case: Record, collateral: Record, income: int) -> None:
        """Set the applicant's income and remove nearly all debts."""
        (person,) = case["applicants"]
        half = person["pay_type"] == "semimonthly"
        task.tables["employment"][person["customer_id"]]["gross_pay"] = income // 2 if half else income
        case.update(monthly_housing_cost=0, monthly_support_paid=0, closing_payoff_tradelines=[])
        for report in _reports(task, case):
            report["tradelines"] = []

    for task in _with_round_income():
        if task.branches["product"] != "auto":
            continue
        for steps in range(200):
            moved = BENT.changed(task, ask, 1_500_000 + 10_000 * steps)
            facts = Case(moved, POLICY)
            if considered_amount(facts) < facts.asked:
                break
            exact = installments(price(facts, facts.asked), facts.asked)[0] * 10_000 / POLICY.max_pti
            if exact % 2 == 0:
                yield from (bend(moved, earn, int(exact) + cents) for cents in (-2, 0, 2))
                break


@BENT.cases
def value_around_the_cap() -> Iterator[Task]:
    """The collateral supports exactly the requested amount, or its value is one dollar lower or higher."""

    def change(task: Task, case: Record, collateral: Record, whole: int, dollars: int) -> None:
        asked = case["requested_amount"] // whole * whole
        _worth(case, collateral, asked, asked * 10_000 // POLICY.products[case["product"]].max_ltv + 100 * dollars)

    for product, whole in (("home", 1_900_000), ("auto", 600_000)):
        for task in chosen(3, product=product, affordability="within"):
            yield from (bend(task, change, whole, dollars) for dollars in AROUND)


@BENT.cases
def exposure_around_the_limit() -> Iterator[Task]:
    """The exposure is exactly the branch's limit, or one cent below or above."""

    def change(task: Task, case: Record, collateral: Record, key: str, cents: int) -> None:
        task.tables["accounts"][key]["balance"] += cents

    for task in chosen(affordability="within"):
        case = Case(task, POLICY)
        gap = POLICY.escalation_exposure - total_exposure(case)
        owners = [person["customer_id"] for person in case.applicants]
        kept = [
            key
            for key, account in task.tables["accounts"].items()
            if account["kind"] == "loan"
            and account["customer_id"] in owners
            and key not in case.application["closing_payoff_accounts"]
        ]
        if case.asked < POLICY.escalation_exposure and kept and task.tables["accounts"][kept[0]]["balance"] + gap > 0:
            yield from (bend(task, change, kept[0], gap + cents) for cents in AROUND)


@BENT.boundary(*AROUND, count=4, affordability="within", applicants="single")
def scores_around_the_minimum(task: Task, case: Record, collateral: Record, points: int) -> None:
    """The qualifying score is exactly the minimum, or one point below or above."""
    for report in _reports(task, case):
        report["score"] = POLICY.min_credit_score + points


@BENT.boundary(*AROUND, count=4, affordability="within", report="new")
def reports_around_the_limit(task: Task, case: Record, collateral: Record, days: int) -> None:
    """A report on file has exactly the maximum age, or is one day younger or older."""
    day = (task.today - timedelta(days=POLICY.report_max_age_days + days)).isoformat()
    for person in case["applicants"]:
        file = task.tables["bureau_files"][person["customer_id"]]
        file["on_file"] = {**(file["on_file"] or file["current"]), "report_date": day}
        person["report_on_file_date"] = day


@BENT.cases
def amounts_around_the_range() -> Iterator[Task]:
    """The requested amount is the minimum or the maximum, or one cent outside the range."""

    def change(task: Task, case: Record, collateral: Record, amount: int) -> None:
        case["requested_amount"] = amount

    for product in ("home", "auto", "personal"):
        least, most = POLICY.products[product].min_amount, POLICY.products[product].max_amount
        for task in chosen(2, product=product, affordability="within"):
            yield from (bend(task, change, amount) for amount in (least, most))
            for amount in (least - 1, most + 1):
                yield msgspec.structs.replace(bend(task, change, amount), tags=("validation",))


all_bent = BENT.all_bent
