"""Tests that planted cues are detected, and no others."""

import random
import sys
from collections.abc import Hashable
from datetime import date
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.proof.stub as stub
from teller_gym.procedure.task import Split, Task
from teller_gym.proof import cues as cue_checks
from teller_gym.proof.cues import no_cue, past_intake
from teller_gym.proof.formal_cues import Limits, cues, drawn_values, information, limits_of, missing
from teller_gym.proof.play import subject
from teller_gym.tasks.store import generate_task, split_tasks

ENV = stub.ENV_ID
LIMITS = Limits(frozenset({650.0, 20.0}), frozenset({30}))


@pytest.fixture
def task() -> Task:
    made = subject(ENV).tasks[0]
    rows = {"name": "VERA LÓPEZ", "amount": 123400, "limit": 65000, "since": "2026-01-31", "code": "4417"}
    return msgspec.structs.replace(made, today=date(2026, 3, 2), tables={"things": {"TH-1": rows}})


def found_in(task: Task, result: dict[str, Any]) -> dict[str, Hashable]:
    return cues("look", result, task, LIMITS, drawn_values(task))


def test_a_text_tells_case_accents_length_and_its_last_digit(task: Task) -> None:
    found = found_in(task, {"name": "VERA LÓPEZ", "code": "4417"})
    assert found["look.name: case"] == (True, False, False)
    assert found["look.name: accents"] is True
    assert found["look.name: words"] == 2
    assert found["look.code: last digit"] == "7"


def test_a_number_tells_roundness_last_digits_and_whether_it_lies_on_a_limit(task: Task) -> None:
    found = found_in(task, {"amount": 1234.0, "limit": 650.0})
    assert found["look.amount: roundness"] == 2
    assert found["look.amount: last digit of the dollars"] == 4
    assert (found["look.amount: on a limit"], found["look.limit: on a limit"]) == (False, True)


def test_a_day_tells_whether_its_age_lies_about_a_limit_but_not_the_age(task: Task) -> None:
    assert found_in(task, {"since": "2026-01-31"})["look.since: about a limit"] is True  # 30 days
    assert not any("age" in cue for cue in found_in(task, {"since": "2026-01-31"}))


def test_what_a_tool_works_out_is_no_cue(task: Task) -> None:
    assert found_in(task, {"payment": 17.42, "verdict": "unheard of", "done": True, "nothing": None}) == {}


def test_rows_tell_their_order_and_each_its_own_cues(task: Task) -> None:
    rows = [{"name": "VERA LÓPEZ", "amount": 1234.0}, {"name": "A", "amount": 2345.0}]
    found = found_in(task, {"rows": rows, "names": ["b", "a"]})
    assert found["look.rows.amount: order"] == (True, False)
    assert found["look.names: order"] == (False, True)
    assert "look.rows[0].name: case" in found and "look.rows[1].name: case" not in found  # not drawn


def test_missing_fields_are_told_of_every_depth() -> None:
    found = missing("look", {"a": None, "rows": [{"b": 1}, {"b": None}], "c": False})
    assert found == {
        "look.a: missing": True,
        "look.rows[0].b: missing": False,
        "look.rows[1].b: missing": True,
        "look.c: missing": False,
    }


def test_limits_are_the_policys_numbers_in_dollars_and_days() -> None:
    limits = limits_of({"min": 650, "amount": 20_000, "rates": {"a": 0.5}, "on": True, "days": 30})
    assert {650.0, 6.5, 200.0, 20_000.0, 0.5} <= limits.amounts
    assert limits.days == {30}


def test_a_perfect_cue_tells_everything_and_noise_nothing() -> None:
    rng = random.Random(1)
    labels = ["approve" if rng.random() < 0.6 else "deny" for _ in range(1000)]
    perfect = information(labels, labels)
    assert labels.count("deny") - 5 < perfect.gain <= labels.count("deny")
    assert perfect.gain > perfect.chance
    gains = []
    for _ in range(200):
        noise = information([rng.randrange(7) for _ in labels], labels)
        gains.append(noise.gain > max(0.03 * noise.cases, noise.chance))
    assert not any(gains)


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=60))
def test_a_cue_that_is_always_the_same_gains_nothing(labels: list[str]) -> None:
    assert information([0] * len(labels), labels).gain <= 0


def test_a_cue_among_few_cases_counts_by_those_that_show_it() -> None:
    """For example, a tenth of the cases show a list entry, and capital letters reveal a true match."""
    rng = random.Random(2)
    labels = [rng.choice(["refer", "approve", "deny"]) for _ in range(120)]
    tells = information([label == "refer" for label in labels], labels)
    assert tells.gain > max(0.03 * tells.cases, tells.chance)


# -- the claims -------------------------------------------------------------------------------------------------------


def planted(monkeypatch: pytest.MonkeyPatch, mark: Any) -> None:
    """Modify the stub's cases depending on their decision, and treat the stub as a scenario of the benchmark."""

    def marked(name: str, seed: int) -> Task:
        task = generate_task(name, seed)
        case = task.tables["cases"][task.case_id]
        changed = mark(dict(case), task.standard.outputs["decision"])
        return msgspec.structs.replace(task, tables={"cases": {task.case_id: changed}})

    monkeypatch.setattr(cue_checks, "generate_task", marked)
    monkeypatch.setattr(cue_checks, "of_benchmark", lambda name: True)


def test_a_roundness_that_tells_the_decision_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def rounded(case: dict[str, Any], decision: str) -> dict[str, Any]:
        amount = case["amount"] // 1000 * 1000 + (0 if decision == "deny" else 7)
        return {**case, "amount": amount}

    planted(monkeypatch, rounded)
    by_name = {item.name: item for item in no_cue(ENV, 300)}
    assert not by_name["cues.formal"].passed
    assert any("get_case.amount: roundness" in problem for problem in by_name["cues.formal"].problems)


def test_facts_that_settle_the_decision_are_the_classifiers_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, lambda case, decision: case)
    by_name = {item.name: item for item in no_cue(ENV, 300)}
    assert not by_name["cues.classifier"].passed  # the first result shows the purchase date, which decides the case


def test_a_field_that_one_fold_alone_shows_is_left_out() -> None:
    """scikit-learn fails on a column without values in the training data."""
    rng = random.Random(3)
    labels = ["approve" if rng.random() < 0.6 else "deny" for _ in range(200)]
    results: list[dict[str, Any]] = [{"amount": 7 if label == "deny" else rng.randrange(5, 9)} for label in labels]
    results[0]["seldom"] = 1
    tasks: Any = [SimpleNamespace(today=date(2026, 1, 5))] * len(labels)
    found = cue_checks._classifier("decision", results, tasks, labels)
    assert found.measured["features"] == 1 and found.measured["right"] > found.measured["base"]


def test_without_scikit_learn_the_claim_fails_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    monkeypatch.setattr(cue_checks, "of_benchmark", lambda name: True)
    by_name = {item.name: item for item in no_cue(ENV, 60)}
    assert not by_name["cues.classifier"].passed
    assert "pip install" in by_name["cues.classifier"].problems[0]


def test_a_scenario_of_ones_own_is_measured_only() -> None:
    assert [item.passed for item in no_cue(ENV, 120)] == [True, True]


def test_cases_that_end_at_intake_do_not_count() -> None:
    scenario = subject("Teller-Loans-v0").scenario
    for task in split_tasks("loans", Split.HELDOUT):
        at_intake = task.branches["identity"] == "not_reached"
        assert past_intake(scenario, task) != at_intake
    assert all(past_intake(subject(ENV).scenario, task) for task in subject(ENV).tasks)
