"""Every configuration in the project composes, and mistakes are told."""

from __future__ import annotations

from importlib import resources

import pytest

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.training.config import load
from teller_gym.training.tasks import make_env
from teller_gym.training.tiny import TinyShape

CONFIGS = resources.files("teller_gym.configs")
EVALUATION = {"eval", "endpoint", "preset", "cluster"}
"""What belongs to `teller-gym eval`."""
TOP = sorted(
    name.removesuffix(".yaml")
    for name in (file.name for file in CONFIGS.iterdir())
    if name.endswith(".yaml") and name.removesuffix(".yaml") not in EVALUATION
)
CHOICES = [
    (group.name, file.name.removesuffix(".yaml"))
    for group in sorted(CONFIGS.iterdir(), key=lambda item: item.name)
    if group.is_dir() and not group.name.startswith("_") and group.name not in EVALUATION
    for file in sorted(group.iterdir(), key=lambda item: item.name)
]


RANDOMISATIONS = ("policy_shift", "schema_shift", "perturb", "faults", "distractors")


@pytest.mark.parametrize("name", TOP)
def test_every_recipe_composes(name: str) -> None:
    config, plain = load(name, [])
    assert config.env.id.startswith("Teller-")
    assert plain["run_dir"] == config.run_dir


@pytest.mark.parametrize(("group", "choice"), CHOICES)
def test_every_choice_of_every_group_composes(group: str, choice: str) -> None:
    load("train", [f"{group}={choice}"])


def test_there_are_recipes_and_choices() -> None:
    assert {"train", "demo", "long_cpu"} <= set(TOP)
    groups = {"env", "model", "method", "hardware", "logger", *RANDOMISATIONS}
    assert groups == {group for group, _ in CHOICES}


def test_the_randomisations_are_options_of_the_env_and_off_unless_chosen() -> None:
    assert load("train", [])[0].env.options == {}
    drawn = load("train", [f"{group}={'all' if group == 'distractors' else 'drawn'}" for group in RANDOMISATIONS])[0]
    assert drawn.env.options == {name: "all" if name == "distractors" else 1 for name in RANDOMISATIONS}
    teller_gym.make_agent("expert", make_env(drawn.env.id, drawn.env.options, "generated"))


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("method.sft.epochs=3", "epochs"),
        ("model=gpt", "gpt"),
        ("seed=often", "often"),
        ("method.grpo.group=1", "at least 2"),
        ("hardware.micro_batch=7", "multiple"),
        ("hardware.generation=magic", "transformers, vllm; got 'magic'"),
        ("hardware.generation=vllm", "needs a GPU"),
        ("hardware.device=tpu", "cpu, cuda"),
        ("logger.wandb=maybe", "offline, online, disabled"),
        ("method.sft.trajectories=-5", "trajectories must be at least 0; got -5"),
        ("method.grpo.temperature=0", "temperature must be above 0"),
        ("method.sft.slips=1", "at least 0 and below 1"),
        ("evaluation.episodes=0", "null or at least 1; got 0"),
        ("seed=100", "0 to 99; got 100"),
        ("model.shape.layers=four", "four"),
        ("+model.shape.colour=3", "colour"),
        ("method.sft.curriculum=[{share: 0.4, max_tokens: 600}]", "add up to 1"),
        ("model.turn_tokens=99999", r"at most total_tokens \(2600\); got 99999"),
        ("hardware.vllm_memory=30", "a share, 0 to 1; got 30"),
        ("env.options.reward=sparse", "env.options.reward"),
        ("evaluation.split=generated", "set evaluation.episodes"),
        ("evaluation.split=held", "train, validation, heldout, generated, .*got 'held'"),
        ("evaluation.references=[nobody]", "got 'nobody'"),
        ("model.prompt=long", "full, compact, minimal"),
        ("method.sft.optimizer=sgd", "adamw, muon; got 'sgd'"),
    ],
)
def test_a_mistake_is_told(override: str, told: str) -> None:
    with pytest.raises(OptionError, match=told):
        load("train", [override])


def test_an_unknown_recipe_is_told() -> None:
    with pytest.raises(OptionError, match="nothing"):
        load("nothing", [])


def test_every_size_of_the_tiny_model_can_be_set() -> None:
    assert load("train", ["model.shape.positions=512", "model.shape.layers=3"])[0].model.shape == TinyShape(
        layers=3, positions=512
    )


def test_options_of_the_environment_need_no_plus() -> None:
    assert load("train", ["env.options.sop=explicit"])[0].env.options == {"sop": "explicit"}
