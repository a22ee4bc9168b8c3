"""Drawn days: one date, customers occur twice only in pairs, times are tight, and draws are reproducible."""

import msgspec
import pytest

from teller_gym.base.errors import OptionError
from teller_gym.days.day import FEWEST, MOST, Day
from teller_gym.days.draw import DESKS, draw_day, moved, size_of
from teller_gym.days.law import Habits
from teller_gym.days.schedule import late, out_of_turn, turns
from teller_gym.days.store import checksum, find_day, frozen, generate_day, split_days
from teller_gym.procedure.links import link_between, links_of
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from tests import tiny  # noqa: F401 - registers a scenario
from tests.proof import stub

NAMES = ("loans", "delays", stub.NAME)
"""Scenarios of several desks; importing the test modules registers them."""


@pytest.fixture(scope="module")
def days() -> list[Day]:
    return [draw_day(f"day-g-{seed}", seed, Split.GENERATED, NAMES) for seed in range(9)]


def test_days_have_four_to_twelve_cases_of_three_desks_on_one_date(days: list[Day]) -> None:
    assert sorted(len(day.cases) for day in days) == list(range(FEWEST, MOST + 1))
    for day in days:
        assert len(day.desks) >= DESKS and len(day.cases) == size_of(day.seed)
        assert {case.task.today for case in day.cases} == {day.today}
        assert [case.reference for case in day.cases] == [f"Q-{101 + n}" for n in range(len(day.cases))]
        assert sorted(day.cases, key=lambda case: case.arrived) == list(day.cases)


def test_every_case_agrees_with_its_solver_and_is_realistic(days: list[Day]) -> None:
    for case in (case for day in days for case in day.cases):
        scenario = load_scenario(case.task.scenario)
        assert scenario.solve(case.task).outputs == case.task.standard.outputs
        assert not list(scenario.realism(case.task, scenario.policy))


def test_nobody_has_two_cases_but_in_a_pair(days: list[Day]) -> None:
    for day in days:
        for number, one in enumerate(day.cases):
            for other in day.cases[number + 1 :]:
                assert bool(set(one.customers) & set(other.customers)) == (other.after == one.reference)


def test_each_rule_is_needed_on_each_day(days: list[Day]) -> None:
    for day in days:
        worked = turns(day.cases)
        assert not late(day.cases, worked) and not out_of_turn(worked) and worked[-1].ended < day.closing
        assert out_of_turn(turns(day.cases, Habits(by_due=False)))
        assert out_of_turn(turns(day.cases, Habits(by_due=False, by_class=False)))
        assert late(day.cases, turns(day.cases, extra=1))
        if any(case.after for case in day.cases):
            assert out_of_turn(turns(day.cases, Habits(by_customer=False)))


def test_the_same_seed_gives_the_same_bytes(days: list[Day]) -> None:
    again = draw_day("day-g-0", 0, Split.GENERATED, NAMES)
    assert msgspec.json.encode(again) == msgspec.json.encode(days[0])
    assert checksum(days[0]) != checksum(days[1])


def test_frozen_days_are_drawn_again_to_the_byte() -> None:
    assert [len(split_days(split)) for split in (Split.TRAIN, Split.VALIDATION, Split.HELDOUT)] == [36, 9, 20]
    for entry in (split_days(Split.HELDOUT)[0], split_days(Split.TRAIN)[2]):
        assert checksum(find_day(entry.id, ())) == entry.checksum


def test_no_held_out_case_is_in_a_generated_day() -> None:
    held = {one for entry in frozen().days for prints in entry.fingerprints.values() for one in prints}
    assert len(held) == sum(entry.cases for entry in split_days(Split.HELDOUT))
    assert not held & {case.task.fingerprint for case in generate_day(9, ("loans",)).cases}


@pytest.mark.parametrize("day_id", ["day-9999", "day-g-", "day-g-01", "loans-0001", ""])
def test_an_unknown_id_says_what_there_is(day_id: str) -> None:
    with pytest.raises(OptionError, match="task_id: expected day-0001"):
        find_day(day_id, ("loans",))


def test_a_case_keeps_all_that_is_counted_in_days_when_it_is_moved() -> None:
    scenario = load_scenario("loans")
    draft = scenario.draft(3)
    later = draft.today.replace(year=draft.today.year + 1)
    other = moved(draft, later)
    assert other.today == later and later.isoformat() in other.request
    assert moved(other, draft.today) == draft
    assert scenario.case_fingerprint(other) != scenario.case_fingerprint(draft)


def test_links_are_found_beside_the_scenario() -> None:
    (link,) = links_of("loans")
    assert link_between("loans", "loans") == link == link_between("loans", "loans", link.name)
    assert links_of("delays") == ()
