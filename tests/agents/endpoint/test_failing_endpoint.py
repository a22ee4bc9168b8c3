"""Failures of an endpoint: passing ones are retried, lasting ones are reported at once, and the key stays secret."""

import asyncio
import logging
import pickle
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import msgspec
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.agents.endpoint import EndpointAgent, EndpointConfig, RefusedError, client
from teller_gym.agents.endpoint.answers import UnreadableAnswerError, read_answer
from teller_gym.agents.endpoint.failures import ContextFullError, NoRoomError, TransientError, failure, retry_after
from teller_gym.agents.endpoint.key import Key
from teller_gym.base.errors import InfrastructureError, OptionError
from tests.agents.endpoint.server import MESSAGES, TOOL, Behave, Endpoint, call, fails, hangs_up, play, says, sleeps

DEAD = "http://127.0.0.1:9/v1"
KEY = "sk-secret-0123456789"


def raw(text: str) -> Behave:
    async def behave(request: web.Request) -> web.Response:
        return web.Response(text=text, content_type="application/json")

    return behave


CHOICE = '{"message": {"content": "half"}, "finish_reason": "stop"}'

PASSING: dict[str, Behave] = {
    "500": fails(500),
    "503": fails(503),
    "408": fails(408),
    "409": fails(409),
    "429": fails(429),
    "hang up": hangs_up,
    "no JSON": raw('{"choices": [{"mess'),
    "no choices": raw('{"choices": []}'),
    "error in 200": raw('{"error": {"message": "overloaded"}}'),
    "error beside choices": raw(f'{{"error": {{"message": "overloaded"}}, "choices": [{CHOICE}]}}'),
    "error in words": raw(f'{{"error": "overloaded", "choices": [{CHOICE}]}}'),
    "error in a choice": raw(
        '{"choices": [{"message": {"content": "half"}, "error": {"code": 502, "message": "gone"}}]}'
    ),
    "error in a choice without a message": raw('{"choices": [{"message": null, "error": {"code": 429}}]}'),
    "no message": raw('{"choices": [{"message": null, "finish_reason": "stop"}]}'),
    "no choice": raw('{"choices": [null]}'),
    "choices null": raw('{"choices": null}'),
    "an empty message": raw('{"choices": [{"message": {"role": "assistant"}}]}'),
    "a chunk": raw('{"object": "chat.completion.chunk", "choices": [{"delta": {"content": "half"}}]}'),
    "a stream": raw('data: {"choices": [{"delta": {"content": "half"}}]}\n\ndata: [DONE]\n\n'),
    "a page": raw("<!DOCTYPE html><html><body>Sign in</body></html>"),
    "null": raw("null"),
    "a list": raw(f"[{CHOICE}]"),
    "nothing": raw(""),
    **{
        f"finish reason {reason}": says("half", finish=reason)
        for reason in ("error", "ERROR", "abort", "network_error")
    },
    "finish reason of a call": says(None, [call()], finish="error"),
}


@pytest.mark.parametrize("kind", PASSING)
def test_what_passes_is_tried_again_and_given_up_in_the_end(endpoint: Endpoint, kind: str) -> None:
    endpoint.will(PASSING[kind], PASSING[kind], says("good"))
    assert play(endpoint.agent())[0].actions == ("good",)
    assert len(endpoint.bodies) == 3
    assert endpoint.bodies[0] == endpoint.bodies[2]
    endpoint.will(PASSING[kind])
    with pytest.raises(InfrastructureError, match="2 tries"):
        play(endpoint.agent(retries=1))
    assert len(endpoint.bodies) == 5


@pytest.mark.parametrize("reason", ["length", "content_filter", "eos", "something new", None])
def test_a_finish_reason_that_is_about_the_answer_is_noted_and_no_fault(endpoint: Endpoint, reason: str | None) -> None:
    endpoint.will(says("good", finish=reason))
    (reply,) = play(endpoint.agent(retries=0))
    assert reply.actions == ("good",) and reply.note.get("finish_reason") == reason


def test_an_empty_text_is_an_answer_and_an_empty_error_is_none(endpoint: Endpoint) -> None:
    endpoint.will(says("", finish="stop"))
    assert play(endpoint.agent(retries=0))[0].actions == ("",)
    endpoint.will(raw(f'{{"error": null, "choices": [{CHOICE[:-1]}, "error": {{}}}}]}}'))
    assert play(endpoint.agent(retries=0))[0].actions == ("half",)


def test_a_full_context_told_with_status_200_is_a_full_context(endpoint: Endpoint) -> None:
    endpoint.will(raw('{"error": {"code": 400, "message": "maximum context length is 8192 tokens"}}'))
    with pytest.raises(NoRoomError, match="does not fit into the context"):
        play(endpoint.agent())
    assert len(endpoint.bodies) == 1


COUNTS = {
    "many": "1000000000000", "negative": "-5", "text": '"100"', "yes": "true", "parts": "1.5", "list": "[1]",
    "NaN": "NaN", "Infinity": "-Infinity", "endless": "9" * 5000, "beyond": "1e400",
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "field"), [*((kind, "prompt_tokens") for kind in COUNTS), ("text", "completion_tokens")]
)
def test_token_counts_that_cannot_be_are_left_out_and_noted_once(endpoint: Endpoint, kind: str, field: str) -> None:
    usage = {"prompt_tokens": "7", "completion_tokens": "7", field: COUNTS[kind]}
    counts = ", ".join(f'"{name}": {value}' for name, value in usage.items())
    endpoint.will(raw(f'{{"choices": [{CHOICE}], "usage": {{{counts}}}}}'))
    first, second = play(endpoint.agent(context=100_000, retries=0), (), ("done",))
    assert first.actions == second.actions == ("half",)
    assert first.usage is None and second.usage is None
    if kind != "beyond":  # some parsers read it as null
        assert field in first.note["odd_usage"] and len(first.note["odd_usage"]) < 400
    assert "odd_usage" not in second.note


@pytest.mark.parametrize(
    "usage", ["null", "5", '"some"', "[]", "{}", '{"prompt_tokens": null, "completion_tokens": 3}']
)
def test_usage_that_is_none_invalidates_nothing(endpoint: Endpoint, usage: str) -> None:
    endpoint.will(raw(f'{{"choices": [{CHOICE}], "usage": {usage}}}'))
    (reply,) = play(endpoint.agent(retries=0))
    assert reply.actions == ("half",) and reply.usage is None


@pytest.mark.parametrize("total", ["-5", "1000000000000", '"9"', "null"])
def test_a_total_that_cannot_be_leaves_the_counts(endpoint: Endpoint, total: str) -> None:
    usage = f'{{"prompt_tokens": 100.0, "completion_tokens": 7, "total_tokens": {total}}}'
    endpoint.will(raw(f'{{"choices": [{CHOICE}], "usage": {usage}}}'))
    assert play(endpoint.agent(retries=0))[0].usage == {"prompt": 100, "completion": 7}


def test_too_slow_an_answer_is_no_answer(endpoint: Endpoint) -> None:
    endpoint.will(sleeps, says("good"))
    assert play(endpoint.agent(timeout_s=0.2))[0].actions == ("good",)
    endpoint.will(sleeps)
    with pytest.raises(InfrastructureError, match=r"within 0\.2 s \(agent\.timeout_s\)"):
        play(endpoint.agent(timeout_s=0.2, retries=0))


def test_an_address_where_nothing_ever_answered_is_given_up_soon_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)
    agent, tries = EndpointAgent(EndpointConfig.read({"model": "m", "base_url": DEAD, "retries": 50})), []
    ask = agent._client._ask

    async def counted(*given: Any) -> Any:
        tries.append(given)
        return await ask(*given)

    monkeypatch.setattr(agent._client, "_ask", counted)
    for _ in range(2):  # a new run tries again, since the server may have been started
        tries.clear()

        async def chats() -> list[Any]:
            errors: list[Any] = [*await asyncio.gather(agent.open(MESSAGES, [], 1).answer(()), return_exceptions=True)]
            others = (agent.open(MESSAGES, [], seed).answer(()) for seed in range(5))
            errors += await asyncio.gather(*others, return_exceptions=True)
            await agent.aclose()
            return errors

        errors = asyncio.run(chats())
        assert all(isinstance(error, RefusedError) and error.for_all for error in errors)
        assert f"{DEAD} cannot be reached: check that the server runs" in str(errors[0])
        assert len(tries) == client.FIRST_TRIES + 5


def test_a_server_that_has_answered_before_is_waited_for(endpoint: Endpoint) -> None:
    """Any answer counts, even a 503 of a server that is just starting."""
    endpoint.will(fails(503))
    agent = endpoint.agent(retries=5)
    with pytest.raises(InfrastructureError, match="6 tries"):
        play(agent)
    agent._client._base = DEAD
    with pytest.raises(InfrastructureError, match=r"6 tries.*no connection") as error:
        play(agent)
    assert not isinstance(error.value, RefusedError)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_the_pause_that_the_server_asks_for_holds_for_every_chat(endpoint: Endpoint, form: str) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    endpoint.will(fails(429, Retry_After="0.6" if form == "seconds" else later), says("good"))
    agent = endpoint.agent()

    async def chats() -> None:
        first = asyncio.create_task(agent.open(MESSAGES, [TOOL], 1).answer(()))
        while not endpoint.bodies:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        await asyncio.gather(first, *(agent.open(MESSAGES, [TOOL], seed).answer(()) for seed in range(5)))
        await agent.aclose()

    asyncio.run(chats())
    assert len(endpoint.times) == 7
    assert min(endpoint.times[1:]) - endpoint.times[0] > 0.5  # a date has whole seconds, so it is 1 to 2 s ahead


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "key"), (402, "credit"), (403, "key"), (404, "model"), (307, "moved")]
)
def test_a_refusal_is_told_at_once(endpoint: Endpoint, status: int, advice: str) -> None:
    endpoint.will(fails(status, "because of X"), says("never"))
    with pytest.raises(RefusedError, match=rf"{advice}.*because of X"):
        play(endpoint.agent())
    assert len(endpoint.bodies) == 1


def test_a_wrong_model_name_is_told_with_those_on_offer_and_nobody_asks_again(endpoint: Endpoint) -> None:
    endpoint.models = ["Qwen/Qwen3-8B"]
    endpoint.will(fails(404, "no such model"))
    agent = endpoint.agent(model="Qwen3-8")

    async def chats() -> list[Any]:
        found = []
        for seed in range(3):
            with pytest.raises(RefusedError) as told:
                await agent.open(MESSAGES, [TOOL], seed).answer(())
            found.append(str(told.value))
        await agent.aclose()
        return found

    messages = asyncio.run(chats())
    assert "it offers Qwen/Qwen3-8B" in messages[0]
    assert messages == messages[:1] * 3
    assert len(endpoint.bodies) == 1


def test_a_refused_chat_does_not_stop_the_others_and_hours_are_not_waited_for(endpoint: Endpoint) -> None:
    endpoint.will(fails(400, "bad tool"), says("good"), fails(429, Retry_After="7200"))
    agent = endpoint.agent()
    with pytest.raises(RefusedError, match="bad tool"):
        play(agent)
    assert play(agent)[0].actions == ("good",)
    with pytest.raises(RefusedError, match="7200 s"):
        play(agent)


def test_limits_a_minute_spread_the_requests(endpoint: Endpoint) -> None:
    endpoint.will(says("x", usage={"prompt_tokens": 1, "completion_tokens": 1}))

    async def chats(**limit: float) -> float:
        agent = endpoint.agent(**limit)
        started = time.monotonic()
        await asyncio.gather(*(agent.open(MESSAGES, [], seed).answer(()) for seed in range(4)))
        await agent.aclose()
        return time.monotonic() - started

    assert asyncio.run(chats(requests_per_minute=600)) > 0.29
    size = sum(len(msgspec.json.encode(message)) for message in MESSAGES) // 3
    # Ten seconds' worth of tokens, for 3.9 chats, is sent at once; the rest waits.
    assert 0.2 < asyncio.run(chats(tokens_per_minute=size * 3.9 * 6)) < 4


@pytest.mark.parametrize("status", [200, 400, 401, 404, 500])
def test_a_key_that_the_server_repeats_is_shown_nowhere(
    endpoint: Endpoint,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    endpoint.models = [KEY]
    with caplog.at_level(logging.DEBUG):
        if status == 200:
            endpoint.will(says(f"you are {KEY}", [call(arguments=f'{{"a": "{KEY}"}}')]))
            told = repr(play(endpoint.agent(key_variable="SOME_KEY")))
            assert "you are ***" in told
        else:
            endpoint.will(fails(status, f"wrong key {KEY}"))
            with pytest.raises(InfrastructureError) as error:
                play(endpoint.agent(key_variable="SOME_KEY", retries=1))
            told = "".join(str(error.getrepr(chain=True, showlocals=False)))
            assert "wrong key ***" in str(error.value)
            assert error.value.__cause__ is None
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    agent = endpoint.agent(key_variable="SOME_KEY")
    shown = [told, repr(agent), str(vars(agent)), str(agent.config.identity()), *capfd.readouterr(), caplog.text]
    assert KEY not in "".join(shown)


def test_a_key_that_is_missing_is_told_before_anything_runs(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(OptionError, match="SOME_KEY is not set"):
        endpoint.agent(key_variable="SOME_KEY")
    monkeypatch.setenv("SOME_KEY", f"{KEY}\nX-More: 1")
    with pytest.raises(OptionError) as error:
        endpoint.agent(key_variable="SOME_KEY")
    assert KEY not in str(error.value)


def test_a_pickled_key_is_the_variables_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    pickled = pickle.dumps(Key("SOME_KEY"))
    assert KEY.encode() not in pickled
    assert pickle.loads(pickled).headers() == {"Authorization": f"Bearer {KEY}"}


def test_dates_are_read() -> None:
    ahead = retry_after({"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)})
    assert ahead is not None and 55 < ahead <= 60
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


@given(st.integers(300, 599), st.text(), st.binary(max_size=200))
def test_every_failure_is_one_of_three(status: int, header: str, body: bytes) -> None:
    found = failure(status, {"Retry-After": header}, body)
    assert isinstance(found, TransientError | RefusedError | ContextFullError)
    assert str(status) in str(found)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary() | json_values.map(repr).map(str.encode) | json_values.map(msgspec.json.encode))
def test_what_is_no_answer_is_called_so(body: bytes) -> None:
    with pytest.raises(UnreadableAnswerError):
        read_answer(body, 1)
