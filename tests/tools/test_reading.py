"""A table of texts that the env, both protocols of endpoints, and checkpoints must read in the same way."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import teller_gym  # noqa: F401
from teller_gym.agents.endpoint.answers import Answer
from teller_gym.agents.endpoint.turns import NativeTurns, ReactTurns
from teller_gym.agents.local import without_thinking
from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.call import FinalResponse
from teller_gym.tools.overlong import stored
from teller_gym.tools.parse import parse_action
from teller_gym.tools.reading import FORMS, malformed_form, read_text, unreadable_call
from teller_gym.tools.thoughts import split_thoughts

TOOLS = load_scenario("loans").tools
NAME = "get_application_data"
ARGS = {"application_id": "LA-100000"}
CALL = {"name": NAME, "arguments": ARGS}
WORDS = {
    "PRETTY": json.dumps(CALL, indent=2),
    "CALL": json.dumps(CALL),
    "ARGS": json.dumps(ARGS),
    "NAME": NAME,
}
"""Replacements for the placeholders in the table."""


def cases() -> Iterator[Any]:
    table = yaml.safe_load(Path(__file__).with_name("reading_cases.yaml").read_text("utf-8"))
    for kind, rows in table.items():
        for name, (text, expected) in rows.items():
            for word, meaning in WORDS.items():
                text = text.replace(f"«{word}»", meaning)
            yield pytest.param(text, expected, id=f"{kind}: {name}")


CASES = list(cases())


def outcome(action: str) -> str:
    """Return how the env reads an action, in the terms of the table."""
    try:
        read = parse_action(action, TOOLS)
    except ToolError as error:
        return malformed_form(action) if error.kind is ErrorKind.MALFORMED else error.kind.value
    return "final" if isinstance(read, FinalResponse) else "call"


def answer(text: str, **more: Any) -> Answer:
    return Answer(text, text, "", (), more.pop("finish_reason", "stop"), None, **more)


READERS: dict[str, Callable[[str], str]] = {
    "env": lambda text: text,
    "native": lambda text: NativeTurns().read(answer(text))[0][0],
    "react": lambda text: ReactTurns().read(answer(text))[0][0],
    "checkpoint": without_thinking,
    "record": stored,
}
"""Readers by name; each converts a text to the action that the env receives."""


@pytest.fixture(scope="module")
def env() -> Any:
    return gym.make("Teller-Loans-v0", split="train").unwrapped


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_every_reader_reads_the_same_and_only_a_final_response_ends_an_episode(
    env: Any, text: str, expected: str
) -> None:
    actions = {name: read(text) for name, read in READERS.items()}
    assert {name: outcome(action) for name, action in actions.items()} == dict.fromkeys(READERS, expected)
    if expected == "call":
        assert all(parse_action(action, TOOLS) == parse_action(WORDS["CALL"], TOOLS) for action in actions.values())
    env.reset(seed=7)
    _, _, terminated, truncated, info = env.step(text)
    assert (terminated, truncated) == (expected == "final", False)
    if expected in FORMS:
        assert info["error"]["kind"] == ErrorKind.MALFORMED
        _names_the_form(info["error"]["message"], expected)
    else:
        assert info["error"] is None if expected == "final" else info["error"]["kind"] != ErrorKind.MALFORMED


def _names_the_form(message: str, form: str) -> None:
    assert len(message) < 600
    if form == "several":
        assert "expected one call, got several; send them one at a time" in message
    elif form not in ("keys", "duplicate_keys"):
        assert 'write one call as {"name": "<tool>", "arguments": {...}}' in message
    assert len(FORMS[form]) > 10


def test_forms_of_markup_name_the_servers_parser() -> None:
    own = {"several", "broken_json", "parameters", "wrapped", "keys", "duplicate_keys", "too_long", "not_text", "other",
           "arguments_only", "labelled", "server", "tool_call"}  # fmt: skip
    assert all("parser" in text for form, text in FORMS.items() if form not in own)
    assert not any("parser" in FORMS[form] for form in own)


@pytest.mark.parametrize(
    ("text", "thinking", "words"),
    [
        ("<think>a</think>So:\n@", "a", "So:"),
        ("a</think>b<think>c</think>@", "a\nc", "b"),
        ("[THINK]a[/THINK]<tool_call>@</tool_call> x", "a", ""),
        ("I look.\n```json\n@\n```", "", "I look."),
    ],
)
def test_thoughts_and_words_are_told_apart(text: str, thinking: str, words: str) -> None:
    reading = read_text(text.replace("@", WORDS["CALL"]))
    assert (reading.thinking, reading.words, reading.calls) == (thinking, words, (WORDS["CALL"],))
    assert (reading.final, reading.form) == (None, None)


# Finish reasons of the server


@pytest.mark.parametrize("text", ["", "I look at it now.", "<think>a</think>", "print(default_api.look())"])
@pytest.mark.parametrize("turns", [NativeTurns, ReactTurns])
def test_a_call_that_the_server_could_not_read_is_malformed(turns: Any, text: str) -> None:
    for reason in ("MALFORMED_FUNCTION_CALL", "malformed_function_call", "UNEXPECTED_TOOL_CALL"):
        (action,), _ = turns().read(answer(text, finish_reason=reason))
        assert outcome(action) == "server"
        with pytest.raises(ToolError, match="the server could not read the call"):
            parse_action(action, TOOLS)


@pytest.mark.parametrize("turns", [NativeTurns, ReactTurns])
def test_a_call_that_the_server_took_for_thoughts_is_malformed(turns: Any) -> None:
    thinking = f"I look.\n<tool_call>\n{WORDS['CALL']}\n</tool_call>"
    swallowed = Answer("", "", thinking, (), "stop", None)
    (action,), note = turns().read(swallowed)
    assert outcome(action) == "in_thoughts" and note["thinking"] == thinking
    assert turns().read(Answer("", "", f"Or {WORDS['CALL']}?", (), "stop", None))[0] == ("",)
    assert NativeTurns(tools=False).read(swallowed)[0] == ("",)


def test_without_tools_a_finish_reason_changes_nothing() -> None:
    graph = "nodes: [a]\nedges: []"
    assert NativeTurns(tools=False).read(answer(graph, finish_reason="UNEXPECTED_TOOL_CALL"))[0] == (graph,)


# Any text

PIECES = ["{", "}", "[", "]", ":", ",", '"', "\\", " ", "\n", "<think>", "</think>", "</thinking>", "[THINK]",
          "[/THINK]", "<sop_analysis>", "</sop_analysis>", "<final_response>", "</final_response>", "<tool_call>",
          "</tool_call>", "```", WORDS["CALL"], WORDS["ARGS"], NAME, f"{NAME}(", "a=1)", '{"name":', "<function=",
          "<invoke name=", "<|channel|>analysis<|message|>", "<|end|>", "\ud800", "\x00", "é", "x"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=200, deadline=None)
def test_every_reader_reads_any_text_the_same(text: str) -> None:
    expected = outcome(text)
    assert {name: outcome(read(text)) for name, read in READERS.items()} == dict.fromkeys(READERS, expected)
    assert malformed_form(text) in FORMS


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=100, deadline=None)
def test_thoughts_are_taken_out_once_and_for_all(text: str) -> None:
    said = split_thoughts(text).said
    assert split_thoughts(said)[:2] == ("", said)


LONG = ("{", '{"', '{"a":', '{"a":[', '{"name":', "{ ", "[", "`", "```", "```{", "``` ", "<", "<think>", "</think>",
        "<think></think>", "<think><think></think>", '{"</think>', '{"name":"</think>{', '{"a":["</think>",', "[THINK]",
        "<|channel|>analysis<|message|>", "<tool_call>", "</tool_call>", "<tool_call>{", "<invoke name=", "<function=",
        "<a:think></b:think>", "<|DSML|", "<｜tool▁", "functions.a:", f"{NAME}(", f"{NAME} ", f"{NAME}(a", "Action:\n",
        "\n", " ", "name: a\n", "<final_response>", "<sop_analysis>", '"arguments": ', "[TOOL_CALL", ">>>a", "to=",
        WORDS["CALL"], '{"a":1}', "x ", "}", "<x", "◁")  # fmt: skip


@pytest.mark.parametrize("piece", LONG)
def test_reading_takes_linear_time(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    for whole in (text, "x " + text, text + "</think>" + WORDS["CALL"]):
        begun = time.process_time()
        outcome(whole)
        assert time.process_time() - begun < 5  # actually some tens of milliseconds; a quadratic reader takes minutes


ODD = ["", "x" * 2_000_000, "\ud800", unreadable_call("a]\n[b" * 100, "x"), "{}", "[" * 5_000]


@pytest.mark.parametrize("action", ODD)
def test_every_action_has_a_form(action: str) -> None:
    assert malformed_form(action) in FORMS


def test_a_marked_call_is_kept_as_such() -> None:
    marked = unreadable_call("MALFORMED_FUNCTION_CALL")
    assert malformed_form(marked) == "server"
    assert malformed_form(stored("x" * 2_000_000)) == "too_long"
