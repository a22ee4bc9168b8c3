"""Too long actions are refused unread, stored in short form, and refused in the same way when read back."""

import hashlib
import json
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base import text as base_text
from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools import bank
from teller_gym.tools.overlong import KEPT_CHARACTERS, MAX_ACTION_CHARACTERS, length_refused, stored
from teller_gym.tools.parse import parse_action, readable_call

TOOLS = load_scenario("loans").tools
CALL = '{"name": "get_application_data", "arguments": {"application_id": "LA-100000"}}'
LONG = {
    "prose": "word " * 300_000,
    "a call": CALL + " " * MAX_ACTION_CHARACTERS,
    "a call in tags": f"<tool_call>{CALL}</tool_call>" + "x" * MAX_ACTION_CHARACTERS,
    "a call in a fence": f"```json\n{CALL}\n```" + "x" * MAX_ACTION_CHARACTERS,
    "surrogates": "\ud800" * 1_000_001,
    "one too many": "x" * (MAX_ACTION_CHARACTERS + 1),
}


def refusal(action: str) -> ToolError:
    with pytest.raises(ToolError) as caught:
        parse_action(action, TOOLS)
    return caught.value


@pytest.mark.parametrize("kind", LONG)
def test_what_is_kept_is_refused_in_the_same_words(kind: str) -> None:
    whole = LONG[kind]
    kept = stored(whole)
    assert len(kept) < KEPT_CHARACTERS + 200
    first, again = refusal(whole), refusal(kept)
    assert (first.kind, first.message, first.field) == (again.kind, again.message, again.field)
    assert first.kind == ErrorKind.MALFORMED
    assert f"expected at most {MAX_ACTION_CHARACTERS} characters, got {len(whole)}" in first.message
    assert readable_call(whole) is None
    assert readable_call(kept) is None


@pytest.mark.parametrize("kind", LONG)
def test_what_is_kept_says_what_it_stands_for(kind: str) -> None:
    whole = LONG[kind]
    line, _, head = stored(whole).partition("\n")
    assert head == whole[:KEPT_CHARACTERS]
    assert str(len(whole)) in line
    assert hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest() in line
    assert stored(stored(whole)) == stored(whole)


@pytest.mark.parametrize("text", ["", CALL, "x" * MAX_ACTION_CHARACTERS, "[cut text: a pair of scissors]\n"])
def test_what_can_be_read_is_kept_whole(text: str) -> None:
    assert stored(text) is text
    assert length_refused(text) is None


@given(st.text(max_size=60), st.integers(1, 100), st.integers(2_500, 4_000))
def test_any_text_and_limit(part: str, times: int, most: int) -> None:
    text = part * times
    kept = stored(text, most)
    assert length_refused(kept, most) == length_refused(text, most)
    assert (length_refused(text, most) is None) == (len(text) <= most)
    assert (kept == text) == (len(text) <= most)
    json.dumps(kept).encode()


def test_long_texts_are_not_remembered() -> None:
    long = "Ä " * 2_000
    held = base_text._remembered.cache_info().currsize
    assert base_text.normalise_text(long) == " ".join("ä" for _ in range(2_000))
    assert base_text._remembered.cache_info().currsize == held
    empty = bank.Bank({}, date(2026, 1, 1), None, "LA-1")
    assert empty.reference("DR", long) == empty.reference("DR", long) != empty.reference("DR", long + "x")
    assert not any(hasattr(value, "cache_info") for value in vars(bank).values())


GOOD = '{"name": "get_application_data", "arguments": {"application_id": "LA-100000"'
N = 900_000
HARD = {
    "an unknown key": '{"' + "a" * N + '": 1}',
    "an unknown argument": GOOD + ', "' + "a" * N + '": 1}}',
    "an unknown argument of lines": GOOD + ', "' + "a\\n" * (N // 3) + '": 1}}',
    "an unknown argument of marks": GOOD + ', "' + "` - at `$.x, got `y" * (N // 19) + '": 1}}',
    "a long value": '{"name": "get_application_data", "arguments": {"application_id": "' + "x" * N + '"}}',
    "a long name": '{"name": "' + "x" * N + '", "arguments": {}}',
    "a list for a name": '{"name": [' + "1," * (N // 2) + '1], "arguments": {}}',
    "many keys": GOOD + "".join(f', "k{number}": 1' for number in range(N // 12)) + "}}",
    "a key many times": GOOD + ', "a": 1' * (N // 8) + "}}",
    "fences": "```{" * (N // 4),
    "fences and spaces": ("```" + " " * 1_000) * (N // 1_003) + "{",
    "a fence and letters": '{"name"```' + "a" * N,
    "opening tags": "<tool_call>" * (N // 11),
    "closing tags": "<tool_call>{" + "</tool_call>" * (N // 12),
    "thoughts": "<think>{" + "</think>{" * (N // 9),
    "beginnings of calls": 'x {"name"' * (N // 9),
    "braces": "{ " * (N // 2),
    "backslashes": '{"name": "' + "\\" * N,
    "a call before what looks like its end": "<tool_call>"
    + '{"name": "x", "arguments": {"a": "' + "{" * (N // 4) + '", "b":' + '{"b":' * 300 + "1" + "}" * 300 + "}}"
    + "</tool_call>" + "}" * (N // 2),
}  # fmt: skip


@pytest.mark.parametrize("kind", HARD)
def test_what_is_hard_to_read_is_answered_soon_and_in_short(kind: str) -> None:
    assert len(HARD[kind]) <= MAX_ACTION_CHARACTERS
    begun = time.process_time()
    error = refusal(HARD[kind])
    readable_call(HARD[kind])
    assert time.process_time() - begun < 5  # actually some tens of milliseconds; a quadratic reader takes minutes
    assert len(error.message) + len(error.field or "") < 2_000
    json.dumps(error.to_dict()).encode()
