"""Base class for reference agents that store observations and make calls.

They work with the scenario's original tool names. If the schema is shifted or results are perturbed, names and results
are translated for them, so that they play as well as without.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from teller_gym.agents.base import Info, Observation
from teller_gym.agents.habits import Habits, Plan, habits_of
from teller_gym.agents.knowledge import Knowledge, Spec, decode
from teller_gym.base.errors import ErrorKind
from teller_gym.envs.contract import execution_of
from teller_gym.procedure.scenario import Scenario
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.results import plain


class Player:
    """Base class for the reference agents that use their observations."""

    name = ""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.env = env
        self._core = execution_of(env)
        self._plans: dict[str, Plan] = {}
        self._tools: ToolSet | None = None
        self.reset()

    def reset(self) -> None:
        """Clear the state of the last episode and look up the available tools."""
        self.scenario: Scenario = self._core.scenario
        self.max_steps: int = self._core.max_steps
        tools = self._core.tools.originals
        if tools is not self._tools:
            self._tools = tools
            self.specs = [Spec(schema) for schema in tools.schemas() if self.uses(schema["function"]["name"])]
            self.by_name = {spec.name: spec for spec in self.specs}
        self.submit = self.by_name[self.scenario.submit]
        self._sent = ""
        self.knowledge = Knowledge(self.specs)
        self.last: Call | None = None
        self.failed: str | None = None
        """Error message of the last call, or None if it succeeded."""
        self.failed_field: str | None = None
        """Argument named in the error, if any."""
        self.step = 0

    def act(self, obs: Observation, info: Info) -> str:
        """Read the last call's result and return the next call, or closing text at the end."""
        if self.last is not None and is_temporary(obs["tool_result"]):
            self.step += 1
            return self._sent
        self._read(obs)
        call = self.choose()
        self.step += 1
        self.last = call
        if call is None:
            return "There is nothing more to do."
        self._sent = action_text(Call(*self._core.tools.write(call.name, call.arguments)))
        return self._sent

    def uses(self, tool: str) -> bool:
        """Return True if the agent may call the tool."""
        return True

    @property
    def plan(self) -> Plan:
        """The agent's plan for the current scenario."""
        name = self.scenario.name
        if name not in self._plans:
            self._plans[name] = self.make_plan(habits_of(name))
        return self._plans[name]

    def make_plan(self, habits: Habits) -> Plan:
        """Return the answer to give and the tools to call, derived from the train split."""
        return habits.plan()

    def choose(self) -> Call | None:
        """Return the next call, or None to end the episode."""
        raise NotImplementedError

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        """Process a successful call's result; does nothing unless overridden."""

    def named_in(self, message: str) -> list[str]:
        """Return the other tools named in an error message, as in "… comes first"."""
        own = self.last.name if self.last is not None else ""
        return [name for name in self.by_name if name != own and name in message]

    def expect(self, plan: Plan, view: Mapping[str, Any]) -> None:
        """Derive the plan's answer from the first result, which contains the case."""
        if not (self.knowledge.given or self.knowledge.likely):
            sure, likely = plan.outputs(view)
            self.knowledge.given, self.knowledge.likely = sure, likely

    def _read(self, obs: Observation) -> None:
        if self.last is None:
            if self.step == 0:
                request, _, document = obs["state"].partition("\n\n")
                self.knowledge.read_text(request, document)
            return
        result = plain(decode(self._core.tools.read(obs["tool_result"], self.last.name)))
        error = result.get("error") if isinstance(result, dict) else None
        if isinstance(error, dict) and "kind" in error:
            self.failed, self.failed_field = str(error.get("message", "")), error.get("field")
        elif isinstance(result, dict):
            self.failed = None
            self.knowledge.read_result(self.last.arguments, result)
            self.learned(self.last, result)


def is_temporary(result: str) -> bool:
    """Return True if a tool's result is a temporary error."""
    return result.startswith('{"error"') and decode(result)["error"]["kind"] == ErrorKind.TEMPORARY
