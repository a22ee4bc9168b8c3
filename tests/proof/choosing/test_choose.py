"""Tests of ``teller-gym choose`` on the scenario of ``tests/tiny``: selection, reports, cache, and written files."""

import shutil
import sys
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tests.tiny
from teller_gym import cli
from teller_gym.agents.code_guesser import codes_of
from teller_gym.base.errors import ScenarioError
from teller_gym.envs.episode.bank import budget_of
from teller_gym.procedure.lapses import Lapse
from teller_gym.procedure.scenario import Draft, Scenario, load_scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.choosing import quotas
from teller_gym.proof.choosing.choose import Choosing, choose
from teller_gym.proof.choosing.command import document
from teller_gym.proof.choosing.pool import Players
from teller_gym.proof.choosing.shortfalls import complaints, table
from teller_gym.tasks import freezing, store
from teller_gym.tasks.freezing.chosen import ChosenSeed, chosen_seeds

NAME = "delays"
SIZES = {
    "heldout": {"pay": 5, "goodwill": 3, "escalate": 6},
    "validation": {"pay": 2, "goodwill": 1, "escalate": 3},
    "train": {"pay": 10, "goodwill": 3, "escalate": 17},
}
POOLS = {"heldout": 7_500_000_000, "validation": 7_400_000_000, "train": 7_000_000_000}


def endings(**changes: Any) -> bytes:
    """Return an ``endings.yaml`` with some keys of a split changed, such as ``train={"pool": 3}``."""
    whole = {
        split: {"first_seed": first, "pool": 80, "endings": SIZES[split]} | changes.get(split, {})
        for split, first in POOLS.items()
    }
    return msgspec.yaml.encode(whole)


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Return documents that override those of the scenario."""
    found = {"endings.yaml": endings()}
    own = load_scenario(NAME).optional_document
    monkeypatch.setattr(load_scenario(NAME), "optional_document", lambda name: found.get(name) or own(name))
    return found


@pytest.fixture
def scenario(monkeypatch: pytest.MonkeyPatch, documents: dict[str, bytes]) -> Scenario:
    """Return the scenario with each case tagged with its decision as the ending."""
    assert tests.tiny.__name__
    loaded = load_scenario(NAME)
    own = vars(loaded)["_draft"]

    def draft(seed: int, policy: Any) -> Draft:
        drawn: Draft = own(seed, policy)
        ending = loaded.run_expert(drawn).outputs["decision"]
        return msgspec.structs.replace(drawn, tags=(f"ending:{ending}",))

    monkeypatch.setattr(loaded, "_draft", draft)
    return loaded


def chosen(scenario: Scenario, cache: Path | None = None) -> tuple[Choosing, list[str]]:
    told: list[str] = []
    return choose(scenario, cache, told.append), told


def test_so_many_of_each_ending_are_chosen_and_every_lapse_loses(scenario: Scenario) -> None:
    found, told = chosen(scenario)
    for part in found.parts:
        assert Counter(part.rows[row].case.ending for row in part.chosen) == SIZES[part.split]
        least = {Split.HELDOUT: 3, Split.VALIDATION: 1}.get(part.split, 0)
        for lapse in scenario.lapses:
            assert sum(lapse in part.rows[row].outcomes.lost for row in part.chosen) >= least, lapse
    rows = [part.rows[row] for part in found.parts for row in part.chosen]
    assert len({row.case.fingerprint for row in rows}) == len(rows) == 50
    assert not any(scenario.is_withheld(row.case.branches) for row in rows)
    assert any("withheld branches" in line for line in told)
    assert complaints(scenario, found) == []
    assert [line.split()[0] for line in table(scenario, found)[1:]] == list(scenario.lapses)


def test_the_order_tells_nothing_and_the_same_files_give_the_same_bytes(scenario: Scenario) -> None:
    found, _ = chosen(scenario)
    text = document(NAME, found)
    assert text == document(NAME, chosen(scenario)[0])
    rows = msgspec.yaml.decode(text, type=list[ChosenSeed])
    assert rows == found.seeds()
    assert Counter(row.split for row in rows) == {"heldout": 14, "validation": 6, "train": 30}
    assert rows != sorted(rows, key=lambda row: (row.split, row.seed))
    assert {row.split for row in rows[:12]} > {Split.HELDOUT}
    assert b"canary" in text


def test_what_was_played_is_kept(
    scenario: Scenario, documents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = chosen(scenario, tmp_path)
    (folder,) = tmp_path.iterdir()
    file = folder / "played.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])  # truncated, as after a crash
    played: list[int] = []
    play = Players.play

    def counted(self: Players, case: Any, split: Split) -> Any:
        played.append(case.seed)
        return play(self, case, split)

    monkeypatch.setattr(Players, "play", counted)
    assert chosen(scenario, tmp_path)[0].seeds() == found.seeds()
    assert len(played) == 1
    assert file.read_bytes() == whole
    # Changed quotas replay no case.
    documents["endings.yaml"] = endings(train={"endings": {"pay": 3, "goodwill": 2, "escalate": 9}})
    others, _ = chosen(scenario, tmp_path)
    assert Counter(row.split for row in others.seeds())[Split.TRAIN] == 14
    assert len(played) == 1


def test_what_the_pool_cannot_give_is_told(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    expert = scenario.expert

    def crash(request: str, policy: Any) -> Any:
        yield from ()
        raise RuntimeError

    never = Lapse("never_wrong", ("1",), "Is the expert.", expert)
    falls = Lapse("falls", ("1",), "Crashes.", crash)
    monkeypatch.setitem(vars(scenario), "lapses", {**scenario.lapses, "never_wrong": never, "falls": falls})
    found, _ = chosen(scenario)
    text = "\n".join(complaints(scenario, found))
    assert (
        "heldout: lapse never_wrong: expected 3 or more, got 0; the quotas allow at most 0; the pool has none" in text
    )
    assert "validation: lapse never_wrong: expected 1 or more, got 0" in text
    assert "lapse never_wrong loses 0 of" in text
    assert "lapse falls crashes on" in text


def test_a_case_that_is_won_by_heart_is_left_out(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_heart(request: str, policy: Any) -> Any:
        steps = scenario.expert(request, policy)
        result: Any = None
        while True:
            try:
                call = steps.send(result)
            except StopIteration:
                return
            if call.name == "submit_claim" and call.arguments["decision"] != "pay":
                return
            result = yield call

    monkeypatch.setitem(vars(scenario), "clean_paths", {"clean_path": by_heart})
    found, _ = chosen(scenario)
    # Every paid case is won, so no choice can avoid them, and this is reported.
    assert (
        "heldout: won by clean_path: expected 0 or fewer, got 5; the quotas need at least 5; the pool has pay"
        in "\n".join(complaints(scenario, found))
    )


def test_a_scenario_without_instances_can_choose_its_first(
    scenario: Scenario, documents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: Any) -> Any:
        raise AssertionError("instances are read")

    for name in ("frozen_tasks", "split_tasks", "variant_tasks"):
        read = getattr(store, name)
        # Inspecting lazy modules of other libraries could import more of them.
        ours = [module for key, module in list(sys.modules.items()) if key.startswith("teller_gym")]
        for module in [module for module in ours if getattr(module, name, None) is read]:
            monkeypatch.setattr(module, name, missing)
    budget_of.cache_clear()
    codes_of.cache_clear()
    assert len(chosen(scenario)[0].seeds()) == 50


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train": {"pool": 0}}, "pool"),
        ({"train": {"size": 3}}, "size"),
        ({"train": {"endings": {"pay": -1}}}, "endings"),
        ({"train": {"first_seed": 5}}, "train: expected seeds of 7000000000 … 7999999999, got 5 … 84"),
        ({"train": {"first_seed": 7_500_000_079}}, "heldout and train: expected pools without a common seed"),
        ({"train": {"endings": {"paid": 1}}}, "train: no case of 80 ends with paid.*the pool has escalate"),
        ({"validation": {"endings": {"pay": 81}}}, "validation: the pool has too few of pay .* of 81"),
    ],
)
def test_a_document_that_cannot_be(
    scenario: Scenario, documents: dict[str, bytes], changes: dict[str, Any], message: str
) -> None:
    documents["endings.yaml"] = endings(**changes)
    with pytest.raises(ScenarioError, match=rf"endings.yaml: .*{message}"):
        chosen(scenario)


def test_the_sums_are_the_benchmarks(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "stated_sizes", lambda name: {"instances": 50, "heldout": 14, "validation": 7})
    with pytest.raises(ScenarioError, match=r"validation: expected endings that sum to 7.*got 6"):
        chosen(scenario)


def test_a_scenario_without_the_document_or_the_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ScenarioError, match=r"delays: expected endings.yaml"):
        chosen(load_scenario(NAME))
    own = load_scenario(NAME).optional_document
    monkeypatch.setattr(
        load_scenario(NAME), "optional_document", lambda name: endings() if name == "endings.yaml" else own(name)
    )
    with pytest.raises(ScenarioError, match="expected a tag ending:<name>"):
        chosen(load_scenario(NAME))


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Replace the scenario's folder by a copy and return its path."""
    shutil.copytree(Path(tests.tiny.__file__).parent, tmp_path, dirs_exist_ok=True)
    own = resources.files
    monkeypatch.setattr(resources, "files", lambda package: tmp_path if package == "tests.tiny" else own(package))
    return tmp_path


def test_the_command_writes_what_freeze_draws(
    scenario: Scenario, documents: dict[str, bytes], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["choose", "tests.tiny:delays", "--dry-run", "--table"]) == 0
    assert not (folder / "chosen_seeds.yaml").exists()
    assert cli.main(["choose", "tests.tiny:delays"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-2:] == ["every bound is kept", str(folder / "chosen_seeds.yaml")]
    assert "heldout: 14 of" in said.err
    documents["chosen_seeds.yaml"] = (folder / "chosen_seeds.yaml").read_bytes()
    rows = chosen_seeds(scenario)
    assert rows is not None
    tasks = freezing.read_tasks(freezing.build(NAME)["instances.jsonl"])
    assert [(task.seed, task.split) for task in tasks] == [(row.seed, row.split) for row in rows]
    assert [task.id for task in tasks] == [f"{NAME}-{number:04d}" for number in range(1, 51)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"- {seed: 1, split: nowhere}", "split"),
        (b"- {seed: 1, split: generated}", "row 1: expected train, validation or heldout, got generated"),
        (b"- {seed: 1, split: train}\n- {seed: 1, split: heldout}", "row 2: the seed 1 stands there twice"),
        (b"seeds", "Expected"),
    ],
)
def test_chosen_seeds_that_cannot_be(
    scenario: Scenario, documents: dict[str, bytes], text: bytes, message: str
) -> None:
    documents["chosen_seeds.yaml"] = text
    with pytest.raises(ScenarioError, match=rf"chosen_seeds.yaml: .*{message}"):
        freezing.build(NAME)


def test_seeds_that_the_generator_has_left_behind_are_told(scenario: Scenario, documents: dict[str, bytes]) -> None:
    withheld = next(
        seed
        for seed in range(1, 500)
        if scenario.is_withheld(
            scenario.complete(scenario.draft(seed), task_id="", seed=seed, split=Split.TRAIN).branches
        )
    )
    documents["chosen_seeds.yaml"] = f"- {{seed: {withheld}, split: train}}".encode()
    with pytest.raises(ScenarioError, match=f"the seed {withheld} gives a case of withheld branches; choose anew"):
        freezing.build(NAME)
