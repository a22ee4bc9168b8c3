"""Tests that the leak check finds a planted copy despite superficial changes, and no leak in the frozen splits."""

from datetime import date, timedelta
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from teller_gym.base.text import fingerprint
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.leaks import MOST_SIMILAR, compared, encoded, leaks, normalised, similarity
from teller_gym.tasks.store import FROZEN_SPLITS, split_tasks

SCENARIO = load_scenario("loans")
TODAY = date(2026, 3, 4)


def disguised(task: Task, days: int = 40) -> Task:
    """Return a copy with other ids and names, shifted dates and slightly changed amounts."""

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: change_field(key, item) for key, item in value.items()}
        if isinstance(value, list):
            return [change(item) for item in value]
        if isinstance(value, str) and len(value) == 10 and value[4:8:3] == "--":
            return (date.fromisoformat(value) + timedelta(days=days)).isoformat()
        return value

    def change_field(key: str, value: Any) -> Any:
        if key == "full_name":
            return "Somebody Else"
        if key.endswith("_id") and value:
            return value[:3] + "999999"
        return change(value).upper() if key == "note" else change(value)

    table, record = SCENARIO.template.table, task.tables[SCENARIO.template.table][task.case_id]
    copy = change(record)
    copy["requested_amount"] += copy["requested_amount"] // 2000
    tables = {**task.tables, table: {"LA-999999": copy}}
    changed = msgspec.structs.replace(
        task, id=f"{task.id}-copy", case_id="LA-999999", tables=tables, today=task.today + timedelta(days=days)
    )
    return msgspec.structs.replace(changed, fingerprint=SCENARIO.case_fingerprint(changed), split=Split.TRAIN)


def test_the_frozen_splits_of_loans_are_apart() -> None:
    copies, near = leaks("Teller-Loans-v0", 150)
    assert copies.passed and near.passed
    assert near.measured["most"] < MOST_SIMILAR - 0.05
    assert near.measured["pairs"] > 80_000


@pytest.mark.parametrize("number", [0, 7, 31])
def test_a_disguised_copy_is_found(number: int) -> None:
    tasks = {split: list(split_tasks("loans", split)) for split in FROZEN_SPLITS}
    original = tasks[Split.HELDOUT][number]
    planted = disguised(original)
    assert planted.fingerprint != original.fingerprint
    tasks[Split.TRAIN].append(planted)
    copies, near = compared(SCENARIO, tasks)
    assert copies.passed
    assert not near.passed
    assert planted.id in near.problems[0] and original.id in near.problems[0]


def test_a_copy_under_another_id_is_found_by_its_case_and_by_its_tables() -> None:
    (held,) = teller_gym.load_tasks("loans", "heldout", 1)
    same = msgspec.structs.replace(held, id="loans-g-1", split=Split.GENERATED)
    tables = msgspec.structs.replace(same, fingerprint=fingerprint("another"))
    for copy, words in ((same, "has the case of"), (tables, "has the tables of")):
        copies, _ = compared(SCENARIO, {Split.HELDOUT: [held], Split.GENERATED: [copy]})
        assert words in copies.problems[0]


def test_splits_that_are_both_trained_on_may_share_a_case() -> None:
    task = split_tasks("loans", Split.TRAIN)[0]
    same = msgspec.structs.replace(task, id="loans-g-1", split=Split.GENERATED)
    assert all(item.passed for item in compared(SCENARIO, {Split.TRAIN: [task], Split.GENERATED: [same]}))


def test_similarity_is_the_share_of_fields_that_either_has() -> None:
    mine = np.array([[1, 2, 3, -1], [-1, -1, -1, -1]], dtype=np.int32)
    theirs = np.array([[1, 2, 4, -1], [1, -1, -1, 5], [1, 2, 3, -1]], dtype=np.int32)
    assert similarity(mine, theirs).tolist() == pytest.approx(np.array([[2 / 3, 1 / 4, 1], [0, 0, 0]]))


def test_each_case_is_like_itself() -> None:
    codes = encoded(SCENARIO, split_tasks("loans", Split.VALIDATION))
    share = similarity(codes, codes)
    assert np.allclose(np.diag(share), 1)
    assert np.allclose(share, share.T)


@given(st.dates(date(1950, 1, 1), date(2080, 1, 1)), st.integers(0, 5000))
def test_dates_count_from_the_business_date(day: date, later: int) -> None:
    moved = (day + timedelta(days=later)).isoformat()
    assert normalised(moved, TODAY + timedelta(days=later)) == normalised(day.isoformat(), TODAY)
    assert normalised(moved, TODAY) == normalised(day.isoformat(), TODAY) or later


@given(st.integers(100, 10**9))
def test_amounts_keep_two_digits(amount: int) -> None:
    found = normalised(amount, TODAY)
    assert abs(found - amount) <= amount / 20
    assert len(str(int(found)).rstrip("0")) <= 2


def test_names_lists_and_ids() -> None:
    assert normalised("  ANN  Lee", TODAY) == normalised("Ann lee", TODAY)
    assert normalised(["b", "A"], TODAY) == normalised(["a", "B"], TODAY)
    assert normalised(["TL-100000", "TL-100001"], TODAY) == ["id", "id"]
    assert normalised({"loan_id": "AC-1", "kind": "Auto"}, TODAY) == {"kind": "auto"}
    assert [normalised(value, TODAY) for value in (True, None, 0)] == [True, None, 0]
