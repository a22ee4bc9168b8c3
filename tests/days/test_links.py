"""Pairs of one customer's cases: the second case's result changes only if the first is closed correctly."""

import msgspec
import pytest

from teller_gym.base.draw import Draw
from teller_gym.days.standard import closed_right, customers_of, effect_of
from teller_gym.procedure.links import Link, joined, links_of
from teller_gym.procedure.scenario import Draft, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.registration import OWN
from teller_gym.tasks.store import generate_task

LINKS = [(entry.name, link) for entry in OWN for link in links_of(entry.name)]
EACH = pytest.mark.parametrize(("name", "link"), LINKS, ids=[f"{name}-{link.name}" for name, link in LINKS])
SEEDS = 400


def completed(name: str, draft: Draft) -> Task:
    """Return the task of a draft; its expert and solver must agree."""
    scenario = load_scenario(name)
    task = scenario.complete(draft, task_id="", seed=0, split=Split.GENERATED)
    assert scenario.solve(task).outputs == task.standard.outputs
    return task


def pairs(name: str, link: Link, most: int) -> list[tuple[Task, Draft]]:
    """Return up to ``most`` pairs: the first case's task and the draft of the second case."""
    found = []
    for seed in range(SEEDS):
        first = generate_task(link.first, seed)
        draft = link.draw(first, Draw(seed), load_scenario(name).policy)
        if draft is not None and effect_of(link, first):
            found.append((first, draft))
        if len(found) == most:
            break
    return found


def test_every_scenario_can_be_worked_after_one_of_its_own() -> None:
    assert {name for name, link in LINKS if link.first == name} == {entry.name for entry in OWN}


@EACH
def test_closing_the_first_case_changes_the_second(name: str, link: Link) -> None:
    found = pairs(name, link, 6)
    assert len(found) == 6
    changed = 0
    for first, draft in found:
        fresh = msgspec.structs.replace(draft, tables=joined(draft.tables, effect_of(link, first)))
        changed += completed(name, draft).standard != completed(name, fresh).standard
    assert changed >= 3


@EACH
def test_a_second_case_is_another_case_of_the_same_customers(name: str, link: Link) -> None:
    for first, draft in pairs(name, link, 3):
        second = completed(name, draft)
        assert second.case_id != first.case_id and second.today == first.today
        assert second.case_id in second.request and first.case_id not in second.request
        assert customers_of(second) == customers_of(first) != ()


@EACH
def test_a_first_case_that_is_only_opened_changes_nothing(name: str, link: Link) -> None:
    for first, _ in pairs(name, link, 3):
        assert link.effect(first, load_scenario(link.first).bank(first)) == {}


@EACH
def test_an_effect_leaves_the_first_bank_as_it_is(name: str, link: Link) -> None:
    ((first, _),) = pairs(name, link, 1)
    bank = closed_right(first)
    before = bank.state_hash()
    assert link.effect(first, bank) and bank.state_hash() == before
