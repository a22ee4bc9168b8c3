"""Reference agents whose calls come from a generator: the expert, its lapses, clean paths and brute_force_codes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import Any

import gymnasium as gym

from teller_gym.agents.base import Info, Observation
from teller_gym.agents.code_guesser import guessed_codes
from teller_gym.agents.knowledge import decode
from teller_gym.agents.players import is_temporary
from teller_gym.agents.simple import LAPSE as LAPSE
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.envs.contract import execution_of
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT
from teller_gym.procedure.officer import NotedCall, Steps
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from teller_gym.variation.results import plain

Expertise = Callable[[str, Any], Steps]


class Scripted(ABC):
    """Base class for agents that make the calls of a generator, which sees only the request and tool results.

    Calls are translated into the schema shown in the episode. A call that fails with a temporary error is repeated; any
    other error is passed to the generator like a result.
    """

    name = ""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._core = execution_of(env)
        self.reset()

    @abstractmethod
    def begin(self, request: str) -> Steps:
        """Return a generator of calls for the current task."""

    def calls_of(self, expert: Expertise, request: str) -> Steps:
        """Return an expert's calls under the task's policy."""
        return expert(request, self._core.scenario.policy_of(self._core.task))

    def reset(self) -> None:
        self._steps: Generator[Call, dict[str, Any], None] | None = None
        self._asked = ""
        self._sent = ""

    def act(self, obs: Observation, info: Info) -> str:
        """Return the next call, or closing text at the end."""
        try:
            if self._steps is None:
                self._expect_own_env(info)
                self._steps = self.begin(obs["state"].partition(f"\n\n# {self._core.scenario.title}")[0])
                call = next(self._steps)
            elif is_temporary(obs["tool_result"]):
                return self._sent
            else:
                result = plain(decode(self._core.tools.read(obs["tool_result"], self._asked)))
                if (closing := self.give_up(result)) is not None:
                    return closing
                call = self._steps.send(result)
        except StopIteration:
            return f"The {self.name} has nothing more to do."
        self._asked = call.name
        self._sent = action_text(Call(*self._core.tools.write(call.name, call.arguments)))
        if isinstance(call, NotedCall) and call.note:
            self._sent = f"{call.note}<tool_call>{self._sent}</tool_call>"
        return self._sent

    def give_up(self, result: dict[str, Any]) -> str | None:
        """Return closing text if the agent should stop after a result, or None if it should continue."""
        return None

    def _expect_own_env(self, info: Info) -> None:
        try:
            own = self._core.task.id
        except gym.error.ResetNeeded:
            own = None
        if info.get("task_id", own) != own:
            raise OptionError(
                f"agent {self.name}: expected to play {own}, the task of the env that it was made for, got a case of "
                f"{info['task_id']}; make it for the env it plays in: make_agent({self.name!r}, env)"
            )


class Expert(Scripted):
    """Agent that plays the scenario's expert, which knows the policy.

    It stops if a call fails, since the expert's calls never should.
    """

    name = "expert"

    def begin(self, request: str) -> Steps:
        return self.calls_of(self._core.scenario.expert, request)

    def give_up(self, result: dict[str, Any]) -> str | None:
        return f"The expert's call failed: {result['error']}" if "error" in result else None


class WorkingExpert(Expert):
    """Expert that shows its working (`teller_gym.procedure.working`), if the scenario supports this."""

    name = "working_expert"

    def begin(self, request: str) -> Steps:
        scenario = self._core.scenario
        return self.calls_of(scenario.expert if scenario.working is None else scenario.working, request)


class CleanPath(Scripted):
    """Agent that makes an ordinary case's calls without any judgement.

    It copies values and looks up codes.
    """

    name = CLEAN_PATH

    def begin(self, request: str) -> Steps:
        scenario = self._core.scenario
        found = scenario.clean_paths.get(self.name)
        if found is None:
            raise OptionError(f"agent {self.name}: {scenario.name} has none; its module lapses would hold CLEAN_PATHS")
        return self.calls_of(found, request)


class CleanPathConstant(CleanPath):
    """Agent like `CleanPath` that uses the same codes in every case."""

    name = CLEAN_PATH_CONSTANT


class BruteForceCodes(Scripted):
    """Agent that knows everything except the codes in the SOP's tables, and tries them one by one."""

    name = "brute_force_codes"

    def begin(self, request: str) -> Steps:
        return guessed_codes(self._core.scenario, self._core.task)


class Lapsing(Scripted):
    """Agent that works like the expert, but omits one judgement."""

    def __init__(self, env: gym.Env[Any, Any], lapse: str) -> None:
        self.name = f"{LAPSE}{lapse}"
        known = execution_of(env).scenario.lapses
        if lapse not in known:
            hint = did_you_mean(lapse, known)
            raise OptionError(f"agent: expected {LAPSE} and one of {', '.join(known)}, got {self.name!r}{hint}")
        self._lapse = lapse
        super().__init__(env)

    def begin(self, request: str) -> Steps:
        return self.calls_of(self._core.scenario.lapses[self._lapse].expert, request)
