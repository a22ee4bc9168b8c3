"""The first request of each preset is accepted by its vendor, or is not sent at all."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

import teller_gym
from teller_gym.agents.endpoint.plain_schemas import plain
from teller_gym.cli.eval_config import compose
from tests.agents.endpoint.server import Endpoint, says
from tests.agents.endpoint.test_config import PRESETS, preset

RULES: dict[str, dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "vendor_rules.yaml").read_text("utf-8"))
OF_PRESET = {name: rules for rules in RULES.values() for name in rules["presets"]}
SETTINGS = {
    "default": ["env=savings", "agent.temperature=0.5"],
    "paper": ["preset=paper"],
    "paper, native, stage 1 too": ["preset=paper", "agent.protocol=native", "stage=[1,2]"],
}


def first_requests(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, name: str, words: list[str]) -> list[Any]:
    """Return the first request of an evaluation for each stage; empty if the run is refused beforehand."""
    monkeypatch.setenv(preset(name)["key_variable"] or "NO_KEY", "sk-0123456789")
    model = [] if preset(name)["model"] else ["agent.model=some/model"]
    words = [*([] if any(word.startswith("env=") for word in words) else ["env=loans"]), *words]
    config = compose([f"endpoint={name}", *words, *model, "n=1", f"agent.base_url={endpoint.url}"])
    endpoint.will(says("I am done."))
    envs = [f"Teller-{str(one).title()}-v0" for one in config.env.id]
    if config.stage == [1, 2]:
        envs += [env.replace("-v0", "Graph-v0") for env in envs]
    teller_gym.evaluate(
        "endpoint", envs, "heldout", n=1, env_kwargs=config.env.options, graph_kwargs=config.graph,
        agent_kwargs=config.agent.options, tools=config.tools, progress=False,
    )  # fmt: skip
    return endpoint.bodies


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas within it."""
    yield value
    for part in value.get("properties", {}).values():
        yield from schemas(part)
    for key in ("items", "additionalProperties"):
        if isinstance(value.get(key), dict):
            yield from schemas(value[key])
    for key in ("anyOf", "oneOf", "allOf"):
        for part in value.get(key, ()):
            yield from schemas(part)


def faults(request: dict[str, Any], rules: dict[str, Any]) -> list[str]:
    """Return the parts of a request that the vendor would refuse."""
    found = [f"field {name}" for name in request if name not in rules["takes"]]
    found += [f"{pair}" for pair in rules.get("not_with", ()) if all(name in request for name in pair)]
    found += [f"{name} > {most}" for name, most in rules.get("most", {}).items() if request.get(name, 0) > most]
    tools = [tool["function"] for tool in request.get("tools", ())]
    if len(tools) > rules.get("most_tools", 10_000):
        found.append(f"{len(tools)} tools")
    for tool in tools:
        if not re.search(rules.get("names", ""), tool["name"]):
            found.append(f"name {tool['name']}")
        if len(tool["description"]) > rules.get("description", 10_000):
            found.append(f"description of {tool['name']}")
        for schema in schemas(tool["parameters"]) if "schema" in rules and "parameters" in tool else ():
            found += schema_faults(schema, rules["schema"])
    return found


def schema_faults(schema: dict[str, Any], rules: dict[str, Any]) -> list[str]:
    found = [f"keyword {key}" for key in schema if key not in rules["keywords"]]
    found += [f"format {schema['format']}"] if schema.get("format", "enum") not in rules["formats"] else []
    texts = all(isinstance(value, str) for value in schema.get("enum", ())) and schema.get("type") == "string"
    found += [f"enum {schema['enum']}"] if "enum" in schema and not texts else []
    found += ["an object without properties"] if schema.get("type") == "object" and not schema["properties"] else []
    return found + ([] if isinstance(schema.get("type"), str) else ["no type"])


def test_every_preset_has_its_vendors_rules() -> None:
    assert sorted(OF_PRESET) == PRESETS
    for name, rules in OF_PRESET.items():
        assert urlsplit(preset(name)["base_url"]).hostname in rules["hosts"]
        assert rules["sources"]
    assert len(PRESETS) == 16


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", PRESETS)
def test_the_first_request_is_one_that_the_vendor_takes(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, setting: str
) -> None:
    rules, words = OF_PRESET[name], SETTINGS[setting]
    requests = first_requests(endpoint, monkeypatch, name, words)
    all_tools = "native" in setting
    if all_tools and rules.get("most_tools", 284) < 284:
        assert re.search(r"at most 128 tools.*284.*nothing was sent; pass agent\.protocol=react", caplog.text)
        assert not any("tools" in body for body in requests)
        return
    assert len(requests) == 1 + all_tools
    assert ("agent.temperature is set and not sent" in caplog.text) == (name == "gpt_5")
    for request in requests:
        assert not faults(request, rules)
    sampled = "preset=paper" in words and name != "gpt_5"
    assert (requests[0].get("temperature") == 0.1) == sampled
    if all_tools:
        assert max(len(one.get("tools", ())) for one in requests) == 284


@cache
def full() -> list[dict[str, Any]]:
    """Return the schemas of a scenario with every distractor."""
    import gymnasium as gym

    env: Any = gym.make("Teller-Loans-v0", distractors="all")
    env.reset(seed=0)
    return list(env.unwrapped.tool_schemas())


def test_the_rules_find_what_is_refused_without_plain_schemas() -> None:
    request = {"tools": [{"type": "function", "function": tool["function"]} for tool in full()]}
    found = faults(request, OF_PRESET["gemini_3_pro"])
    told = {fault.partition(" ")[0] for fault in found}
    assert {"keyword", "format", "enum", "no"} <= told
    assert "284 tools" in faults(request, OF_PRESET["gpt_4o"])


def test_a_plain_schema_says_everything_in_words() -> None:
    """Every number, pattern, default and enum value of the schema is in the plain one."""
    for tool in full():
        told = plain(tool)["function"]
        assert told["name"] == tool["function"]["name"] and told["description"] == tool["function"]["description"]
        before, after = tool["function"]["parameters"], told.get("parameters", {"properties": {}})
        assert before.get("properties", {}).keys() == after["properties"].keys()
        assert before.get("required", []) == after.get("required", [])
        for name, part in before["properties"].items():
            text = json.dumps(after["properties"][name], ensure_ascii=False)
            for schema in schemas(part):
                for key, value in schema.items():
                    if key in ("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"):
                        assert re.search(rf"at (least|most) {value}", text), (name, key)
                    elif key == "pattern":
                        assert json.dumps(value, ensure_ascii=False)[1:-1] in text
                    elif key == "enum":
                        assert all(str(one) in text for one in value)
                    elif key == "default":
                        assert "if left out" in text


@pytest.mark.parametrize(
    ("schema", "told"), yaml.safe_load(Path(__file__).with_name("plain_schemas.yaml").read_text("utf-8"))
)
def test_schemas_are_written_plainer(schema: dict[str, Any], told: dict[str, Any]) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": schema}}}}
    assert plain(tool)["function"]["parameters"]["properties"]["a"] == told


def test_a_tool_without_parameters_has_none() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    assert plain(tool)["function"] == {"name": "f"}
