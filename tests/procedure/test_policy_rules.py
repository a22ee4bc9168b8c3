"""Tests that shifted policies are within their bounds and are followed by SOP, tools, expert and solver."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ScenarioError
from teller_gym.base.money import fmt_usd
from teller_gym.procedure.policy_rules import Rule, Steps, draw_policy, load_rules
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import find_task, generate_task, load_tasks, split_tasks, under_policy_shift

ROOT = Path(__file__).parents[2]
LOANS = load_scenario("loans")
DEFAULT: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(LOANS.policy))


def at(value: Any, path: list[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the location and the value of every match of a path, independently of the code under test."""
    if not path:
        yield (), value
        return
    items: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if path[0] in ("*", str(key)):
            yield from (((str(key), *rest), found) for rest, found in at(item, path[1:]))


def values(policy: dict[str, Any], path: str) -> dict[tuple[str, ...], Any]:
    return dict(at(policy, path.split(".")))


def drawn(key: str) -> dict[str, Any]:
    return {**DEFAULT, **LOANS.draw_policy(key)}


def policy_object(raw: dict[str, Any]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(raw), type=type(LOANS.policy))


# -- drawing ---------------------------------------------------------------------------------------------------------


def test_five_hundred_draws_are_valid_and_within_their_bounds() -> None:
    seen: dict[str, set[str]] = {rule.path: set() for rule in LOANS.policy_rules}
    for number in range(500):
        raw = drawn(f"test/{number}")
        policy = policy_object(raw)
        assert policy.min_credit_score >= policy.grades[-1].min_score
        for product in policy.products.values():
            assert product.min_amount < product.max_amount and min(product.rates.values()) > policy.autopay_discount
        for rule in LOANS.policy_rules:
            seen[rule.path].add(json.dumps(raw[rule.path.partition(".")[0]]))
            check_bounds(rule, raw)
    assert all(len(found) > 1 for found in seen.values()), seen


def check_bounds(rule: Rule, raw: dict[str, Any]) -> None:
    added = set()
    for path in rule.paths:
        before, after = values(DEFAULT, path), values(raw, path)
        assert before.keys() == after.keys() and before
        for place, value in after.items():
            if rule.permute:
                assert sorted(value.values()) == sorted(before[place].values())
                assert list(value) == list(before[place])
            elif rule.among:
                assert value in rule.among
            elif rule.add is not None:
                added.add(value - before[place])
                assert rule.add.low <= value - before[place] <= rule.add.high
                assert (value - before[place] - rule.add.low) % rule.add.step == 0
            else:
                assert rule.low is not None and rule.high is not None
                assert rule.low <= value <= rule.high and (value - rule.low) % rule.step == 0
    assert len(added) <= 1


def test_what_no_rule_names_stays() -> None:
    raw = drawn("x")
    touched = {path for rule in LOANS.policy_rules for path in rule.paths}
    for name, value in DEFAULT.items():
        if not any(path.split(".")[0] == name for path in touched):
            assert raw[name] == value
    for product, terms in DEFAULT["products"].items():
        for name in ("checklist", "portfolio", "documents", "disclosure"):
            assert raw["products"][product][name] == terms[name]


def test_the_same_key_gives_the_same_policy_and_others_differ() -> None:
    assert LOANS.draw_policy("a") == LOANS.draw_policy("a")
    assert len({json.dumps(LOANS.draw_policy(f"k/{n}")) for n in range(50)}) == 50


@given(st.integers(-50, 50), st.integers(0, 60), st.integers(1, 9), st.integers(0, 10**9))
def test_steps_lie_on_the_grid(low: int, width: int, step: int, seed: int) -> None:
    import random

    value = Steps(low, low + width, step).draw(random.Random(str(seed)))
    assert low <= value <= low + width and (value - low) % step == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {path: a}", "expected one of"),
        ("- {path: a, from: 1}", "expected one of"),
        ("- {path: a, from: 1, to: 2, permute: true}", "expected one of"),
        ("- {path: a, also: [b], from: 1, to: 2}", "'also' goes only with 'add'"),
        ("- {path: a, colour: blue}", "colour"),
        ("path: a", "policy_shift.yaml"),
    ],
)
def test_rules_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        load_rules(text.encode())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("{path: nothing.there, from: 1, to: 2}", "no nothing.there"),
        ("{path: words, from: 1, to: 2}", "whole number"),
        ("{path: flag, add: {from: 1, to: 2, step: 1}}", "whole number"),
        ("{path: number, permute: true}", "mapping to permute"),
        ("{path: number, among: [one, two]}", "values such as 1"),
        ("{path: number, also: [nothing], add: {from: 1, to: 2, step: 1}}", "no nothing"),
    ],
)
def test_rules_that_do_not_fit_the_policy(rule: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        draw_policy({"words": "x", "flag": True, "number": 1}, load_rules(f"- {rule}".encode()), "k")


SURE = ("secure_message", "text_message", "phone_call", "video_call", "in_person")
"""Ways to contact an applicant, from the least to the most reliable."""


def test_shifted_codes_make_sense_together() -> None:
    """An extended alert needs a more reliable contact than an initial one; retirees have no employer to ask."""
    for number in range(200):
        raw = drawn(f"sense/{number}")
        ways = {alert: SURE.index(way) for alert, way in raw["contact_methods"].items()}
        assert ways["extended"] > ways["initial"]
        sources = raw["verification_methods"]
        assert len(set(sources.values())) == 3
        assert not any(word in sources["retired"] for word in ("employer", "payroll", "business", "tax"))
        assert not any(word in sources["self_employed"] for word in ("employer", "payroll", "pension"))
        assert "passport" in raw["registries"]["passport"] or "consular" in raw["registries"]["passport"]


# -- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rendering", ["abstract", "explicit"])
@pytest.mark.parametrize("rule", LOANS.policy_rules, ids=lambda rule: str(rule.path))
def test_every_value_that_shifts_stands_in_the_sop(rule: Rule, rendering: str) -> None:
    default = LOANS.sop(rendering)
    keys = (f"shown/{number}" for number in range(30))
    one = next(raw for key in keys if (raw := {**DEFAULT, **draw_policy(LOANS.policy, (rule,), key)}) != DEFAULT)
    text = LOANS.sop(rendering, policy_object(one))
    assert text != default
    places = [(path, place) for path in rule.paths for place in values(one, path)]
    for path, place in places:
        before, after = values(DEFAULT, path)[place], values(one, path)[place]
        if isinstance(after, int) and before != after:
            assert any(form in text for form in forms(after)), (path, place, after)


def forms(value: int) -> set[str]:
    """Return the formats in which the SOP may show a number of the policy."""
    percent, rate = f"{value // 100}.{value % 100:02d}", f"{value // 1000}.{value % 1000:03d}"
    return {str(value), fmt_usd(value), percent, rate}


def test_no_number_of_the_policy_is_written_into_the_texts() -> None:
    """Without placeholders, neither the SOP nor the tools' texts contain a number that a policy shift changes."""
    source = resources.files("teller_gym.scenarios.loans").joinpath("sop.yaml").read_text(encoding="utf-8")
    bare = re.sub(r"\{[a-z][^{}]*\}", "…", source)
    schemas = LOANS.tools.schemas()
    texts = [bare, *(item["function"]["description"] for item in schemas)]
    texts += [
        str(p.get("description")) for item in schemas for p in item["function"]["parameters"]["properties"].values()
    ]
    moving = {place for rule in LOANS.policy_rules for path in rule.paths for place in values(DEFAULT, path)}
    placeholders = re.finditer(r"\{([a-z][\w.]*)(:\w+)?\}", source)
    shifted = {fill(found[0], LOANS.policy): found[1] for found in placeholders if tuple(found[1].split(".")) in moving}
    assert len(shifted) > 40
    for common in ("3", "5", "10", "60", "1,000"):  # numbers that also have another meaning
        shifted.pop(common, None)
    for text in texts:
        for found in re.findall(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])", text):
            assert found.rstrip(",") not in shifted, (found, shifted.get(found), text[:200])


def test_two_policies_never_mix() -> None:
    tasks = [under_policy_shift(task, 1) for task in load_tasks("loans", "train", 6)]
    fresh = [LOANS.sop_document.render("abstract", policy_object({**DEFAULT, **task.policy})) for task in tasks]
    assert len(set(fresh)) == len(tasks)
    for _ in range(2):
        for task, text in zip([*tasks, *reversed(tasks)], [*fresh, *reversed(fresh)], strict=True):
            assert LOANS.sop_of(task, "abstract") == text
            assert LOANS.policy_of(task) == policy_object({**DEFAULT, **task.policy})
            assert LOANS.bank(task).policy == LOANS.policy_of(task)
        assert LOANS.sop_of(find_task("loans", tasks[0].id), "abstract") == LOANS.sop("abstract")
        assert LOANS.policy_of(find_task("loans", tasks[0].id)) is LOANS.policy


# -- tasks -----------------------------------------------------------------------------------------------------------


DECISIONS = {
    "approve": "approve",
    "counter": "counter_offer",
    "deny": "deny",
    "incomplete": "incomplete",
    "refer": "refer",
}
"""Decisions by the first word of the ending that the generator planned."""


def test_endings_stay_spread_and_as_planned() -> None:
    default = [generate_task("loans", seed) for seed in range(200)]
    moved = [under_policy_shift(task, 1) for task in default]
    for field in ("decision", "routing"):
        before, after = (Counter(str(t.standard.outputs[field]) for t in tasks) for tasks in (default, moved))
        assert before.keys() == after.keys()
        assert max(abs(before[key] - after[key]) for key in before) <= 12, (before, after)
    unplanned = []
    for task in moved:
        (ending,) = [tag.removeprefix("ending:") for tag in task.tags if tag.startswith("ending:")]
        if DECISIONS[ending.partition("_")[0]] != task.standard.outputs["decision"]:
            unplanned.append(task.id)
    assert len(unplanned) <= 2, unplanned


def test_a_policy_shift_changes_what_is_right() -> None:
    changed = 0
    for seed in range(60):
        before = generate_task("loans", seed)
        after = under_policy_shift(before, 1)
        usual = msgspec.structs.replace(after, policy={})
        changed += LOANS.solve(usual).outputs != after.standard.outputs
    assert changed > 45


def test_streams_differ_and_each_repeats_itself() -> None:
    task = find_task("loans", "loans-0007")
    assert under_policy_shift(task, 1) == under_policy_shift(task, 1)
    assert under_policy_shift(task, 1).policy != under_policy_shift(task, 2).policy
    other = find_task("loans", "loans-0008")
    assert under_policy_shift(task, 1).policy != under_policy_shift(other, 1).policy


@pytest.mark.parametrize("split", [Split.TRAIN, Split.HELDOUT, Split.HELDOUT_SCHEMA, Split.HELDOUT_BRANCH])
def test_a_frozen_task_keeps_what_it_is(split: Split) -> None:
    for task in split_tasks("loans", split)[:12]:
        moved = under_policy_shift(task, 1)
        assert (moved.id, moved.split, moved.schema, moved.scenario) == (task.id, task.split, task.schema, "loans")
        assert moved.policy and moved.standard.outputs == LOANS.solve(moved).outputs
        assert LOANS.is_withheld(moved.branches) == (split is Split.HELDOUT_BRANCH)


def test_a_task_with_a_policy_of_its_own_keeps_it() -> None:
    for task in split_tasks("loans", Split.HELDOUT_POLICY)[:5]:
        assert task.policy and under_policy_shift(task, 3) is task


def test_what_is_trained_on_never_becomes_a_held_out_case(monkeypatch: pytest.MonkeyPatch) -> None:
    task = generate_task("loans", 3)
    moved = under_policy_shift(task, 1)
    monkeypatch.setattr("teller_gym.tasks.store.heldout_fingerprints", lambda scenario: frozenset({moved.fingerprint}))
    again = under_policy_shift(task, 1)
    assert again.fingerprint != moved.fingerprint and again.id == task.id
