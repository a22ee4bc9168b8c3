"""What the reference agents share: reading observations into a store of knowledge, and writing calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from teller_gym.agents.base import Info, Observation
from teller_gym.agents.habits import Plan
from teller_gym.agents.knowledge import Knowledge, Spec, decode
from teller_gym.execution import action_text
from teller_gym.scenario import Scenario
from teller_gym.task import Call


class Player:
    """Base of the reference agents that look at what they are shown.

    Args:
        env: gives the tool schemas, and the scenario's name of the tool that ends the episode.
    """

    name = ""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        core: Any = env.unwrapped
        self.env = env
        self.scenario: Scenario = core.scenario
        self.specs = [Spec(schema) for schema in core.tool_schemas()]
        self.by_name = {spec.name: spec for spec in self.specs}
        self.submit = self.by_name[self.scenario.submit]
        self.max_steps: int = core.max_steps
        self.reset()

    def reset(self) -> None:
        """Forget the last episode."""
        self.knowledge = Knowledge(self.specs)
        self.last: Call | None = None
        self.failed: str | None = None
        """The message of the error that the last call came back with; None if it succeeded."""
        self.failed_field: str | None = None
        """The argument that the error is about, if it is about one."""
        self.step = 0

    def act(self, obs: Observation, info: Info) -> str:
        """Take in what came back and return the next call, or a closing text if there is nothing left to do."""
        self._read(obs)
        call = self.choose()
        self.step += 1
        self.last = call
        return "There is nothing more to do." if call is None else action_text(call)

    def choose(self) -> Call | None:
        """Return the next call; None ends the episode."""
        raise NotImplementedError

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        """Take note of a call that succeeded."""

    def named_in(self, message: str) -> list[str]:
        """Return the other tools that an error message names, as in "… comes first"."""
        own = self.last.name if self.last is not None else ""
        return [name for name in self.by_name if name != own and name in message]

    def expect(self, plan: Plan, view: Mapping[str, Any]) -> None:
        """Make a plan's answer of the case, once it has been seen."""
        if not (self.knowledge.given or self.knowledge.likely):
            sure, likely = plan.outputs(view)
            self.knowledge.given, self.knowledge.likely = sure, likely

    def _read(self, obs: Observation) -> None:
        if self.last is None:
            if self.step == 0:
                request, _, document = obs["state"].partition("\n\n")
                self.knowledge.read_text(request, document)
            return
        result = decode(obs["tool_result"])
        error = result.get("error") if isinstance(result, dict) else None
        if isinstance(error, dict) and "kind" in error:
            self.failed, self.failed_field = str(error.get("message", "")), error.get("field")
        elif isinstance(result, dict):
            self.failed = None
            self.knowledge.read_result(self.last.arguments, result)
            self.learned(self.last, result)
