"""Every training configuration in the project composes, and all mistakes are reported at once."""

import itertools
import typing
from importlib import resources
from pathlib import Path

import pytest
import yaml

import teller_gym
from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import SettingsError
from teller_gym.configuration.compose import choices, groups_of, recipes
from teller_gym.configuration.settings import describe
from teller_gym.training.config.model import ModelConfig
from teller_gym.training.config.run import Config, load
from teller_gym.training.tasks.seeds import make_env

TOP = [name for name in recipes() if name != "eval"]
CHOICES = [(group, choice) for group in groups_of("train") for choice in choices(group)]
MISTAKES = yaml.safe_load(Path(__file__).with_name("mistakes.yaml").read_text("utf-8"))
RANDOMISATIONS = ("policy_shift", "schema_shift", "perturb", "faults")


def told(*overrides: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load("train", list(overrides))
    return caught.value.problems


@pytest.mark.parametrize("name", TOP)
def test_every_recipe_composes(name: str) -> None:
    config, plain = load(name, [])
    assert config.env.id.startswith("Teller-")
    assert plain["run_dir"] == config.run_dir


@pytest.mark.parametrize(("group", "choice"), CHOICES)
def test_every_choice_of_every_group_composes(group: str, choice: str) -> None:
    load("train", [f"{group}={choice}"])


def test_no_file_is_left_out() -> None:
    assert {"train", "demo", "long_cpu"} <= set(TOP)
    assert set(groups_of("train")) == set(groups_of("demo")) == {
        "model", "method", "loss", "reward", "hardware", "logger", "variation",
    }  # fmt: skip
    folders = {item.name for item in resources.files("teller_gym.configs").iterdir() if item.is_dir()}
    folders.remove("study")  # files of training.study, no group
    # Files of fit follow from two other choices.
    chosen = set(groups_of("train")) | set(groups_of("eval")) | {"fit"}
    assert chosen == {name for name in folders if not name.startswith("_")}


def test_what_fits_a_model_to_a_machine_is_for_offered_ones_and_yields_to_the_command_line() -> None:
    for name in choices("fit"):
        hardware, model = name.split("-")
        words = [f"hardware={hardware}", f"model={model}"]
        with_it = load("train", words)[0]
        without = load("train", [*words, "~fit"])[0]
        assert with_it.model_dump() != without.model_dump(), name
    assert load("train", ["hardware=l20_1", "model=qwen3_1_7b"])[0].hardware.vllm_memory == 0.45
    assert (
        load("train", ["hardware=l20_1", "model=qwen3_1_7b", "hardware.vllm_memory=0.3"])[0].hardware.vllm_memory == 0.3
    )
    assert load("train", ["hardware=l20_1", "model=qwen3_4b"])[0].hardware.vllm_memory == 0.55
    assert load("demo", ["hardware=l20_1", "model=qwen3_1_7b"])[0].hardware.vllm_memory == 0.45


def test_the_variations_are_options_of_the_env_and_off_unless_chosen() -> None:
    assert load("train", [])[0].env.options == {}
    drawn = load("train", ["variation=drawn", "env.faults=2"])[0]
    assert drawn.env.options == dict.fromkeys(RANDOMISATIONS, 1) | {"distractors": 40, "faults": 2}
    teller_gym.make_agent("expert", make_env(drawn.env.id, drawn.env.options, "generated"))
    assert load("train", ["variation=crowded"])[0].env.options == {"distractors": "all"}


@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: " ".join(row[:-1]))
def test_a_mistake_is_told(row: list[str]) -> None:
    *words, expected = row
    (problem,) = told(*(word.replace("LONG", "x" * 300) for word in words))
    assert expected in problem


def test_all_mistakes_are_told_at_once() -> None:
    words = ["seed=100", "model=gpt", "env.reward=sparse", "method.sft.epochs=3", "logger.wandb=maybe", "run_dir="]
    problems = told(*words)
    keys = [problem.partition(":")[0] for problem in problems]
    assert keys == ["model", "run_dir", "seed", "env.reward", "method.sft.epochs", "logger.wandb"]


def test_options_of_the_environment_need_no_plus() -> None:
    assert load("train", ["env.sop=explicit"])[0].env.options == {"sop": "explicit"}
    assert load("train", ["+env.sop=explicit"])[0].env.options == {"sop": "explicit"}


def test_a_scenario_of_one_s_own_can_be_trained_on() -> None:
    assert load("train", ["env=tests.tiny:delays"])[0].env.id == "Teller-Delays-v0"


def test_prompt_styles_are_those_of_the_agents() -> None:
    styles = typing.get_args(ModelConfig.model_fields["prompt"].annotation)
    assert set(styles) == {str(style) for style in PromptStyle}


def test_every_setting_says_what_it_means() -> None:
    """`--help` lists every dotted key, each with a description."""
    lines = describe(Config).splitlines()
    keys = {line.strip() for line in lines if line.startswith("  ") and not line.startswith("   ")}
    composed = load("train", ["method=curriculum"])[1]
    assert _dotted(composed) - {"env.id"} <= keys | {"env"}
    for key, text in itertools.pairwise(lines):
        if not key.startswith("   "):
            assert text.startswith("        ") and not text.strip().startswith("("), key


def _dotted(values: dict[str, object], prefix: str = "") -> set[str]:
    found: set[str] = set()
    for name, value in values.items():
        found |= _dotted(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}"}
    return found
