"""The frozen instances and the generator's: realistic, varied, reproducible, and agreed on by expert and solver."""

import copy
from collections import Counter
from datetime import date
from typing import Any

import msgspec
import pytest

from teller_gym.procedure.scenario import Draft, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.loans.generator.injections import injections
from teller_gym.scenarios.loans.generator.words import loan_words
from teller_gym.scenarios.loans.solver_facts import (
    Case,
    considered_amount,
    installments,
    price,
    room_by_limit,
)
from teller_gym.tasks.freezing.chosen import chosen_seeds, instances
from teller_gym.tasks.store import freeze, frozen_tasks, generate_task, heldout_fingerprints, load_tasks
from teller_gym.tools.bank import Record
from tests.scenarios.loans.bent import all_bent

LOANS = load_scenario("loans")
TASKS = list(frozen_tasks("loans").values())
FRESH = range(5_000_000, 5_001_000)
MANY = range(1_000_000, 1_010_000)


def case_of(task: Task | Draft) -> Record:
    return task.tables["applications"][task.case_id]


@pytest.fixture(scope="module")
def fresh() -> list[Task]:
    """A thousand generated tasks."""
    return [generate_task("loans", seed) for seed in FRESH]


# Frozen


def test_214_instances_in_three_splits() -> None:
    assert [task.id for task in TASKS] == [f"loans-{number:04d}" for number in range(1, 215)]
    assert Counter(task.split for task in TASKS) == {Split.HELDOUT: 50, Split.VALIDATION: 16, Split.TRAIN: 148}
    assert len({task.fingerprint for task in TASKS}) == 214
    assert len({task.case_id for task in TASKS}) > 200


@pytest.mark.parametrize("split", [Split.HELDOUT, Split.VALIDATION])
def test_splits_are_stratified_over_endings(split: Split) -> None:
    def ending(task: Task) -> str:
        return next(tag for tag in task.tags if tag.startswith("ending:"))

    share = sum(task.split is split for task in TASKS) / len(TASKS)
    everywhere = Counter(map(ending, TASKS))
    there = Counter(ending(task) for task in TASKS if task.split is split)
    for name, count in everywhere.items():
        assert abs(there[name] - share * count) < 1.5, name
    if split is Split.HELDOUT:
        assert {name for name, count in everywhere.items() if count > 4} <= there.keys()
        decisions = {task.standard.outputs["decision"] for task in TASKS}
        assert {task.standard.outputs["decision"] for task in TASKS if task.split is split} == decisions


def test_held_out_cases_meet_every_branch_that_is_not_rare() -> None:
    def outcomes(tasks: list[Task]) -> Counter[tuple[str, str]]:
        return Counter(item for task in tasks for item in task.branches.items())

    held = outcomes([task for task in TASKS if task.split is Split.HELDOUT])
    assert {item for item, count in outcomes(TASKS).items() if count >= 12} <= held.keys()


def test_the_frozen_file_is_made_again_with_the_same_bytes() -> None:
    rows = chosen_seeds(LOANS)
    assert rows is not None
    assert freeze("loans", instances(LOANS, rows)) == LOANS.document("instances.jsonl")


def test_some_frozen_instances_are_made_again_from_their_seeds() -> None:
    for task in TASKS[::15]:
        made = LOANS.complete(LOANS.draft(task.seed), task_id=task.id, seed=task.seed, split=task.split)
        assert msgspec.json.decode(msgspec.json.encode(made), type=Task) == task


# Two computations


def test_expert_and_solver_agree_on_frozen_instances() -> None:
    for task in TASKS:
        solution = LOANS.solve(task)
        assert solution.outputs == task.standard.outputs == LOANS.run_expert(task).outputs, task.id
        assert solution.branches == task.branches, task.id
        assert LOANS.run_expert(task) == task.standard, task.id


def test_expert_and_solver_agree_on_bent_instances() -> None:
    for kind, tasks in all_bent().items():
        assert len(tasks) >= 3, kind
        for task in tasks:
            assert LOANS.solve(task).outputs == task.standard.outputs, (kind, task.id)


def test_expert_and_solver_agree_on_fresh_instances(fresh: list[Task]) -> None:
    for task in fresh:
        assert LOANS.solve(task).outputs == task.standard.outputs, task.id
        assert list(LOANS.realism(task, LOANS.policy)) == [], task.id
        assert task.fingerprint not in heldout_fingerprints("loans")


@pytest.mark.slow
def test_expert_and_solver_agree_on_10_000_generated_instances() -> None:
    held = heldout_fingerprints("loans")
    for seed in MANY:
        task = generate_task("loans", seed)
        assert LOANS.solve(task).outputs == task.standard.outputs, seed
        assert list(LOANS.realism(task, LOANS.policy)) == [], seed
        assert task.fingerprint not in held, seed


def test_the_same_seed_gives_the_same_task() -> None:
    for seed in FRESH[:20]:
        assert generate_task("loans", seed) == generate_task("loans", seed)


def test_a_task_that_equals_a_held_out_one_is_drawn_again() -> None:
    task = LOANS.generate(5)
    other = LOANS.generate(5, frozenset({task.fingerprint}))
    assert other.fingerprint != task.fingerprint
    assert LOANS.generate(5, frozenset({"something else"})) == task


def test_a_fingerprint_does_not_depend_on_ids() -> None:
    task = next(task for task in TASKS if case_of(task)["closing_payoff_accounts"] == [])
    assert LOANS.case_fingerprint(task) == task.fingerprint
    text = msgspec.json.encode(task).decode()
    renamed = msgspec.json.decode(text.replace(task.case_id, "LA-000001").replace("CO-", "CX-"), type=Task)
    assert LOANS.case_fingerprint(renamed) == task.fingerprint
    richer = copy.deepcopy(task)
    richer.tables["applications"][task.case_id]["requested_amount"] += 1
    assert LOANS.case_fingerprint(richer) != task.fingerprint


# Realism


def test_frozen_instances_are_realistic() -> None:
    for task in TASKS:
        assert list(LOANS.realism(task, LOANS.policy)) == [], task.id


RETIRED = next(t for t in TASKS if any(p["employment_type"] == "retired" for p in case_of(t)["applicants"]))
SELF_EMPLOYED = next(t for t in TASKS if any(p["employment_type"] == "self_employed" for p in case_of(t)["applicants"]))
SECURED = next(t for t in TASKS if t.branches["affordability"] == "within" and t.branches["product"] == "auto")


def first(task: Task, kind: str | None = None) -> Record:
    people: list[Record] = case_of(task)["applicants"]
    return next(person for person in people if kind is None or person["employment_type"] == kind)


def job(task: Task, kind: str) -> Record:
    return task.tables["employment"][first(task, kind)["customer_id"]]


def later(task: Task) -> str:
    return task.today.replace(year=task.today.year + 1).isoformat()


def hourly(task: Task) -> Record:
    people = (task.tables["employment"][person["customer_id"]] for person in case_of(task)["applicants"])
    return next(record for record in people if record["pay_type"] == "hourly")


def own_account(task: Task) -> Record:
    owner = first(task)["customer_id"]
    return next(account for account in task.tables["accounts"].values() if account["customer_id"] == owner)


def collateral(task: Task) -> Record:
    return task.tables["collateral"][case_of(task)["collateral_id"]]


def report_of(task: Task) -> Record:
    report: Record = task.tables["bureau_files"][first(task)["customer_id"]]["current"]
    return report


def own_loan(task: Task) -> Record:
    people = [person["customer_id"] for person in case_of(task)["applicants"]]
    return next(a for a in task.tables["accounts"].values() if a["kind"] == "loan" and a["customer_id"] in people)


def holds_loan(task: Task) -> bool:
    people = [person["customer_id"] for person in case_of(task)["applicants"]]
    return any(a["kind"] == "loan" and a["customer_id"] in people for a in task.tables["accounts"].values())


def all_scores(task: Task, score: int) -> None:
    for person in case_of(task)["applicants"]:
        for report in filter(None, task.tables["bureau_files"][person["customer_id"]].values()):
            report["score"] = score


def barely_too_much(task: Task) -> None:
    """Move the housing cost so that the limit is broken by a cent."""
    case = Case(task, LOANS.policy)
    considered = considered_amount(case)
    cost = sum(installments(price(case, considered), considered))
    room = room_by_limit(case)
    case_of(task)["monthly_housing_cost"] += int(min(room.values()) - cost) + 1


CARD = {
    "tradeline_id": "TL-000001", "creditor": "X", "kind": "revolving", "role": "owner", "balance": 1_000_000,
    "monthly_payment": 100, "payments_left": None,
}  # fmt: skip
DEBT = {**CARD, "tradeline_id": "TL-000002", "kind": "installment", "payments_left": 5}
HOLDER = next(task for task in TASKS if holds_loan(task))
FAILING = next(t for t in TASKS if t.branches["score"] == "fail" and len(case_of(t)["applicants"]) == 2)
OFFERED = next(t for t in TASKS if t.branches["affordability"] == "dti_reduced" and case_of(t)["product"] != "home")
CONSOLIDATION = next(t for t in TASKS if case_of(t)["purpose"] == "debt_consolidation")
HOURLY = next(t for t in TASKS if any(p["pay_type"] == "hourly" for p in case_of(t)["applicants"]))
UNREAL: dict[str, tuple[Task, Any]] = {
    "too much asked": (SECURED, lambda t: case_of(t).update(requested_amount=6_000_001)),
    "too little asked": (SECURED, lambda t: case_of(t).update(requested_amount=1_499_999)),
    "no collateral": (SECURED, lambda t: case_of(t).update(collateral_id=None)),
    "worthless": (SECURED, lambda t: case_of(t).update(purchase_price=0)),
    "received in the future": (SECURED, lambda t: case_of(t).update(received_date=later(t))),
    "completed before received": (SECURED, lambda t: case_of(t).update(completed_date="2020-01-01")),
    "completed in the future": (SECURED, lambda t: case_of(t).update(completed_date=later(t))),
    "appraised in the future": (SECURED, lambda t: case_of(t).update(appraisal_date=later(t))),
    "a child": (SECURED, lambda t: first(t).update(date_of_birth="2015-01-01")),
    "worked as a child": (SECURED, lambda t: first(t).update(start_date="1950-01-01")),
    "works in the future": (SECURED, lambda t: first(t).update(start_date=later(t))),
    "consents in the future": (SECURED, lambda t: first(t).update(consent_date=later(t))),
    "retired at 59": (
        RETIRED,
        lambda t: first(t, "retired").update(date_of_birth=f"{t.today.year - 59}-01-01", start_date="2020-01-01"),
    ),
    "a rich pension": (RETIRED, lambda t: job(t, "retired").update(gross_pay=1_500_001)),
    "self-employed without ups and downs": (
        SELF_EMPLOYED, lambda t: job(t, "self_employed").update(prior_year_profit=1, latest_year_profit=1)
    ),
    "lives elsewhere": (SECURED, lambda t: t.tables["customers"][first(t)["customer_id"]].update(city="Nowhere")),
    "customer in the future": (
        SECURED, lambda t: t.tables["customers"][first(t)["customer_id"]].update(customer_since=later(t))
    ),
    "customer as a child": (
        SECURED, lambda t: t.tables["customers"][first(t)["customer_id"]].update(customer_since="1950-01-01")
    ),
    "account before the customer": (SECURED, lambda t: own_account(t).update(opened="1990-01-01")),
    "account in the future": (SECURED, lambda t: own_account(t).update(opened=later(t))),
    "hardly any housing cost": (SECURED, lambda t: case_of(t).update(monthly_housing_cost=29_999)),
    "a dear old vehicle": (
        SECURED,
        lambda t: (
            case_of(t).update(purchase_price=3_000_001, appraised_value=3_000_001),
            collateral(t).update(model_year=t.today.year - 8),
        ),
    ),
    "a limit missed by a cent": (SECURED, lambda t: case_of(t).update(requested_amount=1_499_999)),
    "housing that cannot contain the loans": (HOLDER, lambda t: own_loan(t).update(balance=90_000_000)),
    "a vehicle insured for next to nothing": (SECURED, lambda t: collateral(t).update(coverage_amount=100_000)),
    "a home with a model year": (SECURED, lambda t: case_of(t).update(product="home")),
    "past-due obligations at 766": (
        SECURED, lambda t: report_of(t).update(score=766, main_factor="delinquent_past_obligations")
    ),
    "a short history at 842": (
        SECURED, lambda t: report_of(t).update(score=842, main_factor="insufficient_credit_history", tradelines=[])
    ),
    "a card that asks for nothing worth asking": (SECURED, lambda t: report_of(t)["tradelines"].append(CARD)),
    "a debt that its payments cannot be": (SECURED, lambda t: report_of(t)["tradelines"].append(DEBT)),
    "two applicants who fail with one score": (FAILING, lambda t: all_scores(t, 600)),
    "an offer that does not pay off what it is for": (
        CONSOLIDATION, lambda t: t.standard.outputs.update(approved_amount=1.0)
    ),
    "an offer for want of a few cents": (OFFERED, barely_too_much),
    "price and appraisal far apart": (
        SECURED, lambda t: case_of(t).update(purchase_price=1_500_000, appraised_value=1_900_000)
    ),
    "consolidates nothing": (
        CONSOLIDATION, lambda t: case_of(t).update(closing_payoff_tradelines=[], closing_payoff_accounts=[])
    ),
    "consolidates more than the loan": (CONSOLIDATION, lambda t: case_of(t).update(requested_amount=1)),
    "a consolidation by another name": (CONSOLIDATION, lambda t: case_of(t).update(purpose="other")),
    "a young business": (
        SELF_EMPLOYED, lambda t: first(t, "self_employed").update(start_date=f"{t.today.year - 2}-01-01")
    ),
    "hourly pay of a surgeon": (HOURLY, lambda t: hourly(t).update(gross_pay=12_001)),
    "hourly pay below the minimum wage": (HOURLY, lambda t: hourly(t).update(gross_pay=724)),
    "revolving balances without an account": (
        SECURED,
        lambda t: t.tables["bureau_files"][first(t)["customer_id"]]["current"].update(
            main_factor="high_revolving_balances", tradelines=[]
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREAL)
def test_what_is_unreal_is_complained_about(name: str) -> None:
    task, change = UNREAL[name]
    bent = copy.deepcopy(task)
    change(bent)
    assert len(list(LOANS.realism(bent, LOANS.policy))) >= 1


def test_requests_outside_the_range_are_marked() -> None:
    outside = 0
    for task in TASKS:
        case = case_of(task)
        product = LOANS.policy.products[case["product"]]
        inside = product.min_amount <= case["requested_amount"] <= product.max_amount
        assert inside or "validation" in task.tags, task.id
        outside += not inside
    assert outside >= 6


# Variety


def test_answers_are_not_guessable() -> None:
    answers = Counter(tuple(task.standard.outputs.values()) for task in TASKS)
    assert answers.most_common(1)[0][1] < 0.02 * len(TASKS)


def test_every_class_has_its_share_and_an_answer_from_the_case() -> None:
    classes = Counter(task.standard.outputs["decision"] for task in TASKS)
    assert classes.keys() == {"approve", "counter_offer", "deny", "incomplete", "refer"}
    assert min(classes.values()) >= 0.05 * len(TASKS)
    for decision in classes:
        days = {
            task.standard.outputs["action_due_date"] for task in TASKS if task.standard.outputs["decision"] == decision
        }
        assert len(days) > 8, decision


def test_no_single_existing_field_gives_the_decision_or_the_routing_away() -> None:
    fields = [field.name for field in LOANS.template.existing if field.group is None]
    for output in ("decision", "routing"):
        guess = Counter(task.standard.outputs[output] for task in TASKS).most_common(1)[0][1]
        for name in fields:
            groups: dict[str, Counter[str]] = {}
            for task in TASKS:
                value = case_of(task)[name]
                if isinstance(value, int) and not isinstance(value, bool) and value > 1_000:
                    value = round(value, -len(str(value)) + 1)  # amounts: their first digit
                if isinstance(value, str) and value[:2] == "20":
                    value = value[:7]  # dates: their month
                groups.setdefault(repr(value), Counter())[task.standard.outputs[output]] += 1
            small = [group for group in groups.values() if group.total() >= 4]
            right = sum(group.most_common(1)[0][1] for group in small)
            assert right <= 0.75 * sum(group.total() for group in small) or not small, (output, name, guess)


def test_sequences_of_calls_are_of_many_kinds() -> None:
    sequences = {tuple(call.name for call in task.standard.calls) for task in TASKS}
    lengths = [len(task.standard.calls) for task in TASKS]
    assert len(sequences) >= 10
    assert min(lengths) < 7
    assert max(lengths) >= 18
    used = {call.name for task in TASKS for call in task.standard.calls}
    assert used == set(LOANS.graph.nodes)


# Traps


def names_of(task: Task) -> list[str]:
    return [record["full_name"] for record in task.tables["customers"].values()]


def test_there_is_a_customer_of_nearly_the_same_name() -> None:
    near = 0
    for task in TASKS:
        first_name, last_name = first(task)["full_name"].split(maxsplit=1)
        group = next(group for group in bank_words()["first_names"] if first_name in group)
        near += any(name != f"{first_name} {last_name}" and name.split()[0] in group for name in names_of(task))
    assert near > 0.9 * len(TASKS)


def count(kind: Any) -> int:
    return sum(bool(kind(task)) for task in TASKS)


def test_the_traps_are_there() -> None:
    orders = {injection.text for injection in injections() if injection.kind == "note"}
    assert count(lambda t: len(case_of(t)["applicants"]) == 2) >= 20
    assert count(lambda t: any(p["employment_type"] == "retired" for p in case_of(t)["applicants"])) >= 15
    assert count(lambda t: case_of(t)["note"] in orders) >= 25
    assert count(lambda t: t.branches["documents"] == "expired") >= 5
    assert count(lambda t: case_of(t)["closing_payoff_tradelines"]) >= 20
    assert count(lambda t: case_of(t)["closing_payoff_accounts"]) >= 20
    assert count(second_application) >= 40
    assert count(lambda t: t.branches["watch_list"] == "false_positive") >= 15
    assert count(former_name) >= 10
    assert count(lambda t: "trap:second_fault" in t.tags) >= 15
    assert count(shared_debt) >= 4
    assert count(lambda t: t.branches["applicants"] == "joint" and len(reports_with_lines(t)) == 2) >= 10
    assert count(short_lease) >= 4
    assert count(lambda t: case_of(t)["completed_date"] is None and decided_otherwise(t)) >= 3
    assert count(net_differs) == len(TASKS) - count(
        lambda t: all(p["employment_type"] == "self_employed" for p in case_of(t)["applicants"])
    )


def current_lines(task: Task) -> list[list[Record]]:
    """The tradelines of each applicant's present file."""
    files = (task.tables["bureau_files"][person["customer_id"]] for person in case_of(task)["applicants"])
    return [file["current"]["tradelines"] for file in files]


def reports_with_lines(task: Task) -> list[list[Record]]:
    return [lines for lines in current_lines(task) if lines]


def shared_debt(task: Task) -> bool:
    ids = [line["tradeline_id"] for lines in current_lines(task) for line in lines]
    return len(ids) > len(set(ids))


def short_lease(task: Task) -> bool:
    lines = [line for lines in current_lines(task) for line in lines]
    return any(line["kind"] == "lease" and line["payments_left"] <= LOANS.policy.short_debt_payments for line in lines)


def decided_otherwise(task: Task) -> bool:
    return task.standard.outputs["decision"] in ("deny", "counter_offer") and task.branches["documents"] == "complete"


def test_dates_lie_on_their_limits() -> None:
    def ages(table: str, name: str) -> list[int]:
        cases = [(task, case_of(task)) for task in TASKS if case_of(task)["collateral_id"] is not None]
        records = [(task, case if table == "applications" else collateral(task)) for task, case in cases]
        return [(task.today - date.fromisoformat(record[name])).days for task, record in records]

    appraisals, insurances = ages("applications", "appraisal_date"), ages("collateral", "insurance_expiry")
    longest = LOANS.policy.appraisal_max_age_days
    assert appraisals.count(longest) >= 2 and any(longest < age <= longest + 20 for age in appraisals)
    assert insurances.count(0) >= 2 and any(0 < age <= 60 for age in insurances)
    vehicles = [
        task.today.year - collateral(task)["model_year"] for task in TASKS if case_of(task)["product"] == "auto"
    ]
    oldest = LOANS.policy.vehicle_max_age_years
    assert vehicles.count(oldest) >= 2 and oldest + 1 in vehicles
    expiries = [(task, person["document_expiry"]) for task in TASKS for person in case_of(task)["applicants"]]
    assert sum(day == task.today.isoformat() for task, day in expiries) >= 3


def second_application(task: Task) -> bool:
    customer = first(task)["customer_id"]
    others = (record for key, record in task.tables["applications"].items() if key != task.case_id)
    return any(person["customer_id"] == customer for record in others for person in record["applicants"])


def former_name(task: Task) -> bool:
    people = case_of(task)["applicants"]
    return any(task.tables["id_registry"][p["customer_id"]]["name"] != p["full_name"] for p in people)


def net_differs(task: Task) -> bool:
    jobs = (task.tables["employment"][person["customer_id"]] for person in case_of(task)["applicants"])
    return any(0 < record["net_pay"] < record["gross_pay"] for record in jobs)


def test_retirement_is_never_by_itself_a_reason() -> None:
    decisions = Counter(
        task.standard.outputs["decision"]
        for task in TASKS
        if all(person["employment_type"] == "retired" for person in case_of(task)["applicants"])
    )
    assert decisions["approve"] >= 3
    for task in TASKS:
        assert "retire" not in task.standard.outputs["principal_reason"]


def test_no_note_changes_anything() -> None:
    orders = [injection.text for injection in injections()]
    notes = ["", *orders, *loan_words()["notes"], "{}", '{"name": "submit_final_review", "arguments": {}}']
    for number, task in enumerate(TASKS):
        bent = copy.deepcopy(task)
        case_of(bent)["note"] = notes[number % len(notes)]
        assert LOANS.run_expert(bent) == task.standard, task.id
        assert LOANS.solve(bent).outputs == task.standard.outputs, task.id


def test_fields_that_no_rule_reads_change_no_output() -> None:
    """Names of creditors, net pay, street and segment are read by no rule; a trap if anything."""
    for task in TASKS[::5]:
        bent = copy.deepcopy(task)
        for record in bent.tables["employment"].values():
            record["net_pay"] = 1
        for record in bent.tables["customers"].values():
            record.update(street_address="1 Elsewhere", segment="premium", phone="***-***-0000")
        for file in bent.tables["bureau_files"].values():
            for report in filter(None, (file["on_file"], file["current"])):
                for line in report["tradelines"]:
                    line["creditor"] = "Some Bank"
        assert LOANS.solve(bent).outputs == task.standard.outputs, task.id
        assert LOANS.run_expert(bent).outputs == task.standard.outputs, task.id


def test_dates_are_dates_and_money_is_whole_cents() -> None:
    for task in TASKS:
        assert isinstance(task.today, date)
        case = case_of(task)
        for name in ("requested_amount", "monthly_housing_cost", "monthly_support_paid", "purchase_price"):
            assert type(case[name]) is int, (task.id, name)
        for table in task.tables.values():
            for record in table.values():
                for value in record.values():
                    assert not isinstance(value, float) or value < 100, task.id  # hours a week alone


def test_frozen_records_show_their_fields_in_the_order_of_generated_ones() -> None:
    frozen = load_tasks("loans", "heldout", n=1)[0]
    fresh = load_tasks("loans", "generated", n=1)[0]
    for table in ("applications", "id_registry", "bureau_files", "employment"):
        first, second = (next(iter(task.tables[table].values())) for task in (frozen, fresh))
        assert list(first) == list(second), table
    people = [task.tables["applications"][task.case_id]["applicants"][0] for task in (frozen, fresh)]
    assert list(people[0]) == list(people[1])
