"""Options are checked before anything runs, presets are valid, and the identity has the options that change answers."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hydra import compose, initialize_config_module
from omegaconf import OmegaConf

from teller_gym.agents.base import Prices
from teller_gym.agents.endpoint import EndpointConfig
from teller_gym.base.errors import OptionError

FOLDER = Path(__file__).parents[3] / "configs" / "endpoint"
PRESETS = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem not in ("none", "options"))
PAPER = 14


@cache
def preset(name: str, *overrides: str) -> dict[str, Any]:
    with initialize_config_module("teller_gym.configs", version_base=None):
        config = OmegaConf.to_container(compose(None, [f"+endpoint={name}", *overrides]))
    assert isinstance(config, dict)
    options = config["agent"]
    assert isinstance(options, dict)
    return {str(key): value for key, value in options.items()}


@pytest.mark.parametrize(
    ("options", "message"), yaml.safe_load(Path(__file__).with_name("wrong_options.yaml").read_text("utf-8"))
)
def test_wrong_options_are_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        EndpointConfig.read(options)


@pytest.mark.parametrize(
    "options",
    [
        {"key_variable": "sk-proj-abc123"},
        {"key_variable": ["sk-proj-abc123"]},
        {"base_url": "https://sk-proj-abc123@api.example.com/v1"},
        {"base_url": "https://api.example.com/v1?key=sk-proj-abc123"},
        {"extra_body": "sk-proj-abc123"},
        {"api_key": "sk-proj-abc123"},
    ],
)
def test_a_key_in_the_wrong_place_is_not_repeated(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as error:
        EndpointConfig.read({"model": "m", **options})
    assert "abc123" not in str(error.value)


def test_identity_holds_what_changes_answers_and_nothing_else() -> None:
    base = EndpointConfig.read({"model": "m"}).identity()
    same = {
        "base_url": "http://other/v1", "key_variable": "K", "name": "x", "timeout_s": 1.0, "retries": 1,
        "max_response_mb": 1, "max_tokens_field": "max_completion_tokens", "requests_per_minute": 1.0,
        "tokens_per_minute": 1.0, "price_prompt": 1.0, "price_completion": 1.0, "price_cached": 0.5,
        "most_tools": 128, "not_taken": ["top_p"], "thinking_field": "type", "strict_usage": True,
    }  # fmt: skip
    assert EndpointConfig.read({"model": "m", **same}).identity() == base
    other = {
        "model": "n", "protocol": "react", "tool_text": "compact", "temperature": 0.5, "top_p": 0.5,
        "max_new_tokens": 5, "send_seed": True, "thinking": True, "extra_body": {"a": 1}, "context": 100_000,
        "context_end": "drop", "schemas": "plain", "return_thinking": False,
    }  # fmt: skip
    for name, value in other.items():
        changed = {name: value} | ({"protocol": "react"} if name == "tool_text" else {})
        found = EndpointConfig.read({"model": "m"} | changed).identity()
        if "extra_body" in changed:
            assert found.pop("check")
            changed = {"extra_body": {"a": "<not kept>"}}
        assert found == base | changed
    assert same.keys() | other.keys() == set(EndpointConfig.__struct_fields__)


def test_what_an_endpoint_does_not_take_is_not_sent_and_no_part_of_the_identity() -> None:
    plain = EndpointConfig.read({"model": "m"})
    refused = {"temperature": 0.1, "top_p": 0.9, "send_seed": True, "not_taken": ["temperature", "top_p", "seed"]}
    set_anyway = EndpointConfig.read({"model": "m", **refused})
    assert set_anyway.request() == plain.request()
    assert set_anyway.identity() == plain.identity()
    assert set_anyway.unsent == {"temperature": 0.1, "top_p": 0.9, "seed": True}


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("template", {"chat_template_kwargs": {"enable_thinking": True}}),
        ("enable_thinking", {"enable_thinking": True}),
        ("type", {"thinking": {"type": "enabled"}}),
    ],
)
def test_thinking_is_one_option_whatever_the_server_calls_it(field: str, sent: dict[str, Any]) -> None:
    config = EndpointConfig.read({"model": "m", "thinking": True, "thinking_field": field, "max_new_tokens": None})
    assert config.request() == {"model": "m"} | sent


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"model": "Qwen/Qwen3-8B"}, "Qwen3-8B"),
        ({"model": "Qwen/Qwen3-8B", "protocol": "react", "thinking": False}, "Qwen3-8B-react-no-thinking"),
        ({"model": "m", "name": "mine", "protocol": "react"}, "mine"),
    ],
)
def test_the_name_tells_agents_apart(options: dict[str, Any], name: str) -> None:
    assert EndpointConfig.read(options).shown_name == name


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_read(name: str) -> None:
    assert (FOLDER / f"{name}.yaml").read_text("utf-8").startswith("# @package agent\n")
    options = preset(name)
    config = EndpointConfig.read(options if options["model"] else options | {"model": "m"})
    local = config.base_url.startswith("http://localhost")
    assert local == (config.key_variable is None)
    assert local or config.base_url.startswith("https://")
    assert (config.prices is None) or isinstance(config.prices, Prices)


def test_the_models_of_the_paper_have_one_each() -> None:
    models = [preset(name)["model"] for name in PRESETS]
    assert len({model for model in models if model}) == PAPER
    assert models.count(None) == len(PRESETS) - PAPER


def test_the_file_of_all_options_says_the_defaults() -> None:
    written = yaml.safe_load((FOLDER / "options.yaml").read_text("utf-8"))
    assert written.pop("model") is None
    assert list(written) == list(EndpointConfig.__struct_fields__)[1:]
    assert EndpointConfig.read(written | {"model": "m"}) == EndpointConfig.read({"model": "m"})


def test_options_can_be_changed_on_the_command_line() -> None:
    options = preset("vllm", "agent.model=Qwen/Qwen3-8B", "agent.thinking=false", "agent.extra_body={top_k: 20}")
    config = EndpointConfig.read(options)
    assert (config.model, config.thinking, config.send_seed) == ("Qwen/Qwen3-8B", False, True)
    assert config.request()["top_k"] == 20
    assert preset("none") == {}
