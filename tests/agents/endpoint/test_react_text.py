"""Turns of the ReAct protocol are read as meant, quickly, for any text."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.reading import read_text
from tests.agents.endpoint.server import TOOL

CALL = '{"name": "look", "arguments": {"note": "a } in a {string} \\" <think> </think>"}}'
SPACED = '{ "name" : "look",\n "arguments": {} }'


LOANS = load_scenario("loans").tools


def env_reads(action: str) -> str:
    """Return the action as the env reads it."""
    try:
        read = parse_action(action, LOANS)
    except ToolError as error:
        return error.kind.value
    return {ToolCall: "call", FinalResponse: "response"}[type(read)]


@pytest.mark.parametrize("call", [CALL, SPACED])
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "  {}\n",
        "```json\n{}\n```",
        "```\n{}\n```",
        "<tool_call>{}</tool_call>",
        "<tool_call>\n{}",
        "First I look.\n{}",
        "{}\nThat is all.",
        "<think>Or {{not}}?</think>{}",
        '<think>\nlong</think>\n<sop_analysis>Step 1: "look" {{"name": "x", "arguments": {{}}}}</sop_analysis>{}',
        "<sop_analysis>a</sop_analysis><step_progress>b</step_progress>\n\n{}",
        "<step_progress>never closed\n{}",
        "thought</think>{}",
        'He said "x" and {{"score": 3}}; so {}',
        "{}<final_response>too early</final_response>",
        'Maybe {{"name": "x", "arguments": {{}}}}.</think>{}',
        "<final_response>{{}}</final_response>{}",
    ],
)
def test_one_call_is_found_wherever_it_stands(around: str, call: str) -> None:
    assert read_text(around.format(call)).action == call


@pytest.mark.parametrize(
    ("text", "action", "thinking"),
    [
        ("<final_response>Approved.</final_response>", "Approved.", ""),
        ("<think>t</think><step_progress>p</step_progress><final_response> Denied", "Denied", "t"),
        ("Nothing to do.", "Nothing to do.", ""),
        ("<sop_analysis>only this</sop_analysis>", "<sop_analysis>only this</sop_analysis>", ""),
        ("<think>cut off {", "", "cut off {"),
        ("", "", ""),
        ("<sop_analysis>a</sop_analysis><think>b</think>c", "c", "b"),
    ],
)
def test_other_turns(text: str, action: str, thinking: str) -> None:
    assert (read_text(text).action, read_text(text).thinking) == (action, thinking)


@pytest.mark.parametrize(
    "text",
    [
        f"{CALL}\n{CALL}",
        f"One {SPACED} and another {SPACED} then.<final_response>x</final_response>",
        'I call { "name": "look", "arguments": {"a": 1,} } now',
        "Prose { 'name': 'look', 'arguments': {} }",
        'Cut off: {"name": "look", "arguments": {"a": "',
        '{"tool": "look"}',
        '{"name": "look", "parameters": {}}',
        "<tool_call>look()</tool_call>",
    ],
)
def test_what_is_meant_as_a_call_but_is_none_is_malformed_for_the_env(text: str) -> None:
    assert env_reads(read_text(text).action) == ErrorKind.MALFORMED


def test_several_calls_are_refused_as_several() -> None:
    with pytest.raises(ToolError, match="expected one call, got several"):
        parse_action(read_text(f"{CALL} {CALL}").action, LOANS)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
prose = st.text(st.characters(exclude_characters="{}<>`", exclude_categories=["Cs"]))
words = st.sampled_from(
    [
        "{",
        "}",
        '"',
        "\\",
        "'",
        "[",
        "]",
        ":",
        ",",
        " ",
        "\n",
        "<think>",
        "</think>",
        "<sop_analysis>",
        "</sop_analysis>",
        "<step_progress>",
        "</step_progress>",
        "<final_response>",
        "</final_response>",
        "<tool_call>",
        "</tool_call>",
        "```",
        '{"name": "look", "arguments": {}}',
        '{"name":',
        "name",
        "1",
        "é",
    ]
)


@given(st.dictionaries(st.text(), json_values, max_size=4), prose, prose, st.booleans(), st.sampled_from([None, 2]))
def test_any_call_survives_any_prose_around_it(
    arguments: dict[str, Any], before: str, after: str, escaped: bool, indent: int | None
) -> None:
    call = json.dumps({"name": TOOL["function"]["name"], "arguments": arguments}, ensure_ascii=escaped, indent=indent)
    assert read_text(f"<sop_analysis>{before}</sop_analysis>{before}{call}{after}").action == call


@given(st.text() | st.lists(words, max_size=40).map("".join))
def test_every_text_is_read(text: str) -> None:
    action, thinking = read_text(text).action, read_text(text).thinking
    assert isinstance(action, str)
    assert isinstance(thinking, str)
    assert env_reads(action) in {"call", "response", *ErrorKind}


@pytest.mark.parametrize(
    "piece",
    [
        "{", '{"', '{"a', '{"a":', '{"a":[', '{"name":', "<think>", "<sop_analysis>", "<final_response>", '{"a" ', "{}",
        '"{', '{"\\"', "</think>", '{"a":1}', "[", "{ ", "<step_progress></step_progress>",
        '{"name": "a", "arguments": 9999}',
    ],
)  # fmt: skip
def test_reading_takes_linear_time(piece: str) -> None:
    text = "x " + piece * (200_000 // len(piece))
    started = time.perf_counter()
    read_text(text)
    assert time.perf_counter() - started < 2.0
