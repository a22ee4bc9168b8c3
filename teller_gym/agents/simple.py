"""Simple reference agents (noop, random, echo_example), and a base class for agents driven by a generator."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import gymnasium as gym
import msgspec
import numpy as np

from teller_gym.agents.base import Info, NamedAgent, Observation
from teller_gym.agents.knowledge import Parameter
from teller_gym.agents.players import Player
from teller_gym.agents.schemas import Schema, choices, fits, has_type, is_day, pattern, variants
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.envs.spaces.sampling import sample_arguments, sample_value
from teller_gym.procedure.officer import Steps
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

LAPSE = "lapse:"
"""Prefix of agent names for the expert with one lapse."""

Makers = Mapping[str, Callable[[gym.Env[Any, Any]], NamedAgent]]


def unknown_agent(name: str, known: Makers, lapses: bool = True, where: str = "") -> OptionError:
    """Return the error for an unknown agent name.

    Its message lists the known names and may suggest a similar one.
    """
    names = ", ".join(known) + (f" or {LAPSE}<name>" if lapses else "")
    return OptionError(f"agent: expected one of {names}{where}, got {name!r}{did_you_mean(name, known)}")


class Driven(ABC):
    """Base class for agents that make the calls of a generator, which sees only the request and tool results."""

    name = ""
    closing = "The work is done."

    def reset(self) -> None:
        self._steps: Steps | None = None
        self.request = ""

    def act(self, obs: Observation, info: Info) -> str:
        """Return the next call, or closing text at the end."""
        try:
            if self._steps is None:
                self.request = str(obs["state"])
                self._steps = self.work()
                call = next(self._steps)
            else:
                call = self._steps.send(msgspec.json.decode(obs["tool_result"] or "{}"))
        except StopIteration:
            return self.closing
        return action_text(call)

    @abstractmethod
    def work(self) -> Steps:
        """Return a generator of an episode's calls."""


class RandomTools:
    """Agent that makes random calls that fit the schemas of the available tools."""

    name = "random"

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._core: Any = env.unwrapped
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def reset(self) -> None:
        """Do nothing, since there is no state."""

    def act(self, obs: Observation, info: Info) -> str:
        return action_text(self.draw())

    def draw(self) -> Call:
        parameters = self._core.tools.parameters
        name = list(parameters)[int(self._rng.integers(len(parameters)))]
        return Call(name, sample_arguments(parameters[name], self._rng))


class Noop:
    """Agent that ends the episode immediately with a final response."""

    name = "noop"

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        pass

    def reset(self) -> None:
        """Do nothing, since there is no state."""

    def act(self, obs: Observation, info: Info) -> str:
        return "Done."


class RandomValid(Player):
    """Agent that calls random tools with valid arguments, most of which are observed values."""

    name = "random"
    _SEEN = 0.8

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.seed(0)
        super().__init__(env)

    def seed(self, seed: int) -> None:
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def choose(self) -> Call:
        """Return a random call.

        The tool that ends the episode is called only in the last step.
        """
        last = self.step >= self.max_steps - 1
        spec = self.submit if last else self.specs[int(self._rng.integers(len(self.specs)))]
        if spec is self.submit and not last:
            return self.choose()
        subjects = self.knowledge.subjects(spec)
        subject = subjects[int(self._rng.integers(len(subjects)))]
        return Call(spec.name, {name: self._value(item, subject) for name, item in spec.parameters.items()})

    def _value(self, item: Parameter, subject: str | None) -> Any:
        best = next(self.knowledge.values(item, subject), None)
        if best is not None and best[0] is not None and not item.choices and self._rng.random() < self._SEEN:
            return best[0]
        return sample_value(dict(item.schema), self._rng)


class EchoExample(Player):
    """Agent that calls every tool once, in the order shown.

    It uses ids from the request and example values from schemas and SOP.
    """

    name = "echo_example"

    def reset(self) -> None:
        super().reset()
        self._left = [spec for spec in self.specs if spec is not self.submit]
        self._document = ""

    def act(self, obs: Observation, info: Info) -> str:
        if self.step == 0:
            self._document = obs["state"]
        return super().act(obs, info)

    def choose(self) -> Call | None:
        """Return the next tool's call; the tool that ends the episode comes last."""
        if self.last is not None and self.last.name == self.submit.name:
            return None
        spec = self._left.pop(0) if self._left and self.step < self.max_steps - 1 else self.submit
        return Call(spec.name, {name: self._example(item.schema) for name, item in spec.parameters.items()})

    def _example(self, schema: Schema) -> Any:
        for candidate in self._candidates(schema):
            if fits(candidate, schema):
                return candidate
        return sample_value(dict(schema), np.random.Generator(np.random.PCG64(0)))

    def _candidates(self, schema: Schema) -> Iterator[Any]:
        if form := pattern(schema):  # the request is at the top of the document, so its ids come first
            yield from _found_in_lines(rf"(?<![\w-]){form}(?![\w-])", self._document)
        yield from (schema.get("default"), *schema.get("examples", ()))
        yield from re.findall(r"such as ([\w.,-]*\w)", str(schema.get("description", "")))
        if is_day(schema):
            yield from _found(r"\d{4}-\d{2}-\d{2}", self._document)
        if has_type(schema, "number") or has_type(schema, "integer"):
            numbers = (text.replace(",", "") for text in _found(r"\d[\d,]*(?:\.\d+)?", self._document))
            yield from (float(text) if "." in text else int(text) for text in numbers if len(text) < _LONGEST_NUMBER)
        for variant in variants(schema):
            if "items" in variant:
                yield from ([item] for item in self._candidates(variant["items"]))
        yield from (*choices(schema), [])


_LONGEST_NUMBER = 12


_LONGEST_LINE = 4000
"""Maximum length of a searched piece of a line.

The search time may grow with the square of the length.
"""


@lru_cache(maxsize=256)
def _found_in_lines(form: str, document: str) -> tuple[str, ...]:
    """Return all matches of a pattern in a document.

    The document is searched in short pieces, since the pattern is meant for short texts.
    """
    pieces = (
        line[at : at + _LONGEST_LINE] for line in document.split("\n") for at in range(0, len(line), _LONGEST_LINE)
    )
    return tuple(found for piece in pieces for found in re.findall(form, piece))


@lru_cache(maxsize=256)
def _found(form: str, document: str) -> tuple[str, ...]:
    return tuple(re.findall(form, document))
