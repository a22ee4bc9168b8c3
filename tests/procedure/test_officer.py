"""The classes that experts and their lapses derive from: what they ask, how a case ends, what a refusal does."""

from typing import Any

import pytest

from teller_gym.procedure import careless, officer
from teller_gym.procedure.officer import CaseEndedError, Seen, Steps, of
from teller_gym.tools.call import Call

REFUSED: Seen = {"error": {"kind": "invalid_value"}}


class Clerk(officer.Officer):
    case_argument = "claim_id"

    def __init__(self, case_id: str) -> None:
        self.case_id = case_id
        self.opened = False

    def work(self) -> Steps:
        try:
            yield from self.open()
            found = yield from self.about_case("assess", amount=5)
            yield from self.end(found.get("ending"))
        except CaseEndedError as end:
            yield from self.ask("refuse", reason=end.ending)
            return
        yield from self.ask("pay", **of(found, "amount"))

    def open(self) -> Steps:
        yield from self.about_case("open")


class Late(careless.Late, Clerk):
    def open(self) -> Steps:
        yield from ()

    def catch_up(self) -> Steps:
        yield from super().open()


class Careless(careless.Careless, Clerk):
    pass


def asked(clerk: officer.Officer, *results: Seen) -> list[Call]:
    """The calls that a clerk makes when it is answered so; it must stop after the last answer."""
    steps, calls = clerk.work(), []
    answers: list[Any] = [None, *results]
    for answer in answers:
        try:
            calls.append(steps.send(answer))
        except StopIteration:
            assert answer is answers[-1]
            return calls
    raise AssertionError(f"{calls[-1]} waits for an answer")


def test_an_officer_asks_about_its_case_and_goes_on_with_what_it_has_seen() -> None:
    assert asked(Clerk("C-1"), {}, {"amount": 4, "more": 1}, {}) == [
        Call("open", {"claim_id": "C-1"}),
        Call("assess", {"claim_id": "C-1", "amount": 5}),
        Call("pay", {"amount": 4}),
    ]


def test_an_ending_cuts_the_work_short() -> None:
    last = asked(Clerk("C-1"), {}, {"ending": "lapsed"}, {})[-1]
    assert last == Call("refuse", {"reason": "lapsed"})


def test_a_careless_officer_stops_when_it_is_refused() -> None:
    assert [call.name for call in asked(Careless("C-1"), {}, REFUSED)] == ["open", "assess"]


def test_a_late_officer_catches_up_once_when_it_is_refused() -> None:
    names = [call.name for call in asked(Late("C-1"), REFUSED, {}, {"amount": 4}, {})]
    assert names == ["assess", "open", "assess", "pay"]
    assert [call.name for call in asked(Late("C-1"), REFUSED, {}, REFUSED)] == ["assess", "open", "assess"]


def test_an_officer_must_say_how_it_works() -> None:
    with pytest.raises(TypeError, match="work"):
        officer.Officer()  # type: ignore[abstract]
