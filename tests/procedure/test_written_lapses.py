"""Tests that lapses declared in YAML override the officer's answers."""

from datetime import date
from typing import Any, ClassVar, NamedTuple

import pytest

import teller_gym
from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.written_lapses import answers
from teller_gym.registration import OWN


class Ending(NamedTuple):
    decision: str
    amount: int


class Judge:
    """An officer without calls."""

    case: ClassVar = {"fee": 1.25, "opened": "2026-03-01", "codes": ["A", "B"]}
    today = date(2026, 3, 2)

    def rows(self) -> list[int]:
        return [1]

    def is_old(self, row: dict[str, Any], days: int = 0, *, strict: bool = False) -> bool:
        return bool(row["age"] > days + strict)

    def desk(self, ending: Ending) -> str:
        return "senior" if ending.amount > 5 else ending.decision

    def letter(self, kind: str) -> str:
        return f"{kind} letter"


@pytest.mark.parametrize(
    ("judgement", "answer", "expected"),
    [
        ("letter", None, None),
        ("letter", {"read": "kind"}, "deny"),
        ("letter", {"read": "today.isoformat"}, "2026-03-02"),
        ("letter", {"read": "rows.0"}, 1),
        ("letter", {"read": "case.codes.-1"}, "B"),
        ("letter", {"cents": "case.fee"}, 125),
        ("letter", {"day": "case.opened"}, date(2026, 3, 1)),
        ("letter", {"as_if": {"kind": {"deny": "other"}}}, "other letter"),
        ("letter", {"as_if": {"kind": {"approve": "other"}}}, "deny letter"),
        ("letter", {"instead": {"deny letter": "note"}}, "note"),
        ("letter", {"instead": {"other letter": "note"}}, "deny letter"),
        ("letter", {"rule": "f'{right}!' if kind == 'deny' else kind"}, "deny letter!"),
        ("letter", {"rule": "answer(case.codes[0])"}, "A letter"),
        ("letter", {"rule": "is_old({'age': 1}) and today == date('2026-03-02')"}, True),
    ],
)
def test_a_judgement_is_answered(judgement: str, answer: Any, expected: Any) -> None:
    worker = answers(**{judgement: answer})(type("Lapsing", (Judge,), {}))
    assert getattr(worker(), judgement)("deny") == getattr(worker(), judgement)(kind="deny") == expected


def test_arguments_are_judged_as_if_they_were_others() -> None:
    row = {"age": 3}
    older = answers(is_old={"as_if": {"row": {"age": 9}}})(type("Older", (Judge,), {}))()
    later = answers(is_old={"as_if": {"strict": True}})(type("Later", (Judge,), {}))()
    cheap = answers(desk={"as_if": {"ending": {"amount": 0}}})(type("Cheap", (Judge,), {}))()
    assert not Judge().is_old(row, 5) and older.is_old(row, 5) and row == {"age": 3}
    assert Judge().is_old(row, 2, strict=False) and not later.is_old(row, days=2, strict=False)
    assert Judge().desk(Ending("pay", 9)) == "senior" and cheap.desk(Ending("pay", 9)) == "pay"


def test_a_list_is_answered_anew_each_time() -> None:
    judge = answers(rows=[])(type("Empty", (Judge,), {}))()
    judge.rows().append(1)
    assert judge.rows() == []


@pytest.mark.parametrize("given", [{"is_young": True}, {"case": None}, {"is_old": {"as_if": {"line": {}}}}])
def test_what_the_officer_does_not_judge_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError, match="expected"):
        answers(**given)(type("Wrong", (Judge,), {}))


@pytest.mark.parametrize("name", [entry.name for entry in OWN])
def test_codes_are_mistaken_for_another_rows(name: str) -> None:
    scenario = teller_gym.load_scenario(name)
    mistaken = [lapse for key, lapse in scenario.lapses.items() if key.endswith("_mistaken")]
    assert len(mistaken) >= 3
    assert all("{" not in clause + lapse.sentence for lapse in mistaken for clause in lapse.clauses)
