"""The frozen instances and the generator's: varied, reproducible, and agreed on by expert and solver."""

import copy
from collections import Counter
from datetime import date
from typing import Any

import msgspec
import pytest

from teller_gym.procedure.task import Split, Task
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.loans.generator.injections import injections
from teller_gym.scenarios.loans.generator.words import loan_words
from teller_gym.tasks.freezing.chosen import chosen_seeds, instances
from teller_gym.tasks.store import freeze, generate_task, heldout_fingerprints, load_tasks
from teller_gym.tools.bank import Record
from tests.scenarios.loans.bent import all_bent
from tests.scenarios.loans.cases import LOANS, TASKS, case_of, collateral, first

FRESH = range(5_000_000, 5_001_000)
MANY = range(1_000_000, 1_010_000)


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
