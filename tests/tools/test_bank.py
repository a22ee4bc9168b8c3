"""The copy-on-write bank compared with a simple model: deep copies of dictionaries."""

import copy
import json
from datetime import date
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule

from teller_gym.base.errors import IdClashError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import generate_task
from teller_gym.tools.bank import Bank, IssuingBank, Snapshot, changed_fields

TODAY = date(2026, 3, 4)
TABLES = st.sampled_from(["customers", "accounts", "notes"])
KEYS = st.sampled_from(["A-1", "A-2", "A-3", "B-1", "B-2"])
RECORDS = st.dictionaries(
    st.sampled_from(["owner", "name", "balance"]), st.integers(0, 3) | st.sampled_from(["A-1", "B-1"]), max_size=3
)
ROWS = st.dictionaries(KEYS, RECORDS, max_size=3)
BASES = st.fixed_dictionaries(
    {"customers": st.dictionaries(KEYS, RECORDS, min_size=3)}, optional={"accounts": ROWS, "notes": ROWS}
)
Model = dict[str, dict[str, dict[str, Any]]]

CLASHING = 19_537
"""Seed of a Loans case in which the bureau's reports on both applicants would get the id CR-159591."""
TWIN = "1035456"
"""Part of a reference that gives the same id as the part "one"."""


class BankMachine(RuleBasedStateMachine):
    """Performs the same operations on a bank and a model, and compares them after every step."""

    snapshots: Bundle[tuple[Snapshot, Model, list[tuple[str, str]]]] = Bundle("snapshots")

    @initialize(base=BASES)
    def start(self, base: Model) -> None:
        self.base = base
        self.untouched = copy.deepcopy(base)
        self.bank = Bank(base, TODAY, None, "C-1")
        self.model = copy.deepcopy(base)
        self.created: list[tuple[str, str]] = []
        self.other = self.bank.fork(self.bank.snapshot())

    @rule(table=TABLES, key=KEYS, record=RECORDS)
    def put(self, table: str, key: str, record: dict[str, Any]) -> None:
        self.bank.put(table, key, record)
        if (table, key) not in self.created and key not in self.base.get(table, {}):
            self.created.append((table, key))
        self.model.setdefault(table, {})[key] = copy.deepcopy(record)

    @rule(table=TABLES, key=KEYS, field=st.sampled_from(["name", "balance"]), value=st.integers(0, 3))
    def update(self, table: str, key: str, field: str, value: int) -> None:
        if key in self.model.get(table, {}):
            expected = {**self.model[table][key], field: value}
            assert self.bank.update(table, key, **{field: value}) == expected
            self.model[table][key] = expected
        else:
            with pytest.raises(KeyError, match=f"{table}/{key}"):
                self.bank.update(table, key, **{field: value})

    @rule(target=snapshots)
    def snapshot(self) -> tuple[Snapshot, Model, list[tuple[str, str]]]:
        return self.bank.snapshot(), copy.deepcopy(self.model), self.created.copy()

    @rule(taken=snapshots)
    def go_back(self, taken: tuple[Snapshot, Model, list[tuple[str, str]]]) -> None:
        snapshot, model, created = taken
        self.bank = self.bank.fork(snapshot)
        self.model, self.created = copy.deepcopy(model), created.copy()

    @invariant()
    @precondition(lambda self: hasattr(self, "bank"))
    def same_content(self) -> None:
        for table in ("customers", "accounts", "notes"):
            rows = self.model.get(table, {})
            assert dict(self.bank.rows(table)) == rows
            order = [*self.base.get(table, {}), *(key for name, key in self.created if name == table)]
            assert [key for key, _ in self.bank.rows(table)] == order
            for key in ("A-1", "A-2", "A-3", "B-1", "B-2"):
                assert self.bank.get(table, key) == rows.get(key)

    @invariant()
    @precondition(lambda self: hasattr(self, "bank"))
    def same_difference(self) -> None:
        expected = [
            (table, key, self.untouched.get(table, {}).get(key), record)
            for table, rows in sorted(self.model.items())
            for key, record in sorted(rows.items())
            if self.untouched.get(table, {}).get(key) != record
        ]
        assert [(c.table, c.key, c.before, c.after) for c in self.bank.diff()] == expected
        unchanged = self.bank.state_hash() == Bank(self.base, TODAY, None, "C-1").state_hash()
        assert unchanged == (not expected)

    @invariant()
    @precondition(lambda self: hasattr(self, "bank"))
    def nothing_leaks(self) -> None:
        assert self.base == self.untouched
        assert self.other.diff() == []


BankMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=20, deadline=None)
TestBankMachine = BankMachine.TestCase


def test_the_hash_depends_on_what_changed_not_on_the_way() -> None:
    base: Model = {"customers": {"A-1": {"name": "a"}}}
    one, other = (Bank(base, TODAY, None, "C-1") for _ in range(2))
    one.put("notes", "N-1", {"text": "x"})
    one.update("customers", "A-1", name="b")
    other.update("customers", "A-1", name="c")
    other.update("customers", "A-1", name="b")
    other.put("notes", "N-1", {"text": "x"})
    assert one.state_hash() == other.state_hash()
    other.put("notes", "N-1", {"text": "y"})
    assert one.state_hash() != other.state_hash()


def test_writing_what_stood_there_is_no_change() -> None:
    bank = Bank({"customers": {"A-1": {"name": "a"}}}, TODAY, None, "C-1")
    bank.update("customers", "A-1", name="a")
    assert bank.diff() == []


def test_changed_fields() -> None:
    before = {"a": 1, "b": 2, "gone": None}
    assert changed_fields(before, {"a": 1, "b": 3, "new": 4}) == {"b", "new"}
    assert changed_fields({}, {"a": 1}) == {"a"}


def test_references_depend_on_case_and_parts_alone() -> None:
    bank = Bank({}, TODAY, None, "LA-100001")
    first = bank.reference("SC", "CU-100001")
    bank.put("notes", "N-1", {})
    assert bank.reference("SC", "CU-100001") == first
    others = {
        bank.reference("SC", "CU-100002"),
        bank.reference("ID", "CU-100001"),
        Bank({}, TODAY, None, "LA-100002").reference("SC", "CU-100001"),
    }
    assert first not in others and len({*others, first}) == 4
    assert len({bank.reference("XX", json.dumps(n)) for n in range(1_000)}) > 995


def test_a_bank_notes_when_two_records_share_an_id() -> None:
    bank = IssuingBank({}, date(2026, 7, 3), None, "LA-880658")
    first = bank.reference("CR", "one")
    assert bank.reference("CR", "one") == first and bank.clash is None
    assert bank.reference("CR", TWIN) == bank.clash == first


def test_a_case_in_which_they_would_is_drawn_again() -> None:
    task = generate_task("loans", CLASHING)
    assert task.id == f"loans-g-{CLASHING}" and task.seed > 2**40
    scenario = load_scenario("loans")
    draft = scenario.draft(CLASHING)
    with pytest.raises(IdClashError, match="two records of the expert in LA-880658 have the id CR-159591"):
        scenario.run_expert(draft)
