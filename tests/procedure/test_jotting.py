"""Tests that an officer's notes are attached to its next call only."""

import pytest

from teller_gym.procedure.officer import NotedCall, Seen, Steps, of
from teller_gym.procedure.working import Jotting, Note, read


class Clerk(Jotting):
    """An officer that notes findings between two calls."""

    case_argument = "case_id"
    case_id = "C-1"

    def work(self) -> Steps:
        found = yield from self.about_case("weigh", of_what="gold")
        self.jot(grams=found["grams"])
        self.jot(heavy=False, grams=found["grams"] + 1)
        yield from self.about_case("price", metal="gold")
        yield from self.about_case("price", metal="tin")

    def note_price(self, arguments: Seen) -> Note:
        return of(arguments, "metal")


def test_what_is_jotted_comes_first_and_once() -> None:
    steps = Clerk().work()
    calls = [next(steps), steps.send({"grams": 2}), steps.send({})]
    with pytest.raises(StopIteration):
        steps.send({})
    notes = [read(call.note) for call in calls if isinstance(call, NotedCall)]
    assert notes == [{}, {"grams": 3, "heavy": False, "metal": "gold"}, {"metal": "tin"}]
    assert list(notes[1]) == ["grams", "heavy", "metal"]


def test_officers_share_no_jottings() -> None:
    one, other = Clerk(), Clerk()
    one.jot(grams=1)
    assert other.note("weigh", {}) == {} and one.note("weigh", {}) == {"grams": 1}
