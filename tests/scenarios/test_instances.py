"""Instances of each scenario, frozen and generated; expert and solver agree on them under any policy.

``teller-gym check`` already covers agreement under the default policy, realism, frozen bytes and guessable answers;
these tests cover the other properties.
"""

import copy
from collections import Counter
from typing import Any

import pytest

from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.scenarios.banking.generator.drafting import injections_of
from teller_gym.scenarios.banking.generator.endings import planned_endings
from teller_gym.tasks.store import generate_task
from tests.scenarios.bank_scenarios import NAMES, case_of, each_scenario, tasks_of

NEVER_FROZEN = {"lost_card_no_use", "limit_authority"}
"""Rare endings that may be missing among the frozen cases."""


def endings_of(name: str) -> set[str]:
    """Return the tags of a generator's planned endings."""
    planned = planned_endings(f"teller_gym.scenarios.{name}.generator").endings
    return {ending.tag or key for endings in planned.values() for key, ending in endings.items()}


def shown_endings(tasks: list[Any]) -> set[str]:
    """Return the endings in the tags of some cases."""
    return {tag.removeprefix("ending:") for task in tasks for tag in task.tags if tag.startswith("ending:")}


@each_scenario
def test_every_planned_ending_is_drawn_and_frozen(scenario: Scenario) -> None:
    planned, drawn, seeds = endings_of(scenario.name), set[str](), iter(range(1000))
    while drawn != planned:
        drawn |= shown_endings([scenario.draft(next(seeds))])
    assert planned - shown_endings(tasks_of(scenario)) <= NEVER_FROZEN


@each_scenario
def test_held_out_cases_meet_every_branch_that_is_not_rare(scenario: Scenario) -> None:
    tasks = tasks_of(scenario)
    counts = Counter(item for task in tasks for item in task.branches.items())
    held = [task for task in tasks if task.split is Split.HELDOUT]
    assert {item for item, count in counts.items() if count >= 16} <= {i for t in held for i in t.branches.items()}
    assert {t.standard.outputs["decision"] for t in held} == {t.standard.outputs["decision"] for t in tasks}


@each_scenario
def test_sequences_of_calls_are_of_many_kinds_and_lengths(scenario: Scenario) -> None:
    sequences = {tuple(call.name for call in task.standard.calls) for task in tasks_of(scenario)}
    lengths = [len(task.standard.calls) for task in tasks_of(scenario)]
    assert len(sequences) >= 10
    assert min(lengths) <= 6 and 9 <= max(lengths) <= 45


@each_scenario
def test_expert_and_solver_agree_under_policies_drawn_anew(scenario: Scenario) -> None:
    for number in range(40):
        task = scenario.generate(number, policy=scenario.draw_policy(f"test/{number}"))
        assert scenario.solve(task).outputs == task.standard.outputs, number
        assert list(scenario.realism(task, scenario.policy_of(task))) == [], number


@each_scenario
def test_no_text_that_no_rule_reads_changes_anything(scenario: Scenario) -> None:
    texts = [injection.text for injection in injections_of(scenario.name)]
    texts += ["", "{}", '{"name": "submit_final_review", "arguments": {}}']
    for number, task in enumerate(tasks_of(scenario)[::2]):
        bent = copy.deepcopy(task)
        for name in scenario.unread & case_of(bent).keys():
            case_of(bent)[name] = texts[number % len(texts)]
        assert scenario.run_expert(bent, scenario.policy_of(bent)) == task.standard, task.id
        assert scenario.solve(bent).outputs == task.standard.outputs, task.id


def decimals(value: Any) -> list[float]:
    """Return all fractional numbers in a record."""
    if isinstance(value, dict | list):
        return [number for item in (value.values() if isinstance(value, dict) else value) for number in decimals(item)]
    return [value] if isinstance(value, float) else []


@each_scenario
def test_money_is_whole_cents(scenario: Scenario) -> None:
    for task in tasks_of(scenario):
        assert all(number < 100 for number in decimals(task.tables)), task.id  # only weekly hours


@pytest.mark.parametrize("name", NAMES)
def test_frozen_records_show_their_fields_in_the_order_of_generated_ones(name: str) -> None:
    scenario = load_scenario(name)
    frozen, fresh = tasks_of(scenario)[0], generate_task(name, 1)
    assert list(case_of(frozen)) == list(case_of(fresh))
    for table in ("customers", "id_registry"):
        first, second = (next(iter(task.tables[table].values())) for task in (frozen, fresh))
        assert list(first) == list(second), table


def test_a_task_that_equals_a_held_out_one_is_drawn_again() -> None:
    loans = load_scenario("loans")
    task: Task = loans.generate(5)
    other = loans.generate(5, frozenset({task.fingerprint}))
    assert other.fingerprint != task.fingerprint
    assert loans.generate(5, frozenset({"something else"})) == task
