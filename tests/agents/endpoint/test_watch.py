"""Warnings about silent truncation during a run: cut answers, and prompts cut by the server."""

import asyncio
import logging
from typing import Any

import pytest

import teller_gym
from teller_gym.agents.base import Prices
from teller_gym.agents.endpoint.failures import PromptCutError
from teller_gym.evaluation.runs.limits import Gate, Limits
from tests.agents.endpoint.server import MESSAGES, TOOL, Endpoint, call, play, says

LONG = [*MESSAGES[:1], {"role": "user", "content": "Do it. " * 9_600}]
"""Messages of about 67,200 bytes."""


def chats(agent: Any, *results: str, times: int = 1) -> list[dict[str, Any]]:
    """Return the notes of chats that begin with the long message, all in the same run."""

    async def run() -> list[dict[str, Any]]:
        notes = []
        try:
            for seed in range(times):
                dialogue = agent.open(LONG, [TOOL], seed)
                notes += [dict((await dialogue.answer(given)).note) for given in ((), *((one,) for one in results))]
            return notes
        finally:
            await agent.aclose()

    return asyncio.run(run())


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_cut_answer_is_noted_and_warned_of_once_a_run(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture, reason: str
) -> None:
    good, cut = says(None, [call()]), says(None, [call()], finish=reason)
    agent = endpoint.agent(max_new_tokens=77)
    for _ in range(2):
        caplog.clear()
        endpoint.will(good, good, cut, good, cut)
        replies = play(agent, (), ("a",), ("b",), ("c",), ("d",), ("e",))
        assert [reply.note["finish_reason"] for reply in replies[2:4]] == [reason, "stop"]
        (said,) = [record.getMessage() for record in caplog.records]
        assert "1 of 3 answers so far was cut by its token limit, agent.max_new_tokens=77: raise it" in said
        assert caplog.records[0].levelno == logging.WARNING


@pytest.mark.parametrize("counted", [2_048, 4_096])
def test_a_prompt_cut_in_silence_is_warned_of_at_the_first_answer(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture, counted: int
) -> None:
    endpoint.will(says(None, [call()], usage={"prompt_tokens": counted, "completion_tokens": 7}))
    notes = chats(endpoint.agent(), "more", times=2)
    assert [note["prompt_cut"]["counted"] for note in notes] == [counted] * 4
    assert all(7_400 < note["prompt_cut"]["sent"] < 17_000 for note in notes)
    (said,) = [record.getMessage() for record in caplog.records if record.name.startswith("teller_gym")]
    assert f"counted {counted} prompt tokens" in said and "num_ctx" in said and "strict_usage" in said
    with pytest.raises(PromptCutError, match="num_ctx") as told:
        chats(endpoint.agent(strict_usage=True))
    assert told.value.for_all


def test_a_count_that_stays_while_the_chat_grows_is_of_a_cut_prompt(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call()], usage={"prompt_tokens": 8_192, "completion_tokens": 7}))
    notes = chats(endpoint.agent(), "x" * 3_000)
    assert "prompt_cut" not in notes[0] and notes[1]["prompt_cut"]["counted"] == 8_192


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 15_000, "completion_tokens": 7},
        {"prompt_tokens": 15_000, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 14_900}},
        {"prompt_tokens": 200, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 14_900}},
        {"prompt_tokens": 200, "completion_tokens": 7, "cache_read_input_tokens": 14_900},
        {"prompt_tokens": 9, "completion_tokens": 7, "cache_creation_input_tokens": 14_900, "total_tokens": 14_916},
        {"prompt_tokens": 8_000, "completion_tokens": 7},
        {"completion_tokens": 7},
        None,
    ],
)
def test_counts_that_can_be_are_no_cut_prompts(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture, usage: Any
) -> None:
    endpoint.will(says(None, [call()], usage=usage or {}))
    assert all("prompt_cut" not in note for note in chats(endpoint.agent(strict_usage=True), "a", "b"))
    assert not caplog.records


CACHED: dict[str, tuple[dict[str, Any], int, int]] = {
    "openai": ({"prompt_tokens_details": {"cached_tokens": 60}}, 100, 60),
    "deepseek": ({"prompt_cache_hit_tokens": 60, "prompt_cache_miss_tokens": 40}, 100, 60),
    "moonshot": ({"cached_tokens": 60}, 100, 60),
    "beside": ({"cache_read_input_tokens": 600}, 700, 600),
    "beside, by the total": ({"cache_read_input_tokens": 60, "total_tokens": 167}, 160, 60),
    "none": ({"prompt_tokens_details": None}, 100, 0),
    "nonsense": ({"prompt_tokens_details": {"cached_tokens": "many"}, "cached_tokens": -3}, 100, 0),
}


@pytest.mark.parametrize("who", CACHED)
def test_cached_tokens_are_counted_and_cost_less(endpoint: Endpoint, who: str) -> None:
    more, prompt, cached = CACHED[who]
    endpoint.will(says("done", usage={"prompt_tokens": 100, "completion_tokens": 7} | more))
    agent = endpoint.agent(price_prompt=2.0, price_completion=10.0, price_cached=0.5)
    usage = play(agent)[0].usage
    assert usage == {"prompt": prompt, "completion": 7} | ({"cached": cached} if cached else {})
    assert agent.prices is not None
    assert agent.prices.of(usage) == pytest.approx(((prompt - cached) * 2.0 + cached * 0.5 + 70) / 1e6)
    assert Prices(2.0, 10.0).of(usage) == pytest.approx((prompt * 2.0 + 70) / 1e6)


def test_cached_tokens_cost_less_in_a_run(endpoint: Endpoint) -> None:
    usage = {"prompt_tokens": 20_000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 15_000}}
    endpoint.will(says(None, [call()], usage=usage), says("done", usage=usage))
    prices = {"price_prompt": 2.0, "price_completion": 10.0, "price_cached": 0.5}
    kwargs = {"base_url": endpoint.url, "model": "m", **prices}
    report = teller_gym.evaluate("endpoint", "Teller-Loans-v0", n=1, agent_kwargs=kwargs, progress=False)
    assert report.metrics["cost_usd"].value == pytest.approx(2 * (5_000 * 2.0 + 15_000 * 0.5 + 10 * 10.0) / 1e6)
    assert report.metrics["prompt_tokens"].value == 40_000


def test_a_limit_of_money_counts_cached_tokens_at_their_price() -> None:
    gate = Gate(Limits(usd=0.02), Prices(2.0, 10.0, 0.5))
    gate.use({"prompt": 20_000, "completion": 10, "cached": 15_000})
    assert gate.usd == pytest.approx(0.0176) and gate.enter()
    gate.use({"prompt": 2_000, "completion": 0})
    assert gate.tokens == {"prompt": 22_000, "completion": 10, "cached": 15_000} and not gate.enter()
    assert gate.total == 22_010
