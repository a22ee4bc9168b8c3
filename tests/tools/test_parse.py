"""Parsing actions: all ways to write a call, all kinds of mistakes, and no exception other than ToolError."""

import json
import math
import time
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.envs.spaces.text import ToolCallText
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS
from teller_gym.tools.parse import parse_action, readable_call
from teller_gym.tools.run import action_text
from teller_gym.tools.tool import Category, Result, ToolSet, tool
from teller_gym.variation.pool import tools_in_play

TOOLS = load_scenario("loans").tools
CALLS = [call for task in list(frozen_tasks("loans").values())[:40] for call in task.standard.calls]
PRICE = next(call for call in CALLS if call.name == "price_loan")
GOOD = json.dumps({"name": PRICE.name, "arguments": PRICE.arguments})
KINDS_OF_TEXT = {ErrorKind.MALFORMED, ErrorKind.UNKNOWN_TOOL, ErrorKind.VALIDATION, ErrorKind.TYPE}


def with_arguments(**changes: Any) -> str:
    return json.dumps({"name": PRICE.name, "arguments": PRICE.arguments | changes})


def failure(text: str) -> ToolError:
    """Return the error of a text, which must be raised in bounded processor time."""
    start = time.process_time()
    with pytest.raises(ToolError) as caught:
        parse_action(text, TOOLS)
    assert time.process_time() - start < 10
    error = caught.value
    assert error.kind in KINDS_OF_TEXT
    assert 0 < len(error.message) < 2_000
    json.dumps(error.to_dict()).encode()  # what the agent reads is valid text
    return error


def is_price_loan(text: str) -> bool:
    call = parse_action(text, TOOLS)
    return isinstance(call, ToolCall) and call.tool.name == "price_loan" and call == parse_action(GOOD, TOOLS)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        json.dumps(json.loads(GOOD), indent=2),
        json.dumps({"arguments": PRICE.arguments, "name": PRICE.name}),
        GOOD.replace("price_loan", "price\\u005floan"),
        GOOD.replace('"autopay"', '"\\u0061utopay"'),
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"```json\n{GOOD}",
        f"I price it now.\n```json\n{GOOD}\n```\nThen I go on.",
        f"```text\nno call\n```\n```json\n{GOOD}\n```",
        f"<tool_call>\n{GOOD}\n</tool_call>",
        f"<tool_call>{GOOD}",
        f"I price it now. <tool_call>{GOOD}</tool_call> Done.",
        f"<think>\nWhat now? ```not this```\n</think>\n\n<tool_call>\n{GOOD}\n</tool_call>",
        f"<think></think>{GOOD}",
        f"<think>{{}} <tool_call>nothing</tool_call></think>```json\n{GOOD}\n```",
        f"I price it: {GOOD}",
        f"{GOOD} That is all.",
        f"First {GOOD} and then we see.",
        f"[{GOOD}]",
    ],
)
def test_a_call_is_read_in_every_form(text: str) -> None:
    assert is_price_loan(text)


@pytest.mark.parametrize("inside", ["<tool_call>", "<tool_call>{}</tool_call>", "```json\n{}\n```", "</think>"])
def test_what_can_be_run_can_be_shown_as_a_call(inside: str) -> None:
    call = {
        "name": "add_case_note",
        "arguments": {
            "case_id": "LA-100000", "note_category": "visit", "note_text": inside, "confidential": False,
        },
    }  # fmt: skip
    text = json.dumps(call)
    assert isinstance(parse_action(text, TOOLS), ToolCall)
    assert readable_call(text) == ("", call["name"], call["arguments"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"I price it now. <tool_call>{GOOD}</tool_call> Done.", "I price it now."),
        (f"I price it now.\n```json\n{GOOD}\n```\nThen I go on.", "I price it now."),
        (f"```text\nno call\n```\n```\n{GOOD}", "```text\nno call\n```"),
        (f"<think>What now? {GOOD}</think>\n\n<tool_call>\n{GOOD}\n</tool_call>", f"<think>What now? {GOOD}</think>"),
        (f"<think>Hm.</think>{GOOD}", "<think>Hm.</think>"),
        (f"  {GOOD}\n", ""),
        (f"<tool_call>{GOOD}", ""),
    ],
)
def test_words_before_a_call_are_kept(text: str, words: str) -> None:
    assert readable_call(text) == (words, PRICE.name, PRICE.arguments)


@pytest.mark.parametrize("text", ["", "<tool_call></tool_call>", "Done.", "{", "[1]", '{"name": 1, "arguments": {}}'])
def test_what_cannot_be_shown_as_a_call(text: str) -> None:
    assert readable_call(text) is None


@pytest.mark.parametrize(
    "text", ["", " ", "The loan is approved.", "```python\nprint(1)\n```", "<think>hm", '"name"', "1"]
)
def test_text_without_a_call_is_the_final_response(text: str) -> None:
    assert parse_action(text, TOOLS) == FinalResponse(text)


BRACKETS = 2_000_000

MALFORMED = {
    "empty object": "{}",
    "no arguments": '{"name": "price_loan"}',
    "no name": '{"arguments": {}}',
    "a list of two calls": f"[{GOOD}, {GOOD}]",
    "two calls": f"{GOOD}\n{GOOD}",
    "two tagged calls": f"<tool_call>{GOOD}</tool_call><tool_call>{GOOD}</tool_call>",
    "two fenced calls": f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
    "cut off": GOOD[:-10],
    "not JSON": "{name: price_loan}",
    "single quotes": GOOD.replace('"', "'"),
    "a third key": GOOD[:-1] + ', "thought": "hm"}',
    "the name is a number": '{"name": 3, "arguments": {}}',
    "the name is null": '{"name": null, "arguments": {}}',
    "duplicate name": GOOD[:-1] + ', "name": "price_loan"}',
    "duplicate arguments": GOOD[:-1] + ', "arguments": {}}',
    "duplicate argument": GOOD[:-2] + ', "autopay": true}}',
    "duplicate argument in escapes": GOOD[:-2] + ', "\\u0061utopay": true}}',
    "NaN": with_arguments(loan_amount=math.nan),
    "infinity": with_arguments(loan_amount=math.inf),
    "brackets": "[" * BRACKETS,
    "braces": "{" * BRACKETS,
    "objects": '{"name":' * 100_000,
    "brackets in an argument": GOOD[:-2] + ', "x": ' + "[" * 500_000,
    "closed brackets": '{"name": "price_loan", "arguments": ' + "[" * 400_000 + "]" * 400_000 + "}",
    "tagged brackets": "<tool_call>" + "[" * 900_000,
    "raw surrogate": GOOD.replace("price_loan", "price\ud800loan"),
    "raw surrogate in an argument": with_arguments().replace("LA-", "LA\udfff"),
    "escaped surrogate": GOOD.replace("price_loan", "price\\ud800loan"),
    "escaped surrogate in an argument": with_arguments().replace("LA-", "LA\\udfff"),
    "control character": GOOD.replace("price_loan", "price\x00loan"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_looks_like_a_call_but_is_none_is_malformed(name: str) -> None:
    assert failure(MALFORMED[name]).kind is ErrorKind.MALFORMED


def test_an_action_has_a_longest_length() -> None:
    padded = GOOD + " " * (MAX_ACTION_CHARACTERS - len(GOOD))
    assert is_price_loan(padded)
    assert "characters" in failure(padded + " ").message
    assert failure("prose " * 200_000).kind is ErrorKind.MALFORMED


def test_unknown_tools_are_named_and_shortened() -> None:
    error = failure('{"name": "grant_loan", "arguments": {}}')
    assert (error.kind, error.field) == (ErrorKind.UNKNOWN_TOOL, "name")
    assert "grant_loan" in error.message
    assert len(failure(json.dumps({"name": "x" * 100_000, "arguments": {}})).message) < 300


@pytest.mark.parametrize(
    ("changes", "kind", "field"),
    [
        ({"loan_amount": "25000"}, ErrorKind.TYPE, "loan_amount"),
        ({"loan_amount": None}, ErrorKind.TYPE, "loan_amount"),
        ({"loan_amount": [1]}, ErrorKind.TYPE, "loan_amount"),
        ({"autopay": 1}, ErrorKind.TYPE, "autopay"),
        ({"autopay": "true"}, ErrorKind.TYPE, "autopay"),
        ({"term_months": 60.5}, ErrorKind.TYPE, "term_months"),
        ({"term_months": True}, ErrorKind.TYPE, "term_months"),
        ({"product": 1}, ErrorKind.TYPE, "product"),
        ({"loan_amount": -1}, ErrorKind.VALIDATION, "loan_amount"),
        ({"loan_amount": 1.005}, ErrorKind.VALIDATION, "loan_amount"),
        ({"loan_amount": 10**12}, ErrorKind.VALIDATION, "loan_amount"),
        ({"term_months": 0}, ErrorKind.VALIDATION, "term_months"),
        ({"product": "boat"}, ErrorKind.VALIDATION, "product"),
        ({"application_id": "LA-1"}, ErrorKind.VALIDATION, "application_id"),
        ({"colour": "red"}, ErrorKind.VALIDATION, "colour"),
    ],
)
def test_wrong_arguments_have_a_kind_and_a_field(changes: dict[str, Any], kind: ErrorKind, field: str) -> None:
    error = failure(with_arguments(**changes))
    assert (error.kind, error.field) == (kind, field)
    assert field in error.message


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1e308", "9" * 400, "9" * 5_000, "0." + "1" * 5_000])
def test_huge_numbers_are_refused(number: str) -> None:
    text = json.dumps({"name": "price_loan", "arguments": PRICE.arguments | {"loan_amount": "HERE"}})
    error = failure(text.replace('"HERE"', number))
    assert error.kind in {ErrorKind.VALIDATION, ErrorKind.TYPE, ErrorKind.MALFORMED}


def test_the_field_of_an_unknown_argument_is_shortened() -> None:
    field = failure(with_arguments(**{"x" * 100_000: 1})).field
    assert field is not None and field.startswith("xxx") and len(field) < 120


def test_missing_arguments_are_named() -> None:
    arguments = {key: value for key, value in PRICE.arguments.items() if key != "term_months"}
    error = failure(json.dumps({"name": "price_loan", "arguments": arguments}))
    assert (error.kind, error.field) == (ErrorKind.VALIDATION, "term_months")
    assert "autopay" in error.message  # the message lists what is expected


def test_arguments_in_quotes_are_a_type_error() -> None:
    for text in (
        json.dumps({"name": PRICE.name, "arguments": json.dumps(PRICE.arguments)}),
        json.dumps({"name": PRICE.name, "arguments": json.dumps(json.dumps(PRICE.arguments))}),
    ):
        error = failure(text)
        assert error.kind is ErrorKind.TYPE
        assert "quotes" in error.message


@pytest.mark.parametrize("arguments", [None, [], 3, True])
def test_arguments_of_another_type_are_a_type_error(arguments: Any) -> None:
    error = failure(json.dumps({"name": "price_loan", "arguments": arguments}))
    assert error.kind is ErrorKind.TYPE
    assert error.message.endswith(f"expected arguments to be a JSON object, got {json.dumps(arguments)}")


def test_a_tool_without_parameters_expects_no_arguments() -> None:
    @tool(category=Category.AUXILIARY)
    def list_all(bank: Bank) -> Result:
        """List all."""
        return Result()

    with pytest.raises(ToolError) as caught:
        parse_action('{"name": "list_all", "arguments": {"dummy": ""}}', ToolSet([list_all]))
    assert caught.value.message == "list_all: argument dummy is unknown; expected no arguments"


@pytest.mark.parametrize(
    "day", ["2026-02-31", "2026-13-01", "31.01.2026", "yesterday", "2026-2-3", "2026-02-03T00:00:00"]
)
def test_what_is_no_date_is_a_type_error(day: str) -> None:
    call = next(call for call in CALLS if call.name == "submit_final_review")
    text = json.dumps({"name": call.name, "arguments": call.arguments | {"action_due_date": day}})
    error = failure(text)
    assert (error.kind, error.field) == (ErrorKind.TYPE, "action_due_date")


# No other exceptions


def read(text: str) -> None:
    """Parse a text, and check that no exception is raised but a ToolError with valid text."""
    try:
        parse_action(text, TOOLS)
    except ToolError as error:
        assert error.kind in KINDS_OF_TEXT
        json.dumps(error.to_dict()).encode()


PIECES = ["{", "}", "[", "]", ":", ",", '"', "\\", "\\u", "d800", "null", "true", "1e999", "-", "NaN", GOOD, "```", "`",
          "<tool_call>", "</tool_call>", "<think>", "</think>", '"name"', '"arguments"', '"price_loan"', "\ud800",
          "\x00", "é", "\u2028", " ", "\n", "9" * 30]  # fmt: skip


@given(st.text(st.characters(codec=None), max_size=200) | st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=150, deadline=None)
def test_no_text_raises_anything_else(text: str) -> None:
    read(text)


@given(st.sampled_from(CALLS), st.data())
@settings(max_examples=100, deadline=None)
def test_no_mutated_call_raises_anything_else(call: Any, data: st.DataObject) -> None:
    text = json.dumps({"name": call.name, "arguments": call.arguments})
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.sampled_from(PIECES)) + text[at + gone :]
    read(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(CALLS), st.data())
@settings(max_examples=100, deadline=None)
def test_no_argument_raises_anything_else(call: Any, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*call.arguments, "unknown"]))
    arguments = call.arguments | {name: data.draw(JSON)}
    read(json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=data.draw(st.booleans())))


# Valid calls


def test_the_quick_way_reads_what_the_slow_way_reads() -> None:
    for call in CALLS:
        plain = json.dumps({"name": call.name, "arguments": call.arguments}, separators=(",", ":"))
        spaced = json.dumps({"arguments": call.arguments, "name": call.name}, indent=1)
        assert parse_action(plain, TOOLS) == parse_action(spaced, TOOLS)


def test_an_action_sent_again_is_read_by_the_tools_in_play_and_errors_are_new_each_time() -> None:
    """Parsed actions are cached, but the same text is another call with other tools."""
    own, shifted = (tools_in_play("loans", 0, "", schema) for schema in ("", "1/5"))
    task = next(iter(frozen_tasks("loans").values()))
    text = action_text(task.standard.calls[0])
    for _ in range(2):
        assert isinstance(parse_action(text, own), ToolCall)
        with pytest.raises(ToolError) as first:
            parse_action(text, shifted)
        with pytest.raises(ToolError) as second:
            parse_action(text, shifted)
        assert first.value is not second.value


def test_no_tool_changes_the_arguments_of_a_call() -> None:
    """Parsed actions are cached, so a change would affect the next equal action. All tools are sampled."""
    tools = tools_in_play("loans", 243, "")
    tasks = frozen_tasks("loans")
    space = ToolCallText(tools, seed=5)
    names, bank = set(), load_scenario("loans").bank(tasks["loans-0001"])
    texts = [action_text(call) for task in list(tasks.values())[::9] for call in task.standard.calls]
    for text in [*texts, *(space.sample() for _ in range(2500))]:
        with suppress(ToolError):
            call = parse_action(text, tools)
            assert isinstance(call, ToolCall)
            before = msgspec.json.encode(call.arguments)
            with suppress(ToolError):
                call.tool.call(bank, call.arguments)
            assert msgspec.json.encode(call.arguments) == before, call.tool.name
            names.add(call.tool.name)
    assert len(names) == len(tools)
