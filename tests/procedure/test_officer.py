"""Tests of the base classes of experts and lapses: calls, early endings, and refused calls."""

from typing import Any, ClassVar

import pytest

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure import careless, officer
from teller_gym.procedure.graph import load_graph
from teller_gym.procedure.officer import CaseEndedError, Seen, Steps, of
from teller_gym.tools.call import Call

REFUSED: Seen = {"error": {"kind": "invalid_value"}}

GRAPH = """
nodes:
  open: {inputs: {claim_id: {source: user_input}}}
  check:
    inputs:
      claim_id: {source: user_input}
      person_id: {source: user_input}
      name: {source: other_api, from: [open.people]}
      rank: {source: system_state, how: decide, clause: "2"}
  pay:
    inputs:
      person_id: {source: user_input}
      check_id: {source: other_api, from: [check.check_id]}
      delivery: {source: other_api, from: [open.way]}
"""


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
    """Return a clerk's calls for a sequence of results; it must stop after the last one."""
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


class Filler(Clerk):
    """A clerk that fills in arguments from the graph."""

    nodes: ClassVar = load_graph(GRAPH).nodes

    def work(self) -> Steps:
        yield from self.fill_in("open")
        for person in ("P-1", "P-2"):
            yield from self.fill_in("check", person_id=person)
        yield from self.fill_in("pay", person_id="P-1")

    def rank(self) -> int:
        return 7


def test_an_officer_fills_in_what_the_graph_says() -> None:
    people = [{"person_id": "P-1", "name": "Ann"}, {"person_id": "P-2", "name": "Bo"}]
    calls = asked(Filler("C-1"), {"people": people, "way": "mail"}, {"check_id": "K-1"}, {"check_id": "K-2"}, {})
    assert calls[1:3] == [
        Call("check", {"claim_id": "C-1", "person_id": "P-1", "name": "Ann", "rank": 7}),
        Call("check", {"claim_id": "C-1", "person_id": "P-2", "name": "Bo", "rank": 7}),
    ]
    assert calls[3] == Call("pay", {"person_id": "P-1", "check_id": "K-1", "delivery": "mail"})
    assert [list(call.arguments) for call in calls] == [list(Filler.nodes[call.name].inputs) for call in calls]


@pytest.mark.parametrize(
    ("name", "given", "missing"),
    [
        (
            "pay",
            {"person_id": "P-1"},
            "pay.check_id: graph.yaml copies it from check.check_id, which has not",
        ),
        ("check", {"person_id": "P-1", "age": 3}, "expected arguments of the tool .claim_id, person_id, name, rank."),
        ("pay", {}, "pay.person_id: expected it to be given"),
    ],
)
def test_an_argument_that_cannot_be_filled_in_is_named(name: str, given: Seen, missing: str) -> None:
    with pytest.raises(ScenarioError, match=missing):
        next(Filler("C-1").fill_in(name, **given))


def test_a_refused_call_fills_in_nothing() -> None:
    clerk = Filler("C-1")
    steps = clerk.fill_in("open")
    next(steps)
    with pytest.raises(StopIteration):
        steps.send(REFUSED)
    assert clerk.results == {}


def test_an_officer_must_say_how_it_works() -> None:
    with pytest.raises(TypeError, match="work"):
        officer.Officer()  # type: ignore[abstract]
