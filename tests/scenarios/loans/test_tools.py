"""Core tools of the loans scenario: refusals, withheld data, and the order that the graph's state edges require."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Category
from tests.scenarios.guards import Guard, bank_before, call_of, run, task_for
from tests.scenarios.loans.cases import LOANS, TASKS
from tests.scenarios.loans.guards import GUARDS


def used(tool: str, task: Task) -> dict[str, Any]:
    return dict(call_of(task, tool).arguments)


POLICY = LOANS.policy
CLEAN = {"watch_list": "clear", "fraud_alert": "none"}


def test_every_core_tool_but_the_first_look_is_guarded() -> None:
    assert {guard.tool for guard in GUARDS} == {tool.name for tool in LOANS.tools.of(Category.CORE)}


def test_another_customers_id_is_answered_with_that_customers_data() -> None:
    task = TASKS[0]
    other = next(key for key in task.tables["applications"] if key != task.case_id)
    seen = run(LOANS.bank(task), LOANS.tools, "get_application_data", {"application_id": other})
    record = task.tables["applications"][other]
    assert seen["applicants"] == record["applicants"] and seen["requested_amount"] * 100 == record["requested_amount"]


def case_of(tool: str, **branches: str) -> Task:
    return task_for(LOANS, Guard(tool, branches=branches))


def test_of_several_entries_of_a_name_the_one_that_agrees_is_shown() -> None:
    task = case_of("screen_watch_list", **CLEAN)
    asked = used("screen_watch_list", task) | {"country": "US", "list_scope": POLICY.list_scopes["us_citizen"]}
    entry = {"name": asked["verified_name"], "region": "us", "list": "pep", "country": "US"}
    same, other = asked["date_of_birth"], "1901-01-01"

    def shown(*entries: Record) -> Any:
        bank = bank_before(LOANS, task, "screen_watch_list")
        for number, changed in enumerate(entries):
            bank.put("watch_list", f"WL-{number:06d}", entry | changed)
        return run(bank, LOANS.tools, "screen_watch_list", asked)["list_entry_id"]

    wrong_birth, right = {"date_of_birth": other}, {"date_of_birth": same}
    wrong_country, abroad = right | {"country": "FR"}, right | {"region": "global"}
    assert shown(wrong_birth, right, right) == "WL-000001"
    assert shown(wrong_birth, wrong_country) == "WL-000000"
    assert shown(wrong_country, wrong_birth, right) == "WL-000002"
    assert shown(abroad, wrong_birth) == "WL-000001"
    assert shown(abroad) is None


def refusal(bank: Bank, tool: str, arguments: Mapping[str, Any]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        run(bank, LOANS.tools, tool, arguments)
    return caught.value


def test_a_failed_identification_shows_nothing_and_carries_no_screening() -> None:
    task = case_of("screen_watch_list", **CLEAN)
    bank = bank_before(LOANS, task, "verify_identity")
    wrong = used("verify_identity", task) | {"full_name": "Somebody Else"}
    failed = run(bank, LOANS.tools, "verify_identity", wrong)
    assert [failed[name] for name in ("verified_name", "date_of_birth", "country")] == [None] * 3
    asked = used("screen_watch_list", task) | {"verification_id": failed["verification_id"]}
    error = refusal(bank, "screen_watch_list", asked)
    assert error.kind is ErrorKind.ORDER and "not confirmed" in error.message
    assert not any(word in error.message for word in ("deny", "denial", "identity_not_verified"))
    assert run(bank, LOANS.tools, "verify_identity", used("verify_identity", task))["verified_name"] is not None
    assert run(bank, LOANS.tools, "screen_watch_list", asked)["screening_result"] == "clear"


def test_an_employment_that_is_not_confirmed_shows_nothing_and_carries_no_income() -> None:
    task = case_of("calculate_qualifying_income")
    bank = bank_before(LOANS, task, "verify_employment")
    wrong = used("verify_employment", task) | {"employer_name": "Nobody & Sons"}
    failed = run(bank, LOANS.tools, "verify_employment", wrong)
    assert {name for name, value in failed.items() if value is not None} == {"employment_id", "employment_status"}
    assert tuple(failed) == LOANS.tools["verify_employment"].outputs
    asked = used("calculate_qualifying_income", task) | {"employment_id": failed["employment_id"]}
    error = refusal(bank, "calculate_qualifying_income", asked)
    assert error.kind is ErrorKind.ORDER and "not confirmed" in error.message
    assert not any(word in error.message for word in ("deny", "denial", "employment_not_verified"))
    assert run(bank, LOANS.tools, "verify_employment", used("verify_employment", task))["gross_pay"] is not None
    assert run(bank, LOANS.tools, "calculate_qualifying_income", asked)["monthly_income"] > 0


def test_a_tradeline_on_two_reports_counts_once() -> None:
    task = case_of("calculate_monthly_debts", applicants="joint")
    bank = bank_before(LOANS, task, "calculate_monthly_debts")
    asked = used("calculate_monthly_debts", task)
    line = {"tradeline_id": "TL-000001", "kind": "lease", "role": "joint", "balance": 90_000, "monthly_payment": 12_345}
    own = line | {"tradeline_id": "TL-000002", "monthly_payment": 100}
    first, second = asked["report_ids"]
    bank.update("reports", first, tradelines=[line])
    bank.update("reports", second, tradelines=[line, own])
    nothing_else = {"excluded_tradelines": [], "monthly_housing_cost": 0, "monthly_support_paid": 0}
    result = run(bank, LOANS.tools, "calculate_monthly_debts", asked | nothing_else)
    assert result == {"monthly_debts": 124.45, "counted_tradelines": ["TL-000001", "TL-000002"]}


def test_reports_are_asked_for_while_one_is_missing() -> None:
    task = case_of("calculate_monthly_debts", applicants="joint")
    bank = LOANS.bank(task)
    for call in task.standard.calls:
        run(bank, LOANS.tools, call.name, call.arguments)
        if call.name == "pull_credit_report":
            break
    asked = used("calculate_monthly_debts", task)
    error = refusal(bank, "calculate_monthly_debts", asked)
    assert error.kind is ErrorKind.ORDER and "pull_credit_report comes first" in error.message


def test_the_annual_percentage_rate_leaves_mortgage_insurance_out() -> None:
    task = case_of("calculate_payment")
    asked = used("calculate_payment", task)
    results = [
        run(bank_before(LOANS, task, "calculate_payment"), LOANS.tools, "calculate_payment", {**asked, **changes})
        for changes in ({"mortgage_insurance_rate": 0.0}, {"mortgage_insurance_rate": 0.9})
    ]
    assert results[0]["apr"] == results[1]["apr"]
    assert results[0]["monthly_mortgage_insurance"] < results[1]["monthly_mortgage_insurance"]
    assert "leaves mortgage insurance out" in LOANS.tools["calculate_payment"].description


def test_masked_fields_are_no_argument_of_a_required_call() -> None:
    assert any(field.masked for field in LOANS.template.existing)
    masked = {field.name for field in LOANS.template.existing if field.masked}
    for task in TASKS:
        for call in task.standard.calls:
            assert not masked & call.arguments.keys()
            assert b"***" not in msgspec.json.encode(call.arguments), (task.id, call.name)
    for tool in LOANS.tools.of(Category.CORE):
        assert not masked & {parameter.name for parameter in tool.parameters}


def test_masked_fields_are_masked_wherever_they_stand() -> None:
    for task in TASKS:
        for record in task.tables["applications"].values():
            assert all(person["tax_id"].startswith("***-**-") for person in record["applicants"])
        for record in task.tables["customers"].values():
            assert record["phone"].startswith("***-***-") and "***@" in record["email"]
