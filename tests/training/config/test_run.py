"""Every training configuration in the project composes and fits its models, and mistakes are reported, all at once."""

from __future__ import annotations

import itertools
import typing
from importlib import resources

import pytest

import teller_gym
from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import SettingsError
from teller_gym.configuration.compose import choices, groups_of, recipes
from teller_gym.configuration.settings import describe
from teller_gym.training.config.model import ModelConfig, TinyShape
from teller_gym.training.config.run import Config, load
from teller_gym.training.tasks.seeds import make_env

TOP = [name for name in recipes() if name != "eval"]
CHOICES = [(group, choice) for group in groups_of("train") for choice in choices(group)]
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


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("method.sft.epochs=3", "method.sft.epochs: no such setting; expected one of trajectories, "),
        ("model=gpt", "model: expected one of qwen3_0_6b, "),
        ("seed=often", "seed: expected a whole number, at least 0 and at most 99, got 'often'"),
        ("seed=100", "seed: expected a whole number, at least 0 and at most 99, got 100"),
        ("method.grpo.group=1", "method.grpo.group: expected a whole number, at least 2, got 1"),
        ("loss.updates=7", "method.grpo.tasks: expected a number with which "),
        ("hardware.cards=3", "method.grpo.tasks: expected a number with which "),
        ("hardware.generation=vllm", "hardware.generation: vllm needs a GPU"),
        ("hardware=l20_multi hardware.nodes=1", "hardware.nodes: expected at least 2 with vllm_mode=server"),
        ("hardware.cards=2 hardware.sharding=fsdp2", "hardware.generation: sampling with transformers needs"),
        (
            "hardware=a100_multi method.rejection.rounds=1",
            "method.rejection.rounds: one process plays, with the whole model, and sharding=fsdp2 spreads it",
        ),
        (
            "method.rejection.tasks=10001",
            "method.rejection.tasks: expected a whole number, at least 1 and at most 10000",
        ),
        ("loss.clip_low=1", "loss.clip_low: expected a number below 1, got 1"),
        ("loss=ppo", "loss: expected one of dapo, "),
        ("hardware.vllm_memory=30", "hardware.vllm_memory: expected a number, at least 0 and at most 1, got 30"),
        ("method.grpo.temperature=0", "method.grpo.temperature: expected a number, above 0, got 0"),
        ("method.sft.shortcuts=1", "method.sft.shortcuts: expected a number, at least 0 and below 1, got 1"),
        ("method.sft.curriculum=[{share: 0.4, max_tokens: 600}]", "method.sft.curriculum: expected shares that add up"),
        ("method.sft.curriculum=[{share: 1.0, tokens: 600}]", "method.sft.curriculum[0].tokens: no such setting"),
        ("method.sft.curriculum=[]", "method.sft.curriculum: expected a list, each settings"),
        ("method.sft=5", "method.sft: expected settings, some of trajectories, "),
        ("method=curriculum method.grpo.curriculum.easier=0.95", "method.grpo.curriculum: expected easier and harder"),
        ("evaluation.n=0", "evaluation.n: expected a whole number, at least 1, or null, got 0"),
        ("evaluation.split=generated", "evaluation.n: expected a number of tasks"),
        ("evaluation.split=held", "evaluation.split: expected one of train, validation, heldout, generated, "),
        ("evaluation.references=[nobody]", "evaluation.references[0]: expected one of "),
        ("model.shape.layers=four", "model.shape.layers: expected a whole number, at least 1, got 'four'"),
        ("model.shape.colour=3", "model.shape.colour: no such setting; expected one of hidden, "),
        ("model.shape.hidden=7", "model.shape.hidden: expected more than head_dim (32), got 7"),
        ("model.shape.kv_heads=3", "model.shape.heads: expected a multiple of kv_heads (3), got 4"),
        ("model.shape.head_dim=5", "model.shape.head_dim: expected an even number, at least 6"),
        ("model.turn_tokens=99999", "model.turn_tokens: expected at most total_tokens (2600), got 99999"),
        ("env.reward=sparse", "env.reward: training goes by the score"),
        ("env.options.sop=explicit", "env.options: options are given directly under env"),
        ("env=lones", "env: expected one of loans, "),
        ("env=:loans", "env: expected a module before the colon"),
        ("policy_shift=drawn", "policy_shift: no such setting; "),
        ("distractors=40", "options of the env are written env.distractors=…"),
        ("run_dir=", "run_dir: expected text, not empty, got nothing"),
        (f"run_dir={'x' * 300}", "run_dir: expected a folder that can be made, got "),
        ("run_dir=/dev/null", "run_dir: expected a folder, got '/dev/null', which is a file"),
        ("seed=1,2", "'seed=1,2': expected one value"),
        ("logger.project=a=b", "'logger.project=a=b' cannot be read"),
        ("seed", "expected key=value, such as env=loans, got 'seed'"),
        ("~method.sft.shortcuts", "method.sft.shortcuts: expected a number, at least 0 and below 1, got nothing"),
    ],
)
def test_a_mistake_is_told(override: str, expected: str) -> None:
    words = override.split() if " " in override and "[" not in override else [override]
    problems = told(*words)
    assert len(problems) == 1
    assert expected in problems[0]


def test_all_mistakes_are_told_at_once() -> None:
    words = ["seed=100", "model=gpt", "env.reward=sparse", "method.sft.epochs=3", "logger.wandb=maybe", "run_dir="]
    problems = told(*words)
    keys = [problem.partition(":")[0] for problem in problems]
    assert keys == ["model", "run_dir", "seed", "env.reward", "method.sft.epochs", "logger.wandb"]


def test_an_unknown_recipe_is_told() -> None:
    with pytest.raises(SettingsError, match=r"--config-name: expected one of .*, got 'nothing'"):
        load("nothing", [])


def test_every_size_of_the_tiny_model_can_be_set() -> None:
    assert load("train", ["model.shape.positions=512", "model.shape.layers=3"])[0].model.shape == TinyShape(
        layers=3, positions=512
    )


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
