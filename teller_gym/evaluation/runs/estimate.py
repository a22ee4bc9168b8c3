"""Estimate of a run's tokens, cost and hours before the run, based on the expert's episodes.

The expert makes the calls of the standard result, so its chat is about as long as that of a model that makes no
mistakes. Each request is counted with all tool schemas and with the whole chat so far.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import msgspec
import yaml

from teller_gym.agents.base import Prices
from teller_gym.base.errors import InfrastructureError
from teller_gym.evaluation.runs.filtered_tools import gold_tools
from teller_gym.evaluation.runs.parts import FILTERED, GOLD, Part
from teller_gym.evaluation.runs.play import BrokenError, Planned, Play
from teller_gym.evaluation.runs.players import EXPERT, Seat, resolve
from teller_gym.evaluation.runs.tasks import Chosen, episode_seed
from teller_gym.tables.model import NOTHING
from teller_gym.tables.text import text_table

SAMPLE = 20
"""Maximum number of tasks per part that the expert plays; totals are extrapolated from them."""

JSON_BYTES, TEXT_BYTES = 3.2, 5.0
"""Bytes per token in JSON (schemas, calls, results) and in English text (procedure, request).

Measured with the tokenizers of current models; docs/environments/cards lists counts for each scenario.
"""

TOKENS_A_SECOND, SECONDS_AN_ANSWER = 50.0, 1.0
"""Assumed speed of a model: tokens per second, and seconds to the first token."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated token use in one stage.

    Attributes:
        prompt: tokens of all prompts.
        resent: prompt tokens that the previous request already contained, which can be cached.
        completion: tokens of all answers, including thinking.
        sampled: episodes that the expert played for the estimate.
    """

    stage: int
    episodes: int
    requests: int
    prompt: int
    resent: int
    completion: int
    sampled: int

    def hours(
        self, concurrency: int = 1, requests_a_minute: float | None = None, tokens_a_minute: float | None = None
    ) -> float:
        """Return the wall time in hours, bounded by the model's speed and by per-minute limits."""
        seconds = self.requests * SECONDS_AN_ANSWER + self.completion / TOKENS_A_SECOND
        found = [seconds / min(concurrency, max(1, self.episodes)) / 3600]
        found += [self.requests / requests_a_minute / 60] if requests_a_minute else []
        found += [(self.prompt + self.completion) / tokens_a_minute / 60] if tokens_a_minute else []
        return max(found)

    def usd(self, prices: Prices) -> float:
        """Return the cost in US dollars.

        Resent tokens count as cached if there is a price for cached tokens.
        """
        return prices.of({"prompt": self.prompt, "completion": self.completion, "cached": self.resent})


def estimate(parts: Sequence[Part], *, trials: int = 1, seed: int = 0, thoughts: int = 0) -> list[Estimate]:
    """Estimate each stage of a run.

    Args:
        thoughts: thinking tokens before each answer, which are not sent again.

    Raises:
        InfrastructureError: the expert failed.
    """
    seat = Seat(parts, resolve(EXPERT))
    sums: dict[int, list[float]] = {}
    try:
        for number, part in enumerate(parts):
            chosen = _spread(part.tasks)
            played = [_play(seat, number, part, task, seed, thoughts) for task in chosen]
            scale = trials * len(part.tasks) / len(chosen)
            found = sums.setdefault(part.stage, [0.0] * 6)
            figures = [trials * len(part.tasks), *(scale * sum(column) for column in zip(*played, strict=True))]
            for place, figure in enumerate([*figures, len(chosen)]):
                found[place] += figure
    finally:
        seat.close()
    return [Estimate(stage, *map(round, found)) for stage, found in sorted(sums.items())]


def _spread(tasks: Sequence[Chosen]) -> list[Chosen]:
    if len(tasks) <= SAMPLE:
        return list(tasks)
    return [tasks[place * len(tasks) // SAMPLE] for place in range(SAMPLE)]


def _play(
    seat: Seat, number: int, part: Part, task: Chosen, seed: int, thoughts: int
) -> tuple[float, float, float, float]:
    """Play the expert and return the episode's requests, prompt tokens, resent tokens and completion tokens."""
    tools = gold_tools(part.scenario) if part.tools in (GOLD, FILTERED) else None
    place = seat.at(number)
    agent: Any = place.agent
    play = Play(Planned(number, task, 0, episode_seed(seed, task.id, 0), tools), place, time.monotonic)
    schemas: list[float] = []
    try:
        play.start()
        while not play.over:
            schemas.append(_json_tokens(play.tools) if part.stage == 2 else 0.0)
            play.apply(agent.act(play.obs, play.info()))
        messages = play.messages()
    except BrokenError as error:
        raise InfrastructureError(f"estimate: the expert cannot be played on {task.id}: {error}") from error
    prompt = resent = completion = chat = before = 0.0
    turn = 0
    for message in messages:
        size = _size(message)
        if message["role"] == "assistant":
            prompt += schemas[turn] + chat
            resent += before
            before = schemas[turn] + chat
            completion += size + thoughts
            turn += 1
        chat += size
    return float(turn), prompt, resent, completion


def _size(message: Mapping[str, Any]) -> float:
    content = message.get("content") or ""
    text = content if isinstance(content, str) else json.dumps(content)
    calls = message.get("tool_calls")
    each = TEXT_BYTES if message["role"] in ("system", "user") else JSON_BYTES
    return len(text.encode("utf-8", "surrogatepass")) / each + (_json_tokens(calls) if calls else 0.0)


def _json_tokens(value: Any) -> float:
    return len(msgspec.json.encode(value)) / JSON_BYTES


def preset_prices() -> dict[str, Prices]:
    """Return the prices of the endpoints in `configs/`, by endpoint name."""
    found = {}
    folder = resources.files("teller_gym.configs").joinpath("endpoint")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".yaml"):
            prices = prices_of(yaml.safe_load(file.read_text(encoding="utf-8")) or {})
            if prices is not None:
                found[file.name.removesuffix(".yaml")] = prices
    return found


def prices_of(options: Mapping[str, Any]) -> Prices | None:
    """Return the prices in an endpoint's options, or None if they are incomplete."""
    prompt, completion = options.get("price_prompt"), options.get("price_completion")
    if prompt is None or completion is None:
        return None
    return Prices(prompt, completion, cached=options.get("price_cached"))


def estimate_text(
    found: Sequence[Estimate],
    prices: Mapping[str, Prices],
    concurrency: int = 1,
    options: Mapping[str, Any] | None = None,
) -> str:
    """Format an estimate as tables of tokens and hours by stage, and of cost by price list."""
    limits = _limits(options or {})
    rows = [
        [
            f"stage {one.stage}", f"{one.episodes:,}", f"{one.requests:,}", _millions(one.prompt),
            _millions(one.resent), _millions(one.completion), f"{one.hours(concurrency, *limits):.1f}",
        ]
        for one in found
    ]  # fmt: skip
    heads = ["", "episodes", "requests", "prompt tokens", "of these sent before", "completion tokens", "hours"]
    parts = [text_table(heads, rows)]
    if prices:
        dollars = [[name, *_dollars(found, one)] for name, one in prices.items()]
        parts.append(text_table(["prices of", "USD", "USD without a cache"], dollars))
    else:
        parts.append("no prices: give agent.price_prompt, agent.price_completion and, for cached prompts, price_cached")
    sampled = sum(one.sampled for one in found)
    parts.append(
        f"After the expert's play of {sampled} tasks. A model that errs takes more turns, and one that thinks writes\n"
        f"more (--thoughts N tokens an answer). Hours: {SECONDS_AN_ANSWER:g} s until an answer begins, then "
        f"{TOKENS_A_SECOND:g} tokens a second,\nat concurrency={concurrency}."
    )
    return "\n\n".join(parts)


def estimate_dict(
    found: Sequence[Estimate],
    prices: Mapping[str, Prices],
    concurrency: int = 1,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an estimate as JSON values, with token counts and hours by stage and cost by price list."""
    limits = _limits(options or {})
    stages = {
        str(one.stage): {
            **{name: getattr(one, name) for name in one.__slots__ if name != "stage"},
            "hours": round(one.hours(concurrency, *limits), 3),
        }
        for one in found
    }
    return {
        "stages": stages,
        "usd": {name: round(sum(one.usd(each) for one in found), 2) for name, each in prices.items()},
    }


def _limits(options: Mapping[str, Any]) -> tuple[float | None, float | None]:
    return options.get("requests_per_minute"), options.get("tokens_per_minute")


def _dollars(found: Sequence[Estimate], prices: Prices) -> list[str]:
    plain = Prices(prices.prompt, prices.completion)
    without = f"{sum(one.usd(plain) for one in found):,.2f}"
    return [f"{sum(one.usd(prices) for one in found):,.2f}", NOTHING if prices.cached is None else without]


def _millions(tokens: int) -> str:
    return f"{tokens / 1e6:,.2f} M" if tokens >= 1e5 else f"{tokens:,}"
