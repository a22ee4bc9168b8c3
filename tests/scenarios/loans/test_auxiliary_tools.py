"""The auxiliary tools of the loans scenario: the set as a whole, customers, previews, casework and bad input."""

import json
from datetime import date
from typing import Any

import msgspec
import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.loans.tools.auxiliary import AUXILIARY
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category
from tests.scenarios.guards import run
from tests.scenarios.loans.auxiliary_bank import (
    ANN,
    BASE,
    BOB,
    CALLS,
    CASE,
    OLD_CASE,
    OTHER,
    OTHER_CASE,
    POLICY,
    TABLES,
    TOOLS,
    ask,
    error,
    new_bank,
)
from tests.scenarios.loans.guards import LOANS, TASKS

# The set as a whole


def test_there_are_21_tools_and_most_take_seven_or_more_parameters() -> None:
    assert len(AUXILIARY) == len(TOOLS) == 21
    assert {tool.category for tool in AUXILIARY} == {Category.AUXILIARY}
    assert sum(len(tool.parameters) >= 7 for tool in AUXILIARY) >= 9
    writing = {"add_case_note", "request_document", "create_reminder", "draft_customer_letter"}
    assert {tool.name for tool in AUXILIARY if tool.writes} == writing


def answer(name: str, arguments: dict[str, Any]) -> Any:
    bank = new_bank()
    for number, owner in enumerate((ANN, BOB, CASE, CASE)):
        bank.put("verifications" if number < 2 else "quotes", f"X-{number}", {"owner": owner, "status": "verified"})
    try:
        return ask(name, bank, **arguments)
    except ToolError as found:
        return found.to_dict()


PARAMETERS = [(tool.name, parameter.name) for tool in AUXILIARY for parameter in tool.parameters]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_every_parameter_counts(name: str, parameter: str) -> None:
    base = BASE[name] | CALLS[name].get("together", {}).get(parameter, {})
    expected = answer(name, base)
    assert "error" not in expected and "kind" not in expected, expected
    assert answer(name, base | {parameter: CALLS[name]["other"][parameter]}) != expected


@pytest.mark.parametrize("tool", AUXILIARY, ids=lambda tool: tool.name)
def test_results_are_short_typed_and_repeatable(tool: Any) -> None:
    first, second = new_bank(), new_bank()
    result = ask(tool.name, first, **BASE[tool.name])
    assert ask(tool.name, second, **BASE[tool.name]) == result
    assert first.state_hash() == second.state_hash()
    assert bool(first.diff()) == tool.writes
    assert len(json.dumps(result)) <= 650
    msgspec.convert(result, tool.result_type)


def test_writes_create_records_of_their_own_and_touch_nothing_else() -> None:
    there, back = new_bank(), new_bank()
    writing = [tool.name for tool in AUXILIARY if tool.writes]
    for bank, names in ((there, writing), (back, writing[::-1])):
        for name in [*names, names[0]]:
            ask(name, bank, **BASE[name])
    assert there.state_hash() == back.state_hash()
    changes = there.diff()
    assert {change.table for change in changes} == {"notes", "document_requests", "reminders", "drafts"}
    assert all(change.before is None and change.after["owner"] == CASE for change in changes)
    other = new_bank()
    ask("add_case_note", other, **BASE["add_case_note"] | {"case_id": OTHER_CASE})
    assert [change.after["owner"] for change in other.diff()] == [OTHER_CASE]


# Customers and what they hold


def ids(result: dict[str, Any], key: str, field: str) -> list[str]:
    return [item[field] for item in result[key]]


def test_search_finds_by_all_criteria_given() -> None:
    def found(**criteria: Any) -> list[str]:
        return ids(ask("search_customers", **criteria), "matches", "customer_id")

    assert found(last_name="smith") == [ANN, OTHER]
    assert found(last_name="LEE") == [OTHER]
    assert found(first_name="Smith") == []
    assert found(born_from="1985-03-02", born_to="1985-03-02") == [ANN]
    assert found(city="dayton", state="OH", first_name="Anna") == [OTHER]
    assert found(segment="premier") == [BOB]
    limited = ask("search_customers", state="OH", limit=1)
    assert limited["total"] == 2
    assert limited["matches"] == [
        {
            "customer_id": ANN,
            "full_name": "Ann Smith",
            "date_of_birth": "1985-03-02",
            "city": "Dayton",
            "state": "OH",
        }
    ]


def test_a_profile_is_masked_and_of_the_customer_asked_for() -> None:
    profile = ask("get_customer_profile", customer_id=BOB)
    assert profile["full_name"] == "Bob Jones"
    assert "***" in profile["phone"] and "***" in profile["email"]
    assert error("get_customer_profile", customer_id="CU-999999").kind is ErrorKind.VALIDATION


def test_accounts_are_filtered_sorted_and_summed() -> None:
    everything = ask("list_customer_accounts", customer_id=ANN)
    assert ids(everything, "accounts", "account_id") == ["AC-300001", "AC-300003"]
    assert (everything["total"], everything["total_balance"]) == (2, 11_500.5)
    by_balance = ask("list_customer_accounts", customer_id=ANN, sort_by="balance", include_closed=True, limit=2)
    assert ids(by_balance, "accounts", "account_id") == ["AC-300002", "AC-300003"]
    assert (by_balance["total"], by_balance["total_balance"]) == (3, 21_500.5)
    by_day = ask("list_customer_accounts", customer_id=ANN, sort_by="opened", include_closed=True)
    assert ids(by_day, "accounts", "account_id") == ["AC-300001", "AC-300003", "AC-300002"]
    by_id = ask("list_customer_accounts", customer_id=ANN, sort_by="account_id", kind="loan", include_closed=True)
    assert ids(by_id, "accounts", "account_id") == ["AC-300003"]
    assert ask("list_customer_accounts", customer_id=ANN, min_balance=9_000)["total"] == 1
    assert ask("list_customer_accounts", customer_id=ANN, min_balance=9_000.01)["total"] == 0
    since_2020 = ask("list_customer_accounts", customer_id=ANN, opened_from="2020-05-05", include_closed=True)
    assert ids(since_2020, "accounts", "account_id") == ["AC-300002", "AC-300003"]


def test_applications_of_a_customer_newest_first() -> None:
    found = ask("list_customer_applications", customer_id=ANN)["applications"]
    assert [(item["application_id"], item["role"]) for item in found] == [(CASE, "primary"), (OLD_CASE, "co_applicant")]
    assert (found[0]["requested_amount"], found[0]["decision"], found[1]["decision"]) == (20_000, None, "deny")
    decided = ask("list_customer_applications", customer_id=ANN, state_of_case="decided")
    assert ids(decided, "applications", "application_id") == [OLD_CASE]


# Previews


def test_a_soft_inquiry_gives_a_band_and_no_score() -> None:
    base = BASE["request_soft_credit_inquiry"]
    assert ask("request_soft_credit_inquiry", **base) == {"file_found": True, "score_band": "good"}
    nothing = {"file_found": False, "score_band": None}
    assert ask("request_soft_credit_inquiry", **base | {"date_of_birth": "1985-03-03"}) == nothing
    no_file = {"customer_id": OTHER, "full_name": "Anna Lee Smithson", "date_of_birth": "1990-07-04"}
    assert ask("request_soft_credit_inquiry", **base | no_file) == nothing
    bob = {"customer_id": BOB, "full_name": "Bob Jones", "date_of_birth": "1983-11-20"}
    assert ask("request_soft_credit_inquiry", **base | bob)["score_band"] == "poor"
    review = {"inquiry_reason": "account_review", "consent_date": None}
    assert ask("request_soft_credit_inquiry", **base | review)["score_band"] == "good"
    assert ask("request_soft_credit_inquiry", **base | {"consent_date": "2026-03-10"})["file_found"]
    assert error("request_soft_credit_inquiry", **base | bob | review).field == "inquiry_reason"  # closed accounts only


def test_the_preview_of_names_only_counts() -> None:
    def count(**more: Any) -> int:
        result = ask("preview_watch_list_names", **BASE["preview_watch_list_names"] | more)
        assert set(result) == {"similar_entries"}
        return int(result["similar_entries"])

    assert count() == 3
    assert count(similarity="same_words") == 1
    assert count(searched_lists="sanctions") == 1
    assert count(entry_country="US") == 1
    assert count(born_year_from=1988) == 0
    assert count(born_year_from=1960, born_year_to=1985) == 2


def test_market_values_by_hand() -> None:
    def value(**changes: Any) -> float:
        return float(ask("estimate_market_value", **BASE["estimate_market_value"] | changes)["index_value"])

    assert value() == 17_360  # 20,000 less 12 %, less 8 cents for each of 3,000 miles too many
    assert value(miles_driven=12_000) == 17_600
    assert value(condition="fair", miles_driven=12_000) == 16_368  # less 7 %
    assert value(bought_on="2024-03-10", miles_driven=24_000) == 15_488  # twice 12 %, usual mileage
    assert value(miles_driven=500_000) == 2_000  # the floor
    estimate = ask("estimate_market_value", **BASE["estimate_market_value"])
    assert estimate["yearly_change_percent"] == -12
    home = {"collateral_type": "house", "price_paid": 200_000, "bought_on": "2024-03-10", "miles_driven": 0}
    assert value(**home) == 212_180  # twice 3 % in the Midwest
    assert value(**home | {"bought_on": "2025-12-27"}) == 201_200  # 3 % for 73 days, a fifth of a year
    assert value(**home, location_state="AZ") == 218_405  # twice 4.5 % in the West
    assert value(**home | {"collateral_type": "condominium"}) == 208_080  # twice 2 %
    assert value(**home, valuation_date="2024-03-10") == 200_000


# Casework


def test_reminders_fall_on_business_days() -> None:
    base = BASE["create_reminder"]
    once = ask("create_reminder", **base)
    assert (once["first_reminder_on"], once["reminders_in_all"]) == ("2026-03-20", 1)
    ahead = ask("create_reminder", **base | {"business_days_before": 5, "repeat": "each_business_day"})
    assert (ahead["first_reminder_on"], ahead["reminders_in_all"]) == ("2026-03-13", 6)
    urgent = ask("create_reminder", **base | {"priority": "high"})
    assert urgent["first_reminder_on"] == "2026-03-10"
    capped = ask("create_reminder", **base | {"due_on": "2026-03-11", "business_days_before": 9})
    assert capped["first_reminder_on"] == "2026-03-10"
    furthest = ask("create_reminder", **base | {"due_on": "2026-06-08", "priority": "high"})
    assert furthest["first_reminder_on"] == "2026-03-10"


@pytest.mark.parametrize(
    ("name", "field"),
    [("create_reminder", "due_on"), ("request_document", "answer_by"), ("draft_customer_letter", "answer_by")],
)
def test_no_day_is_set_that_the_calendar_does_not_know(name: str, field: str) -> None:
    bank = Bank(TABLES, date(2027, 2, 22), POLICY, CASE, case_table="applications")
    ask(name, bank, **BASE[name] | {field: "2027-02-26"})
    found = error(name, bank, **BASE[name] | {field: "2027-03-01"})
    assert (found.kind, found.field) == (ErrorKind.VALIDATION, field)


def test_requests_for_documents_may_be_answered_for_90_days() -> None:
    copy = BASE["request_document"] | {"channel": "email", "answer_by": "2026-06-08"}
    assert ask("request_document", **copy)["days_to_answer"] == 90
    original = BASE["request_document"] | {"original_required": True, "answer_by": "2026-03-10"}
    assert ask("request_document", **original)["days_to_answer"] == 0


def test_letters_say_what_was_asked_for() -> None:
    base = BASE["draft_customer_letter"]
    assert ask("draft_customer_letter", **base)["draft_text"] == (
        "Dear Ann Smith, Your application LA-200001 over $20,000 is being processed. "
        "We will be in touch by 2026-03-24. Sincerely, Loan Services"
    )
    reasons = next(p for p in TOOLS["draft_customer_letter"].parameters if p.name == "reason_mentioned").schema["enum"]
    texts = set()
    for language in ("english", "spanish"):
        for reason in sorted(set(reasons) - {"none"}):
            decline = {"letter_type": "decline_explanation", "language": language, "reason_mentioned": reason}
            texts.add(ask("draft_customer_letter", **base | decline)["draft_text"])
    assert len(texts) == 2 * (len(reasons) - 1)


def test_the_history_shows_what_was_recorded() -> None:
    bank = new_bank()
    bank.put("reports", "CR-500001", {"owner": ANN, "purpose": "credit_application", "tradelines": [{"balance": 1}]})
    bank.put("verifications", "ID-500001", {"owner": BOB, "status": "verified"})
    bank.put("decisions", "DE-500001", {"owner": OTHER_CASE, "decision": "approve", "amount": 1})
    ask("add_case_note", bank, **BASE["add_case_note"])
    ask("add_case_note", bank, **BASE["add_case_note"] | {"confidential": True, "about_customer_id": BOB})
    ask("draft_customer_letter", bank, **BASE["draft_customer_letter"])
    history = ask("get_case_history", bank, case_id=CASE, limit=6)
    rows = [(row["kind"], row["about"], row["detail"]) for row in history["records"]]
    assert rows[:2] == [("verification", BOB, "verified"), ("credit_report", ANN, None)]
    assert sorted(rows[2:4]) == [("note", BOB, "***"), ("note", CASE, "Called twice.")]
    assert rows[4:] == [("draft", ANN, "status_update")]
    assert history["total"] == 5
    about_bob = ask("get_case_history", bank, case_id=CASE, customer_id=BOB)
    assert {row["about"] for row in about_bob["records"]} == {BOB}
    second_note = ask("get_case_history", bank, case_id=CASE, record_kind="note", skip=1)
    assert second_note["records"] == history["records"][3:4]


def test_the_history_leaves_no_kind_of_record_out() -> None:
    tables = set()
    for task in [task for task in TASKS if task.branches["product"] == "personal"]:
        bank = LOANS.bank(task)
        for call in task.standard.calls:
            run(bank, LOANS.tools, call.name, call.arguments)
        written = [change.table for change in bank.diff() if change.table != "applications"]
        tables.update(written)
        history = run(bank, LOANS.tools, "get_case_history", {"case_id": task.case_id})
        assert history["total"] == len(written), task.id
    assert {"exposures", "reports", "letters", "quotes"} <= tables


# Bad input


@pytest.mark.parametrize(
    ("name", "changes", "field"),
    [
        ("search_customers", {"first_name": None}, "last_name"),
        ("search_customers", {"born_from": "1990-01-01", "born_to": "1980-01-01"}, "born_to"),
        ("list_customer_accounts", {"opened_from": "2020-01-01", "opened_to": "2019-01-01"}, "opened_to"),
        ("list_customer_applications", {"received_from": "2020-01-01", "received_to": "2019-01-01"}, "received_to"),
        ("days_between", {"end_date": "2026-03-09"}, "end_date"),
        ("build_amortization_schedule", {"loan_amount": 0}, "loan_amount"),
        ("build_amortization_schedule", {"annual_rate": 6.0001}, "annual_rate"),
        ("build_amortization_schedule", {"term_months": 12, "show_from_payment": 13}, "show_from_payment"),
        ("build_amortization_schedule", {"first_due_date": "9999-12-01"}, "first_due_date"),
        ("compare_loan_offers", {"fee_percent_b": 0.00001}, "fee_percent_b"),
        ("compare_loan_offers", {"loan_amount": 0}, "loan_amount"),
        ("estimate_payment", {"loan_amount": 0}, "loan_amount"),
        ("estimate_payment", {"balloon_amount": 20_000}, "balloon_amount"),
        ("estimate_payment", {"payment_frequency": "weekly", "term_months": 61}, "term_months"),
        ("estimate_debt_to_income", {"stated_income": 0}, "stated_income"),
        ("request_soft_credit_inquiry", {"consent_date": None}, "consent_date"),
        ("request_soft_credit_inquiry", {"consent_date": "2026-03-11"}, "consent_date"),
        ("request_soft_credit_inquiry", {"customer_id": "CU-999999"}, "customer_id"),
        ("preview_watch_list_names", {"born_year_from": 1990, "born_year_to": 1980}, "born_year_to"),
        ("estimate_market_value", {"location_state": "ZZ"}, "location_state"),
        ("estimate_market_value", {"collateral_type": "house"}, "miles_driven"),
        ("estimate_market_value", {"valuation_date": "2026-03-11"}, "valuation_date"),
        ("estimate_market_value", {"bought_on": "2026-03-11"}, "valuation_date"),
        ("estimate_market_value", {"price_paid": 0}, "price_paid"),
        ("add_case_note", {"case_id": "LA-999999"}, "case_id"),
        ("add_case_note", {"about_customer_id": OTHER}, "customer_id"),
        ("request_document", {"customer_id": OTHER}, "customer_id"),
        ("request_document", {"answer_by": "2026-03-09"}, "answer_by"),
        ("request_document", {"answer_by": "2026-03-14"}, "answer_by"),
        ("request_document", {"answer_by": "2026-06-09"}, "answer_by"),
        ("request_document", {"document": "government_id"}, "request_reason"),
        ("request_document", {"request_reason": "expired"}, "request_reason"),
        ("request_document", {"channel": "email", "original_required": True}, "channel"),
        ("create_reminder", {"due_on": "2026-05-25"}, "due_on"),
        ("create_reminder", {"due_on": "2026-06-09"}, "due_on"),
        ("create_reminder", {"due_on": "9999-12-31"}, "due_on"),
        ("draft_customer_letter", {"reason_mentioned": "vehicle_too_old"}, "reason_mentioned"),
        ("draft_customer_letter", {"letter_type": "decline_explanation"}, "reason_mentioned"),
        ("draft_customer_letter", {"amount_mentioned": 0}, "amount_mentioned"),
        ("get_case_history", {"customer_id": OTHER}, "customer_id"),
    ],
)
def test_values_that_cannot_be_are_refused_and_write_nothing(name: str, changes: dict[str, Any], field: str) -> None:
    bank = new_bank()
    found = error(name, bank, **BASE[name] | changes)
    assert (found.kind, found.field) == (ErrorKind.VALIDATION, field)
    assert bank.diff() == []


@pytest.mark.parametrize(
    ("name", "changes", "kind"),
    [
        ("get_lending_policy", {"topic": "weather"}, ErrorKind.VALIDATION),
        ("get_customer_profile", {"customer_id": "CU-1"}, ErrorKind.VALIDATION),
        ("search_customers", {"limit": 11}, ErrorKind.VALIDATION),
        ("add_days", {"days": 1001}, ErrorKind.VALIDATION),
        ("add_days", {"days": "3"}, ErrorKind.TYPE),
        ("add_days", {"start_date": "2026-02-31"}, ErrorKind.TYPE),
        ("estimate_payment", {"loan_amount": 100.001}, ErrorKind.VALIDATION),
        ("estimate_payment", {"annual_rate": -1}, ErrorKind.VALIDATION),
        ("estimate_payment", {"surprise": 1}, ErrorKind.VALIDATION),
        ("create_reminder", {"business_days_before": 11}, ErrorKind.VALIDATION),
        ("add_case_note", {"note_text": ""}, ErrorKind.VALIDATION),
    ],
)
def test_calls_wrong_in_shape_or_type(name: str, changes: dict[str, Any], kind: ErrorKind) -> None:
    assert error(name, **BASE[name] | changes).kind is kind
