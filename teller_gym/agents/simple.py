"""Reference agents that need no store of what they have seen: expert, noop, random, echo_example."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import Any

import gymnasium as gym
import numpy as np

from teller_gym.agents.base import Info, Observation
from teller_gym.agents.knowledge import Parameter, decode
from teller_gym.agents.players import Player, is_temporary
from teller_gym.agents.schemas import Schema, choices, fits, has_type, is_day, pattern, variants
from teller_gym.base.errors import OptionError
from teller_gym.envs.contract import execution_of
from teller_gym.envs.sampling import sample_value
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from teller_gym.variation.results import plain


class Expert:
    """Drives the scenario's expert, which knows the policy, and sees the request and the tools' results, no more.

    Its calls are written in the schema that is shown, by the published mapping, and are parsed like everybody's.
    """

    name = "expert"

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._core = execution_of(env)
        self.reset()

    def reset(self) -> None:
        """Forget the last episode."""
        self._steps: Generator[Call, dict[str, Any], None] | None = None
        self._asked = ""
        self._sent = ""

    def act(self, obs: Observation, info: Info) -> str:
        """Return the expert's next call; a closing text when it is done or one of its calls has failed.

        Raises:
            OptionError: it plays in another env than the one that it was made for.
        """
        try:
            if self._steps is None:
                self._expect_own_env(info)
                scenario = self._core.scenario
                request = obs["state"].partition(f"\n\n# {scenario.title}")[0]
                self._steps = scenario.expert(request, scenario.policy_of(self._core.task))
                call = next(self._steps)
            else:
                if is_temporary(obs["tool_result"]):
                    return self._sent
                result = plain(decode(self._core.tools.read(obs["tool_result"], self._asked)))
                if "error" in result:
                    return f"The expert's call failed: {result['error']}"
                call = self._steps.send(result)
        except StopIteration:
            return "The expert has nothing more to do."
        self._asked = call.name
        self._sent = action_text(Call(*self._core.tools.write(call.name, call.arguments)))
        return self._sent

    def _expect_own_env(self, info: Info) -> None:
        try:
            own = self._core.task.id
        except gym.error.ResetNeeded:
            own = None
        if info.get("task_id", own) != own:
            raise OptionError(
                f"agent expert: expected to play {own}, the task of the env that it was made for, got a case of "
                f"{info['task_id']}; make it for the env it plays in: make_agent('expert', env)"
            )


class Noop:
    """Says at once that it is done."""

    name = "noop"

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        pass

    def reset(self) -> None:
        """Nothing to forget."""

    def act(self, obs: Observation, info: Info) -> str:
        """Return a final response."""
        return "Done."


class RandomValid(Player):
    """Calls random tools with arguments that fit the schema, most of them picked from what it has seen."""

    name = "random"
    _SEEN = 0.8

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.seed(0)
        super().__init__(env)

    def seed(self, seed: int) -> None:
        """Start the random stream anew."""
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def choose(self) -> Call:
        """Return a call of any tool; the one that ends the episode only in the last step."""
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
    """Calls every tool once, in the order shown, with the ids of the request and the example values of the texts."""

    name = "echo_example"

    def reset(self) -> None:
        """Forget the last episode."""
        super().reset()
        self._left = [spec for spec in self.specs if spec is not self.submit]
        self._document = ""

    def act(self, obs: Observation, info: Info) -> str:
        """Return the next call."""
        if self.step == 0:
            self._document = obs["state"]
        return super().act(obs, info)

    def choose(self) -> Call | None:
        """Return the next tool's call; the one that ends the episode comes last."""
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
        if form := pattern(schema):  # the request stands at the top of the document, so its ids come first
            yield from _found(rf"(?<![\w-]){form}(?![\w-])", self._document)
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


@lru_cache(maxsize=256)
def _found(form: str, document: str) -> tuple[str, ...]:
    return tuple(re.findall(form, document))
