"""Tests that the claims about randomisations and held-out splits pass, and fail after deliberate sabotage."""

from typing import Any

import pytest

from teller_gym.agents import make_agent
from teller_gym.procedure.task import Split
from teller_gym.proof import cheap, held_out, variations
from teller_gym.proof.play import subject
from teller_gym.tasks.store import split_tasks

ENV = "Teller-Loans-v0"


def test_the_oracle_scores_one_under_everything() -> None:
    items = variations.varied_oracle(ENV, 2, 3, 1)
    assert [one.problems for one in items if not one.passed] == []
    assert [one.measured["instances"] for one in items] == [2, 2, 2, 2, 2, 3, *([1] * 6)]


def test_a_perturbation_that_touches_values_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(result: str, *_: Any) -> str:
        return result.replace('"total_exposure":', '"total_exposure":1')

    monkeypatch.setattr("teller_gym.envs.episode.bank.perturb", careless)
    items = {one.name: one for one in variations.varied_oracle(ENV, 6, 6, 1)}
    assert not items["varied.oracle.perturb"].passed and not items["varied.oracle.all"].passed
    assert items["varied.oracle.faults"].passed


def test_cheap_agents_stay_under_their_bars() -> None:
    one = cheap.varied_cheap(ENV, "skip_to_decision", 4, 1, 2)
    assert one.passed and set(one.measured) == {
        "policy_shift", "schema_shift", "perturb", "faults", "distractors", "all",
        "heldout_policy", "heldout_schema", "heldout_branch",
    }  # fmt: skip
    assert 0 < one.measured["perturb"]["mean_score"] < 0.25


def test_an_agent_that_gets_far_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cheap, "make_agent", lambda name, env: make_agent("expert", env))
    one = cheap.varied_cheap(ENV, "noop", 5, 1, 1)
    assert not one.passed and any("5 of 5 right" in problem for problem in one.problems)
    assert any("mean score 1.000" in problem for problem in one.problems)


def test_held_out_splits_hold_out_what_they_say() -> None:
    items = [held_out.stubborn_reader(ENV), *held_out.withheld_branches(ENV, 30), held_out.schema_names(ENV)]
    assert [one.problems for one in items if not one.passed] == []


def test_policies_that_change_nothing_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "split_tasks", lambda scenario, split: split_tasks(scenario, Split.TRAIN)[:8])
    assert held_out.stubborn_reader(ENV).measured == {"right": 8, "instances": 8}
    assert not held_out.stubborn_reader(ENV).passed


def test_a_combination_that_shows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = subject(ENV).scenario
    # The generator respects the combination, but the frozen instances were made without it.
    monkeypatch.setitem(scenario.__dict__, "withheld_branches", ({"product": "auto", "applicants": "joint"},))
    branches, outcomes = held_out.withheld_branches(ENV, 5)
    assert not branches.passed and "shows a withheld combination" in branches.problems[0]
    assert outcomes.passed
    monkeypatch.setitem(scenario.__dict__, "withheld_branches", ({"product": "boat", "applicants": "joint"},))
    assert held_out.withheld_branches(ENV, 5)[1].problems == ("no train task has product boat",)


def test_names_that_are_shared_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "heldout_schema", lambda number: f"1/{number}")
    one = held_out.schema_names(ENV)
    assert not one.passed and one.measured["shared"] == one.measured["tool_names"]
