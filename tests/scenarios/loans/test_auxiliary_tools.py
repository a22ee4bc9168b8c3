"""Auxiliary tools of the loans scenario: their records, the case history, and calculators against other computations.

Their results and refusals are in ``auxiliary.yaml``.
"""

from datetime import date, timedelta
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind
from tests.scenarios import auxiliary
from tests.scenarios.guards import run
from tests.scenarios.loans.cases import LOANS, TASKS

TOOLS = auxiliary.tools_of("loans")
BASE = {name: example.call for name, example in auxiliary.examples("loans").calls.items()}
ANN, BOB = "CU-100001", "CU-100002"
CASE, OTHER_CASE = "LA-200001", "LA-200003"
new_bank = partial(auxiliary.new_bank, "loans")
ask = partial(auxiliary.ask, "loans")
error = partial(auxiliary.error, "loans")


def test_writes_create_records_of_their_own_and_touch_nothing_else() -> None:
    there, back = new_bank(), new_bank()
    writing = [tool.name for tool in TOOLS.values() if tool.writes]
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


@pytest.mark.parametrize(
    ("name", "field"),
    [("create_reminder", "due_on"), ("request_document", "answer_by"), ("draft_customer_letter", "answer_by")],
)
def test_no_day_is_set_that_the_calendar_does_not_know(name: str, field: str) -> None:
    bank = auxiliary.new_bank("loans", today=date(2027, 2, 22))
    ask(name, bank, **BASE[name] | {field: "2027-02-26"})
    found = error(name, bank, **BASE[name] | {field: "2027-03-01"})
    assert (found.kind, found.field) == (ErrorKind.VALIDATION, field)


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


def test_letters_differ_by_language_and_reason() -> None:
    reasons = next(p for p in TOOLS["draft_customer_letter"].parameters if p.name == "reason_mentioned").schema["enum"]
    texts = set()
    for language in ("english", "spanish"):
        for reason in sorted(set(reasons) - {"none"}):
            decline = {"letter_type": "decline_explanation", "language": language, "reason_mentioned": reason}
            texts.add(ask("draft_customer_letter", **BASE["draft_customer_letter"] | decline)["draft_text"])
    assert len(texts) == 2 * (len(reasons) - 1)


# Calculators, checked by independent computations


OPEN_DAYS = [
    day
    for day in (date(2026, 1, 1) + timedelta(days=i) for i in range(365))
    if day.isoweekday() <= 5 and day not in LOANS.policy.holidays
]
IN_2026 = st.integers(60, 300).map(lambda i: date(2026, 1, 1) + timedelta(days=i))


@given(IN_2026, st.integers(1, 30))
def test_business_days_added_are_those_on_the_list_of_open_days(start: date, count: int) -> None:
    after = [day for day in OPEN_DAYS if day > start]
    before = [day for day in OPEN_DAYS if day < start]
    for days, expected in ((count, after[count - 1]), (-count, before[-count])):
        found = ask("add_days", start_date=start.isoformat(), days=days, unit="business", roll="none")
        assert found["result_date"] == expected.isoformat()


@given(
    cents=st.integers(10_000, 80_000_000),
    rate=st.integers(0, 25_000),
    months=st.integers(1, 360),
    extra=st.integers(0, 100_000),
)
def test_schedules_pay_back_what_was_borrowed(cents: int, rate: int, months: int, extra: int) -> None:
    arguments = {
        "loan_amount": cents / 100,
        "annual_rate": rate / 1000,
        "term_months": months,
        "first_due_date": "2026-01-15",
        "extra_monthly_payment": extra / 100,
    }
    result = ask("build_amortization_schedule", **arguments, show_payments=1)
    count = result["payments_in_all"]
    last = ask("build_amortization_schedule", **arguments, show_from_payment=count, show_payments=1)["payments"][0]
    assert last["balance"] == 0
    assert count <= months
    factor = rate / 1_200_000
    payment = cents / months if rate == 0 else cents * factor / (1 - (1 + factor) ** -months)
    assert abs(result["level_payment"] * 100 - payment) < 0.51
    # Total interest is the amount paid beyond the principal; all payments but the last are level.
    last_payment = round((last["interest"] + last["principal"]) * 100)
    paid = (count - 1) * (round(result["level_payment"] * 100) + extra) + last_payment
    assert round(result["total_interest"] * 100) == paid - cents


@given(
    cents=st.integers(100_000, 80_000_000),
    rate=st.integers(1, 25_000),
    years=st.integers(1, 30),
    frequency=st.sampled_from([("monthly", 12), ("biweekly", 26), ("weekly", 52)]),
    share=st.integers(0, 9),
)
def test_estimated_payments_are_worth_the_loan(
    cents: int, rate: int, years: int, frequency: tuple[str, int], share: int
) -> None:
    name, a_year = frequency
    balloon = cents * share // 10
    result = ask(
        "estimate_payment",
        loan_amount=cents / 100,
        annual_rate=rate / 1000,
        term_months=12 * years,
        payment_frequency=name,
        balloon_amount=balloon / 100,
    )
    balance, factor = float(cents), 1 + rate / 100_000 / a_year
    growth = 0.0
    for _ in range(years * a_year):
        balance = balance * factor - result["estimated_payment"] * 100
        growth = growth * factor + 1
    assert result["number_of_payments"] == years * a_year
    assert abs(balance - balloon) <= 0.51 * growth + 1e-3
