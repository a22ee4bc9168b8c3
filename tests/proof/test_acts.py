"""Tests that the claims about acts detect graders that miss wrong acts, and notes that change other records."""

from typing import Any

import msgspec
import pytest

from teller_gym.grading.gates import Order
from teller_gym.grading.rubric import Rubric
from teller_gym.grading.state import EndState
from teller_gym.proof.report import ProofItem
from teller_gym.proof.solvable import right_ways
from teller_gym.proof.wrong_acts import wrong_acts
from teller_gym.tools.bank import Bank
from tests.proof.test_suite import ENV as STUB

LOANS = "Teller-Loans-v0"
CLASSES = {
    "about another's case",
    "another ending first",
    "before its gate",
    "before its gate, then in its place",
    "final act done twice",
    "final act of a tool around the procedure",
    "not asked for",
    "record changed too late",
    "wrong final",
    "wrong final act, then the right one",
    "wrong revisable",
}


@pytest.fixture(autouse=True)
def fresh_rubrics(monkeypatch: pytest.MonkeyPatch) -> None:
    from teller_gym.envs.episode import bank

    monkeypatch.setattr(bank, "_RUBRICS", {})


def test_every_class_of_wrong_act_is_tried_and_loses() -> None:
    found = wrong_acts(LOANS, 12)
    assert found.passed, found.problems
    assert found.measured["tried"].keys() == CLASSES
    assert min(found.measured["tried"].values()) >= 5
    assert found.measured["instances"] == 12


def test_right_ways_are_of_many_kinds() -> None:
    found = right_ways(LOANS, 12)
    assert found.passed, found.problems
    assert found.measured["orders"] == 60 and found.measured["different"] > 20
    assert {"add_case_note", "create_reminder", "draft_customer_letter", "get_rate_table"} <= set(
        found.measured["tools"]
    )


@pytest.mark.parametrize("check", [wrong_acts, right_ways])
def test_a_scenario_without_gates_or_notes_has_them_too(check: Any) -> None:
    found: ProofItem = check(STUB)
    assert found.passed, found.problems


def test_a_grader_that_overlooks_acts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.grading.grader.wrong_acts", lambda *_: [])
    found = wrong_acts(LOANS, 2)
    assert not found.passed
    assert any("final act done twice keeps success" in problem for problem in found.problems)


def test_a_grader_that_overlooks_the_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EndState, "compare", lambda *_: ([], True))
    assert not wrong_acts(LOANS, 12).passed


def test_a_grader_that_overlooks_gates_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Order, "_before_gate", lambda *_: 0)
    found = wrong_acts(LOANS, 2)
    assert any("before its gate" in problem and "keeps success" in problem for problem in found.problems)


def test_a_grader_that_wants_more_order_than_the_sop_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    build = Rubric.__init__

    def strict(self: Rubric, *args: Any) -> None:
        build(self, *args)
        self.required = tuple(msgspec.structs.replace(each, after=each.bit - 1) for each in self.required)
        self.by_name = {name: tuple(self.required[each.index] for each in of) for name, of in self.by_name.items()}

    monkeypatch.setattr("teller_gym.envs.episode.bank.Rubric", type("Strict", (Rubric,), {"__init__": strict}))
    found = right_ways(LOANS, 4)
    assert not found.passed and "score 0." in found.problems[0]


def test_a_note_that_writes_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    put = Bank.put

    def careless(self: Bank, table: str, key: str, record: Any) -> None:
        put(self, "letters" if table == "reminders" else table, key, record)

    monkeypatch.setattr(Bank, "put", careless)
    found = right_ways(LOANS, 2)
    assert "create_reminder may write only notes, and writes letters" in found.problems[0]
