"""Choosing instances (sizes, shares of outcomes, no duplicates), and the command that writes the files."""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.tiny
from teller_gym import cli
from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import Draft, Scenario, load_scenario
from teller_gym.procedure.task import Split
from teller_gym.tasks import freezing
from teller_gym.tasks.freezing.instances import Sizes, choose, sizes_of
from teller_gym.tasks.freezing.variants import choose as choose_variants

NAME = "delays"


@pytest.fixture(autouse=True)
def scenario() -> Scenario:
    assert tests.tiny.__name__
    return load_scenario(NAME)


@given(st.integers(2, 5000), st.data())
def test_validation_is_a_tenth_of_the_rest_rounded_half_up(instances: int, data: st.DataObject) -> None:
    heldout = data.draw(st.integers(1, instances - 1))
    assert Sizes(instances, heldout).validation == int((instances - heldout) / 10 + 0.5)


@pytest.mark.parametrize("sizes", [(10, 10), (10, 0), (0, 0)])
def test_sizes_that_leave_nothing(sizes: tuple[int, int]) -> None:
    with pytest.raises(ScenarioError, match="expected 0 < heldout < instances"):
        Sizes(*sizes)


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch, scenario: Scenario) -> dict[str, bytes]:
    """Return a dictionary of additional documents for the scenario."""
    found: dict[str, bytes] = {}
    own = scenario.optional_document
    monkeypatch.setattr(scenario, "optional_document", lambda name: found.get(name) or own(name))
    return found


def test_instances_have_the_sizes_of_the_document(scenario: Scenario, documents: dict[str, bytes]) -> None:
    documents["frozen.yaml"] = b"{instances: 90, heldout: 20}"
    tasks = choose(scenario)
    splits = Counter(task.split for task in tasks)
    assert splits == {Split.HELDOUT: 20, Split.VALIDATION: 7, Split.TRAIN: 63}
    assert [task.id for task in tasks] == [f"{NAME}-{number:04d}" for number in range(1, 91)]
    assert len({task.fingerprint for task in tasks}) == 90
    assert not any(scenario.is_withheld(task.branches) for task in tasks)
    outcomes = Counter(task.standard.outputs["decision"] for task in tasks)
    held = Counter(task.standard.outputs["decision"] for task in tasks if task.split is Split.HELDOUT)
    assert all(abs(held[word] - count * 20 / 90) < 1 for word, count in outcomes.items())


@pytest.mark.parametrize("text", [b"{instances: many}", b"{cases: 3}", b"[1"])
def test_a_document_that_is_none(scenario: Scenario, documents: dict[str, bytes], text: bytes) -> None:
    documents["frozen.yaml"] = text
    with pytest.raises(ScenarioError, match=r"frozen.yaml: "):
        sizes_of(scenario)


def test_a_generator_without_room_is_told(
    scenario: Scenario, documents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents["frozen.yaml"] = b"{instances: 3, heldout: 1}"
    same = scenario.draft(1)
    monkeypatch.setattr(scenario, "_draft", lambda seed, policy: same)
    with pytest.raises(ScenarioError, match="expected 3 different cases, got 1 from 300 seeds"):
        choose(scenario)


def test_no_answer_comes_too_often(
    scenario: Scenario, documents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents["frozen.yaml"] = b"{instances: 100, heldout: 50}"
    own, frequent = vars(scenario)["_draft"], scenario.draft(1)

    def draft(seed: int, policy: Any) -> Draft:
        drawn: Draft = frequent if seed % 2 else own(seed, policy)
        return msgspec.structs.replace(drawn, request=f"{seed}: {drawn.request}")

    monkeypatch.setattr(scenario, "_draft", draft)
    monkeypatch.setattr(scenario, "case_fingerprint", lambda draft: draft.request)
    answers = Counter(msgspec.json.encode(task.standard.outputs) for task in choose(scenario))
    assert max(answers.values()) == 1


def test_variants_need_their_documents(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    instances = freezing.read_tasks(freezing.build(NAME)["instances.jsonl"])
    monkeypatch.setitem(vars(scenario), "policy_rules", ())
    monkeypatch.setitem(vars(scenario), "withheld_branches", ())
    found = choose_variants(scenario, instances)
    assert Counter(task.split for task in found) == {Split.HELDOUT_SCHEMA: 50}
    assert not {task.fingerprint for task in found} & {task.fingerprint for task in instances}


def test_the_command_writes_both_files(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scenario.policy_rules and scenario.withheld_branches  # read once from their own folder, before the patch
    stands = {name: freezing.standing(NAME, name) for name in ("instances.jsonl", "heldout_variants.jsonl")}
    monkeypatch.setattr("teller_gym.tasks.freezing.files.resources.files", lambda package: tmp_path)
    assert cli.main(["freeze", f"{tests.tiny.__name__}:{NAME}"]) == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == stands
    assert capsys.readouterr().out.split() == [str(tmp_path / name) for name in stands]


@pytest.mark.parametrize("name", ["nothing", "no.such.module:thing"])
def test_the_command_says_what_it_does_not_know(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["freeze", name]) == 2
    assert capsys.readouterr().err.startswith("teller-gym: ")
