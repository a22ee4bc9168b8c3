"""The episode of one office task."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import fingerprint
from teller_gym.envs.episode.base import Episode, EpisodeSettings, Outcome
from teller_gym.envs.episode.office_grade import grade_of
from teller_gym.envs.prompts import office_prompt
from teller_gym.grading.grader import Grade
from teller_gym.grading.score import RewardConfig, Standing, standing_of
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.signing import is_signed_in, sign_in
from teller_gym.office.desk.tools import READING_FILES, SERVICES, TOOLS, WITH_SIGN_IN
from teller_gym.office_tasks.access import REFUSED, needed
from teller_gym.office_tasks.contract import OfficeScenario, load_office
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Verdict, is_touched, with_access
from teller_gym.tools.call import ToolCall
from teller_gym.tools.overlong import stored
from teller_gym.tools.run import error_text, run_tool

_REFUSED = tuple(f"{status} " for status in REFUSED)
"""Prefixes of the messages with which a service refuses access."""

_ANSWERED = re.compile("[1-5][0-9][0-9] ")
"""Matches the beginning of any service's error message."""

GIVEN = "given"
SIGN_IN = sign_in.name
_REFUSALS = {
    "must_login": "401 unauthorized: {service} does not know you; call sign_in first",
    "expired": "401 unauthorized: your session at {service} has expired; call sign_in",
}
"""Messages of a service to which the agent is not signed in, by the option ``auth``."""

_TEMPORARY = "503 unavailable: the service is not available for the moment; send the call again"


class OfficeSettings(EpisodeSettings, frozen=True, eq=False, kw_only=True):
    """Settings of an env of office work; the weight ``parameters`` of its reward is 0.

    Attributes:
        perturb: names of the office's perturbations.
        faults: True if each service fails once.
        auth: ``given``, ``must_login`` or ``expired``; see `OfficeEnv`.
        mirror: True if files can be read without signing in.
        loose: True if amounts may differ by one percent, as in the paper.
    """

    reward: RewardConfig
    max_steps: int
    perturb: tuple[str, ...] = ()
    faults: bool = False
    auth: str = GIVEN
    mirror: bool = False
    loose: bool = False


class OfficeEpisode(Episode):
    """An episode of one office task.

    Attributes:
        office: the scenario.
        desk: the agent's desk, with the services of the office.
        verdict: verdict on the office's current state.
    """

    task: OfficeTask
    settings: OfficeSettings

    def __init__(self, office: OfficeScenario, task: OfficeTask, settings: OfficeSettings) -> None:
        super().__init__(task, settings)
        self.office = office
        self.desk: Desk = office.open(task, settings.perturb)
        self.team: tuple[str, ...] = ()
        """User names of the agent's partners."""
        self.verdict: Verdict = office.judge(task, self.desk, settings.loose)
        self.refusals: dict[str, str] = {}
        """The last refusal of each service that has not admitted the agent."""
        self.let_in: frozenset[str] = frozenset()
        """Services that have admitted the agent."""
        self.failed_once: frozenset[str] = frozenset()
        """Services that have already failed, if each fails once."""
        self.shut: frozenset[str] = frozenset()
        """Services that have refused a call because the agent was not signed in."""

    def adopt(self, settings: OfficeSettings) -> None:
        self.settings, self.max_steps = settings, settings.max_steps
        self.tools = TOOLS if settings.auth == GIVEN else WITH_SIGN_IN

    # -- acting -------------------------------------------------------------------------------------------------------

    def note(self, text: str) -> None:
        """Record the text with which one agent hands over to another, without ending the episode."""
        self.history.append((stored(text), ""))

    def is_spent(self) -> bool:
        """Return True if the step budget is spent."""
        return len(self.history) >= self.max_steps

    def finish(self) -> float:
        """End the episode of agents who work together, and return the reward for the end itself."""
        already, self.over = self.over, True
        return float(not already and not self.settings.reward.shaped and self.is_right())

    def call(self, action: str, call: ToolCall) -> Outcome:
        """Run a call, and update the verdict if the office may have changed."""
        bank: Any = self.desk
        name = call.tool.name
        self.use(name)
        service = SERVICES.get(name)
        if self.settings.faults and service is not None and service not in self.failed_once:
            self.failed_once |= {service}
            return self.refuse(action, ToolError(ErrorKind.TEMPORARY, _TEMPORARY), name)
        if service is not None and self._is_shut(service, name):
            return self._turn_away(action, name, service)
        reached = call.arguments.service if name == SIGN_IN else service
        try:
            result = run_tool(bank, call)
        except ToolError as problem:
            if problem.message.startswith(_REFUSED):
                self._refused(reached, f"{name}: {problem.message}")
            elif _ANSWERED.match(problem.message):
                self._let_in(reached)
            self._look(call)
            return self.refuse(action, problem, name)
        except OF_THE_MACHINE as fault:
            return self.fail(name, fault)
        except Exception as fault:
            return self.refuse(action, CrashError(name, fault), name)
        self._let_in(reached)
        self._look(call)
        return Outcome(result)

    def _turn_away(self, action: str, name: str, service: str) -> Outcome:
        """Refuse a call to a service without signing in; the first refusal has no penalty."""
        problem = ToolError(ErrorKind.VALIDATION, _REFUSALS[self.settings.auth].format(service=service))
        self._refused(service, f"{name}: {problem.message}")
        is_first, self.shut = service not in self.shut, self.shut | {service}
        return Outcome(error_text(problem), problem.info()) if is_first else self.refuse(action, problem, name)

    def _refused(self, service: str | None, why: str) -> None:
        if service is not None and service not in self.let_in:
            self.refusals = {**self.refusals, service: why}

    def _let_in(self, service: str | None) -> None:
        if service is None or service in self.let_in:
            return
        if self.settings.auth == GIVEN or is_signed_in(self.desk, service):  # reading a mirror does not count
            self.let_in |= {service}
            self.refusals = {name: why for name, why in self.refusals.items() if name != service}

    def _is_shut(self, service: str, tool: str) -> bool:
        """Return True if the agent must first sign in to use a tool of a service."""
        if self.settings.auth == GIVEN or (self.settings.mirror and tool in READING_FILES):
            return False
        return not is_signed_in(self.desk, service)

    def _look(self, call: ToolCall) -> None:
        """Update the verdict if a call may have changed the office."""
        if call.tool.writes:
            self.verdict = self.office.judge(self.task, self.desk, self.settings.loose, self.team)

    # -- the score ----------------------------------------------------------------------------------------------------

    def is_right(self) -> bool:
        """Return True if the work so far is right and nothing else was changed."""
        return self.verdict.success

    def failures(self) -> int:
        """Return the number of failed calls, without temporary errors."""
        return sum(count for kind, count in self.errors.items() if kind not in (ErrorKind.TEMPORARY, ErrorKind.BUDGET))

    def standing(self) -> Standing:
        return standing_of(self.settings.reward, self.verdict.share, 0.0, self.is_right(), self.failures())

    def grade(self) -> Grade:
        shut = {name: self.refusals[name] for name in needed(self.task) if name in self.refusals}
        verdict = with_access(self.verdict, shut, is_touched(self.desk.store))
        made = len(self.history)
        return grade_of(self.office, self.task, verdict, self.standing(), self.errors, self.used, made, self.over)

    # -- observations -----------------------------------------------------------------------------------------------

    def procedure(self) -> str:
        """Return the guide to the office, with the credentials if the agent must sign in."""
        found = self.office.guide(self.task)
        return found if self.settings.auth == GIVEN else f"{found}\n\n{self.office.credentials(self.task)}"

    def prompt(self, procedure: str) -> str:
        return office_prompt(procedure)

    def account(self, error: ErrorInfo | None) -> str:
        """Return the progress of the episode for ``state`` after a step; ``error`` is that step's error."""
        if not self.settings.progress:
            return ""
        if self.over and self.failure is None:
            return "The work is over."
        return f"Step {len(self.history)} of at most {self.max_steps}. {self.last_action(error)}"

    def checkpoints(self) -> dict[str, bool]:
        return {one.checkpoint: one.passed for one in self.verdict.findings}

    def state_hash(self) -> str:
        return fingerprint(self.desk.facts())

    # -- copies -------------------------------------------------------------------------------------------------------

    def separate(self, settings: OfficeSettings | None) -> None:
        self.desk = self.desk.fork()

    def remake(self) -> Callable[[Any], OfficeEpisode]:
        return partial(_begun, type(self.office).__module__, self.task)


def _begun(module: str, task: OfficeTask, settings: OfficeSettings) -> OfficeEpisode:
    """Start an episode in the office of a module; the module is given because offices cannot be pickled."""
    return OfficeEpisode(load_office(module), task, settings)
