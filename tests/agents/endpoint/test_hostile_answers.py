"""Model output that is not valid text or is endless: scored as the model's failure, not as the endpoint's."""

import json
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.agents.endpoint import EndpointConfig
from teller_gym.agents.endpoint.answers import MAX_CALLS, UnreadableAnswerError, read_answer
from teller_gym.agents.endpoint.failures import LONGEST_TOLD_S, RefusedError, failure, retry_after
from teller_gym.base.errors import OptionError, ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS
from teller_gym.tools.parse import parse_action
from tests.agents.endpoint.server import Endpoint, call, play, says
from tests.agents.endpoint.test_bodies import sends

TOOLS = load_scenario("loans").tools
LONG = "x" * 3_000_000


def body(message: str, finish: str = '"stop"') -> bytes:
    return f'{{"choices": [{{"message": {message}, "finish_reason": {finish}}}]}}'.encode()


def one_call(name: str = "look", arguments: str = '"{}"', more: str = "") -> bytes:
    written = f'{{"id": "c1"{more}, "function": {{"name": "{name}", "arguments": {arguments}}}}}'
    return body(f'{{"content": null, "tool_calls": [{written}]}}')


NO_TEXT: dict[str, tuple[bytes, str]] = {
    "content": (body(r'{"content": "a\ud800b"}'), "a\ufffdb"),
    "the low half": (body(r'{"content": "a\udc00b"}'), "a\ufffdb"),
    "two high halves": (body(r'{"content": "\ud800\ud83d\ude00"}'), "\ufffd\U0001f600"),
    "beside an escaped backslash": (body(r'{"content": "\\ud800 \ud800"}'), "\\ud800 \ufffd"),
    "stray bytes": (body('{"content": "a\N{EURO SIGN}b"}').replace("\N{EURO SIGN}".encode(), b"\xff"), "a\ufffdb"),
    "a surrogate in bytes": (body('{"content": "!"}').replace(b"!", b"\xed\xa0\x80"), "\ufffd\ufffd\ufffd"),
    "thinking": (body(r'{"content": "a", "reasoning_content": "\ud800"}'), "a"),
    "a name": (one_call(name=r"lo\ud800ok"), '{"name":"lo\ufffdok","arguments":{}}'),
    "arguments": (one_call(arguments=r'"{\"a\": \"\ud800\"}"'), '{"name":"look","arguments":{"a": "\ufffd"}}'),
    "arguments as an object": (one_call(arguments=r'{"a": "\ud800"}'), '{"name":"look","arguments":{"a":"\ufffd"}}'),
    "an id": (one_call(more=r', "id": "\ud800"'), '{"name":"look","arguments":{}}'),
    "what nobody reads": (one_call(more=r', "extra": "\ud800"'), '{"name":"look","arguments":{}}'),
    "the reason": (body('{"content": "a"}', r'"\ud800"'), "a"),
}


@pytest.mark.parametrize("kind", NO_TEXT)
def test_what_is_no_text_is_replaced_and_noted(endpoint: Endpoint, kind: str) -> None:
    said, action = NO_TEXT[kind]
    endpoint.will(sends(said))
    first, _ = play(endpoint.agent(retries=0), (), ("result",))
    assert first.actions == (action,)
    assert first.note["replaced"] == "what was no Unicode text"
    json.dumps(first.note, ensure_ascii=False).encode()
    assert len(endpoint.bodies) == 2  # the server could parse the chat with this answer in it


def test_an_escape_in_the_arguments_own_json_is_a_failed_call(endpoint: Endpoint) -> None:
    endpoint.will(sends(one_call("get_application_data", r'"{\"application_id\": \"\\ud800\"}"')))
    action = play(endpoint.agent(retries=0), (), ("result",))[0].actions[0]
    assert "\\ud800" in action
    with pytest.raises(ToolError):
        parse_action(action, TOOLS)


@given(st.text(alphabet=st.characters(exclude_categories=())), st.booleans())
def test_whatever_python_would_write_can_be_read(text: str, as_call: bool) -> None:
    message: dict[str, Any] = {"content": text, "tool_calls": [call(text, text, text)] if as_call else None}
    answer = read_answer(json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode(), 1)
    assert answer.text == json.loads(json.dumps(text)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    msgspec.json.encode([answer.content, *(c.sent_back for c in answer.calls), *(c.name for c in answer.calls)])


@given(st.binary(max_size=60))
def test_whatever_bytes_stand_in_a_text(inside: bytes) -> None:
    try:
        answer = read_answer(body('{"content": "!"}').replace(b"!", inside), 1)
    except UnreadableAnswerError:
        return
    answer.text.encode()


def _spoilt(said: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield copies of a body, each with the byte at one position made invalid, and the position."""
    for place, byte in enumerate(said):
        yield place, said[:place] + bytes([byte ^ 0x81]) + said[place + 1 :]


@pytest.mark.parametrize("arguments", [r'"{\"a\": \"b\"}"', '{"a": "b"}'])
def test_a_stray_byte_outside_what_the_model_wrote_never_costs_the_model_its_words(arguments: str) -> None:
    said = body(
        f'{{"role": "assistant", "content": "text", "tool_calls": [{{"id": "c1", "type": "function", '
        f'"function": {{"name": "look", "arguments": {arguments}}}}}]}}'
    )
    own = ['"text"', '"look"', arguments]
    written = {
        place for text in own for place in range(said.index(text.encode()), said.index(text.encode()) + len(text))
    }
    undisturbed, read = read_answer(said, 1), 0
    for place, spoilt in _spoilt(said):
        try:
            answer = read_answer(spoilt, 1)
        except UnreadableAnswerError:
            continue
        read += 1
        if place not in written:
            assert (answer.text, [(c.name, c.arguments) for c in answer.calls]) == (
                undisturbed.text, [(c.name, c.arguments) for c in undisturbed.calls]
            ), spoilt  # fmt: skip
    assert read  # an invalid byte in the model's own text is replaced


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_a_long_answer_goes_to_the_env_and_does_not_stay_in_the_chat(endpoint: Endpoint, protocol: str) -> None:
    endpoint.will(says(LONG))
    first, *_ = play(endpoint.agent(protocol=protocol), (), ("r",), ("r",))
    assert first.actions == (LONG,)
    assert len(json.dumps(endpoint.bodies[2])) < 20_000


LONG_CALLS = {
    "arguments": call(arguments=json.dumps({"a": LONG})),
    "arguments that are none": call(arguments=LONG),
    "an object of arguments": call(arguments={"a": LONG}),
    "a name": call(name=LONG),
    "an id": call(call_id=LONG),
    "something beside": call(extra=LONG * 3),
}


@pytest.mark.parametrize("kind", LONG_CALLS)
def test_a_long_call_does_not_stay_in_the_chat(endpoint: Endpoint, kind: str) -> None:
    endpoint.will(says(calls=[LONG_CALLS[kind]]))
    first, *_ = play(endpoint.agent(), (), ("r",), ("r",))
    assert (len(first.actions[0]) > MAX_ACTION_CHARACTERS) == (kind not in ("an id", "something beside"))
    chat = endpoint.bodies[2]["messages"]
    assert len(json.dumps(chat)) < 50_000
    assert [m["tool_call_id"] for m in chat if m["role"] == "tool"] == [
        c["id"] for m in chat for c in m.get("tool_calls", ())
    ]
    for message in chat:
        for sent in message.get("tool_calls", ()):
            json.loads(sent["function"]["arguments"])


def test_calls_without_end_are_left_out(endpoint: Endpoint) -> None:
    endpoint.will(says(calls=[call(call_id=f"c{number}") for number in range(MAX_CALLS + 5)], finish="f" * 1_000_000))
    first, _ = play(endpoint.agent(), (), ("r",) * MAX_CALLS)
    assert len(first.actions) == MAX_CALLS
    assert first.note["calls_left_out"] == 5
    assert len(first.note["finish_reason"]) < 100
    assert len(endpoint.bodies[1]["messages"]) == 2 + 1 + MAX_CALLS


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("9" * 20, LONGEST_TOLD_S), ("9" * 5_000, LONGEST_TOLD_S), ("99999999999.5", LONGEST_TOLD_S),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_TOLD_S), ("Fri, 31 Dec 9999 23:59:59 -2300", LONGEST_TOLD_S),
        ("-5", None), ("nan", None), ("inf", None), ("1e9", None), ("Fri, 31 Dec 99999 23:59:59 GMT", None),
        ("Fri, 31 Dec 2024 23:59:59 +99999999999999", None), ("1 Jan " + "9" * 30 + " 00:00:00 -0000", None),
        ("Fri, 31 Feb 2030 00:00:00 GMT", None), ("\u0663", None), ("0" * 5_000, 0.0),
        ("3", 3.0), ("0", 0.0), ("1.5", 1.5), ("", None), ("soon", None),
    ],
)  # fmt: skip
def test_no_pause_is_beyond_all_bounds(value: str, told: float | None) -> None:
    assert retry_after({"Retry-After": value}) == told
    problem = failure(429, {"Retry-After": value}, b"slow down")
    assert isinstance(problem, RefusedError) == (told == LONGEST_TOLD_S)
    assert len(str(problem)) < 300


def test_a_long_refusal_is_looked_at_in_part() -> None:
    begun = time.process_time()
    assert len(str(failure(400, {}, b"exceed " * 2_000_000))) < 1_000
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("name", "qw\udcffen"),
        ("model", "\ud800"),
        ("extra_body", {"stop": ["a", {"b": "\udfff"}]}),
        ("extra_body", {"\ud800": 1}),
    ],
)
def test_an_option_that_is_no_text_is_told(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"agent\.{option}: expected Unicode") as told:
        EndpointConfig.read({"model": "m", option: value})
    str(told.value).encode()
