"""The minimal scenario ``tests/tiny``, of 150 lines with three tools and one decision, works with every feature."""

import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import teller_gym
import tests.tiny
from teller_gym import cli
from teller_gym.agents.graph_answers import GraphAnswerer
from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.envs.bank import BankEnv
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split
from teller_gym.proof import check_env
from teller_gym.registration import SCENARIOS
from teller_gym.tasks import freezing
from teller_gym.tasks.difficulty import bands
from teller_gym.tasks.store import FROZEN_SPLITS, load_tasks, split_tasks

NAME = "delays"
ENV = f"{tests.tiny.__name__}:Teller-Delays-v0"
FROZEN = {"instances.jsonl", "heldout_variants.jsonl"}
FOR_THE_CHECK_ALONE = {"lapses.py"}
FOLDER = Path(tests.tiny.__file__).parent
OPTIONS: dict[str, Any] = {
    "policy_shift": True,
    "schema_shift": True,
    "perturb": True,
    "faults": True,
    "distractors": 20,
    "sop": "explicit",
}


def play_expert(env: gym.Env[Any, Any], **reset: Any) -> dict[str, Any]:
    """Play an episode with the expert; return the last info."""
    obs, info = env.reset(**reset)
    agent, over, rewards = teller_gym.make_agent("expert", env), False, 0.0
    while not over:
        obs, reward, terminated, truncated, info = env.step(agent.act(obs, {"task_id": info["task_id"]}))
        over, rewards = terminated or truncated, rewards + float(reward)
    assert rewards == pytest.approx(info["score"])
    return info


def test_it_has_150_lines_of_its_own_at_most() -> None:
    own = [path for path in FOLDER.iterdir() if path.is_file() and path.name not in FROZEN | FOR_THE_CHECK_ALONE]
    assert {path.suffix for path in own} == {".py", ".yaml"}
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in own) <= 150
    assert len(load_scenario(NAME).tools) == 3


@pytest.mark.slow
def test_every_check_is_passed() -> None:
    report = check_env(ENV, quick=True, processes=1, sound=False)
    assert report.passed, report.table()
    names = {item.name for item in report.items}
    assert {
        "realism",
        "agreement",
        "mutation",
        "parameters",
        "frozen_bytes",
        "leaks.near",
        "cheap.brute_force",
    } <= names


def test_sizes_and_splits() -> None:
    counts = {split: len(split_tasks(NAME, split)) for split in FROZEN_SPLITS}
    assert counts == {Split.TRAIN: 135, Split.VALIDATION: 15, Split.HELDOUT: 50} | dict.fromkeys(VARIANT_SPLITS, 50)


@pytest.mark.parametrize("split", [*FROZEN_SPLITS, Split.GENERATED])
def test_the_expert_solves_every_split(split: Split) -> None:
    env = gym.make(ENV, split=split)
    for seed in range(5):
        info = play_expert(env, seed=seed)
        assert info["success"]
        assert info["score"] == 1.0


@pytest.mark.parametrize("options", [{name: value} for name, value in OPTIONS.items()] + [OPTIONS], ids=str)
def test_the_expert_solves_it_under_every_option(options: dict[str, Any]) -> None:
    env = gym.make(ENV, **options, max_steps=60)
    for seed in range(10):
        info = play_expert(env, seed=seed)
        assert info["success"], info
        assert info["score"] == 1.0


def test_options_change_what_is_seen() -> None:
    task = {"task_id": f"{NAME}-0001"}
    plain = gym.make(ENV).reset(options=task)[0]["state"]
    assert gym.make(ENV, policy_shift=True).reset(options=task)[0]["state"] != plain
    env: Any = gym.make(ENV, schema_shift=True).unwrapped
    env.reset(options=task)
    assert set(env.tools) != set(load_scenario(NAME).tools)


def test_the_mixed_env_plays_it_beside_the_packages_own() -> None:
    env = gym.make("Teller-Bank-v0", weights={"loans": 1, NAME: 1})
    played = [play_expert(env, seed=seed) for seed in range(12)]
    assert {info["scenario"] for info in played} == {"loans", NAME}
    assert all(info["success"] for info in played)
    assert play_expert(env, options={"task_id": f"{NAME}-g-7"})["success"]


def test_the_mixed_env_stays_what_it_is_without_weights() -> None:
    assert NAME in SCENARIOS
    assert NAME not in BankEnv().scenarios


def test_a_graph_episode() -> None:
    env: Any = gym.make(ENV.replace("Delays", "DelaysGraph"), distractors=10).unwrapped
    for name, right in (("gold", True), ("empty", False)):
        env.reset(seed=3)
        info = env.step(GraphAnswerer(name, env).act({}, {}))[4]
        assert info["success"] is right
    edges = {(edge.upstream, edge.downstream) for edge in load_scenario(NAME).graph.edges}
    first, second, third = load_scenario(NAME).graph.nodes
    assert edges == {(first, second), (first, third), (second, third)}


def test_difficulty_has_bands() -> None:
    for band in bands(NAME, 2):
        assert play_expert(gym.make(ENV, split="generated", difficulty=band), seed=0)["success"]


def test_freezing_it_again_changes_nothing() -> None:
    assert freezing.build(NAME) == {name: freezing.standing(NAME, name) for name in FROZEN}


def test_registering_it_again_is_no_matter_but_another_module_is() -> None:
    teller_gym.register_scenario(NAME, tests.tiny.__name__)
    with pytest.raises(OptionError, match=r"one that is not taken, got 'delays', which tests\.tiny has"):
        teller_gym.register_scenario(NAME, "somewhere.else")
    with pytest.raises(OptionError, match="lower case words"):
        teller_gym.register_scenario("Card Limits", "somewhere.else")


@pytest.mark.parametrize(("split", "held"), [("train", False), ("generated", False), ("heldout_branch", True)])
def test_withheld_branches_come_up_in_their_split_alone(split: str, held: bool) -> None:
    scenario = load_scenario(NAME)
    assert {scenario.is_withheld(task.branches) for task in load_tasks(NAME, split, 40)} == {held}


def test_it_is_evaluated_by_the_command(tmp_path: Path) -> None:
    settings = [f"env={tests.tiny.__name__}:{NAME}", "agent=expert", "split=validation", f"run_dir={tmp_path / 'run'}"]
    assert cli.main(["eval", *settings]) == 0
    assert (tmp_path / "run").is_dir()
    assert cli.main(["eval", "env=no.such.module:delays", "agent=expert", f"run_dir={tmp_path / 'other'}"]) == 2


DAMAGE = {
    "no tool's argument": ("graph.yaml", "      most: ", "      highest: ", "the tool's arguments are"),
    "no output upstream": ("graph.yaml", "get_claim.deposit", "get_claim.money", "is no output of a node"),
    "an edge to nothing": ("graph.yaml", "nodes:", "edges: [{from: a, to: b, kind: state, why: c}]\nnodes:", "no node"),
    "a cycle": (
        "graph.yaml", "nodes:", "edges: [{from: submit_claim, to: get_claim, kind: state, why: c}]\nnodes:", "a cycle",
    ),
    "no such tool": ("sop.yaml", "nodes: [submit_claim]", "nodes: [drop_claim]", "expected nodes of the graph"),
    "no such number": ("sop.yaml", "{patience_days}", "{patience}", "placeholder without a value in the policy"),
    "no such type": ("template.yaml", "type: cents, description: What was", "type: x, description: What was", "type"),
    "no origin": ("template.yaml", ", from: [calculate_loss.days]", "", "expected 'from'"),
    "no YAML": ("template.yaml", "existing:", "existing: [", "template.yaml: "),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_loader_refuses_documents_that_contradict_each_other(damage: str, scenario_folder: Path) -> None:
    name, old, new, message = DAMAGE[damage]
    tests.tiny.load()
    file = scenario_folder / name
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ScenarioError, match=message):
        tests.tiny.load()


@pytest.mark.parametrize("name", ["policy.yaml", "sop.yaml", "template.yaml", "graph.yaml"])
def test_a_document_that_is_missing_is_told(name: str, scenario_folder: Path) -> None:
    (scenario_folder / name).unlink()
    with pytest.raises(ScenarioError, match=rf"expected {name} in the folder of tests\.tiny, there is none"):
        tests.tiny.load()


@pytest.fixture
def scenario_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the scenario's documents, which is read in place of the originals."""
    folder = Path(shutil.copytree(FOLDER, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__", *FROZEN)))
    own = resources.files
    monkeypatch.setattr(
        "teller_gym.procedure.documents.resources.files",
        lambda name: folder if name == tests.tiny.__name__ else own(name),
    )
    return folder
