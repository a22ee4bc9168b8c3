"""Traps in the frozen loan cases, and fields that no rule uses."""

import copy
from collections import Counter
from typing import Any

from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.generator.drafting import injections_of
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.tools.bank import Record
from tests.scenarios.loans.cases import LOANS, TASKS, case_of, first


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
    orders = {injection.text for injection in injections_of("loans") if injection.kind == "note"}
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
    """Return the tradelines on each applicant's current report."""
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


def test_fields_that_no_rule_reads_change_no_output() -> None:
    """No rule uses creditor names, net pay, street or segment; they can only mislead."""
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
