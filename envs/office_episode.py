"""One piece of work in an office from its start to its end."""

from __future__ import annotations

import logging
import re
from typing import Any

import msgspec
from gymnasium.error import ResetNeeded

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import fingerprint
from teller_gym.envs.call_episode import CallEpisode
from teller_gym.envs.chat import chat_messages
from teller_gym.envs.episode import Step
from teller_gym.envs.office_grade import grade_of
from teller_gym.envs.prompts import office_prompt, render_history
from teller_gym.grading.grader import Grade
from teller_gym.grading.score import RewardConfig, Standing, standing_of
from teller_gym.office.chat.voice import Voice
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.signing import is_signed_in, sign_in
from teller_gym.office.desk.tools import READING_FILES, SERVICES, TOOLS, WITH_SIGN_IN
from teller_gym.office_tasks.access import REFUSED, needed
from teller_gym.office_tasks.contract import OfficeScenario
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Verdict, is_touched, with_access
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.overlong import stored
from teller_gym.tools.run import error_text, run_tool
from teller_gym.tools.tool import ToolSet

logger = logging.getLogger(__name__)

_REFUSED = tuple(f"{status} " for status in REFUSED)
"""What the message of an error begins with that a service refused access with."""

_ANSWERED = re.compile("[1-5][0-9][0-9] ")
"""Beginning of the message of any error that a service returns."""

GIVEN = "given"
SIGN_IN = sign_in.name
_REFUSALS = {
    "must_login": "401 unauthorized: {service} does not know you; call sign_in first",
    "expired": "401 unauthorized: your session at {service} has expired; call sign_in",
}
"""What a service says that does not know the agent."""

_TEMPORARY = "503 unavailable: the service is not available for the moment; send the call again"


class OfficeSettings(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """All that is the same for the episodes of one env.

    Attributes:
        reward: weights and penalties; that of parameters is 0.
        max_steps: step budget.
        perturb: names of the office's perturbations.
        faults: whether each service fails once.
        auth: ``given``, ``must_login`` or ``expired``; see `OfficeEnv`.
        mirror: whether files can be read without signing in.
        loose: whether amounts may be off by the paper's one percent.
        progress: whether the observation says where the episode stands.
        diagnose: whether the information lists all checkpoints at every step.
        voice: puts what colleagues answer into words.
    """

    reward: RewardConfig
    max_steps: int
    perturb: tuple[str, ...]
    faults: bool
    auth: str
    mirror: bool
    loose: bool
    progress: bool
    diagnose: bool
    voice: Voice | None = None


class OfficeEpisode(CallEpisode[Standing]):
    """One piece of work under way; its members are those of :class:`~teller_gym.envs.episode.Episode`.

    Args:
        office: the scenario.
        task: what is worked on.
        settings: of the env.

    Attributes:
        desk: the office, and who works there.
        verdict: on the office as it stands.
    """

    task: OfficeTask
    settings: OfficeSettings

    def __init__(self, office: OfficeScenario, task: OfficeTask, settings: OfficeSettings) -> None:
        super().__init__(task, settings)
        self.office = office
        self.desk: Desk = office.open(task, settings.perturb)
        self.desk.voice = settings.voice
        self.team: tuple[str, ...] = ()
        """User names of who works with the agent."""
        self.verdict: Verdict = office.judge(task, self.desk, settings.loose)
        self.refusals: dict[str, str] = {}
        """The last refusal of services that have not let the agent in, by their names."""
        self.let_in: frozenset[str] = frozenset()
        """Services that have."""
        self.failed_once: frozenset[str] = frozenset()
        """Services that have failed, where each fails once."""
        self.shut: frozenset[str] = frozenset()
        """Services that have refused an agent who had not signed in."""

    # -- acting -------------------------------------------------------------------------------------------------------

    @property
    def tools(self) -> ToolSet:
        """The desk's tools."""
        return TOOLS if self.settings.auth == GIVEN else WITH_SIGN_IN

    def act(self, action: str, tools: ToolSet | None = None) -> Step:
        """Run one action, which is then to be paid for; never raises on what an agent wrote.

        Args:
            action: what an agent wrote.
            tools: that it may call; all of them if None.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if self.over:
            raise ResetNeeded("the episode is over: call reset() first")
        read = self.read(action, self.tools if tools is None else tools)
        result, error, ended = "", None, False
        if isinstance(read, FinalResponse):
            ended = True
        elif isinstance(read, ToolCall):
            result, error = self._run(read)
        elif isinstance(read, ToolError):
            result, error = self.refuse(read)
        else:
            self.failure = f"reading the action: {type(read).__name__}: {read}"
        return self._settle(action, result, error, ended)

    def note(self, text: str) -> None:
        """Take a text into the history that ends nothing: of several who work together one hands over."""
        self.history.append((stored(text), ""))

    def is_spent(self) -> bool:
        """Return whether the step budget is spent."""
        return len(self.history) >= self.settings.max_steps

    def finish(self) -> float:
        """End the episode where those who work together have ended it; return what the end itself earns."""
        already, self.over = self.over, True
        return float(not already and not self.settings.reward.shaped and self.is_right())

    def _run(self, call: ToolCall) -> tuple[str, ErrorInfo | None]:
        bank: Any = self.desk
        name = call.tool.name
        self.use(name)
        service = SERVICES.get(name)
        if self.settings.faults and service is not None and service not in self.failed_once:
            self.failed_once |= {service}
            return self.refuse(ToolError(ErrorKind.TEMPORARY, _TEMPORARY))
        if service is not None and self._is_shut(service, name):
            problem = ToolError(ErrorKind.VALIDATION, _REFUSALS[self.settings.auth].format(service=service))
            self._refused(service, f"{name}: {problem.message}")
            is_first, self.shut = service not in self.shut, self.shut | {service}
            return (error_text(problem), problem.info()) if is_first else self.refuse(problem)
        reached = call.arguments.service if name == SIGN_IN else service
        try:
            result = run_tool(bank, call)
        except ToolError as problem:
            if problem.message.startswith(_REFUSED):
                self._refused(reached, f"{name}: {problem.message}")
            elif _ANSWERED.match(problem.message):
                self._let_in(reached)
            self._look(call)
            return self.refuse(problem)
        except OF_THE_MACHINE as problem:
            self.failure = f"{name}: {type(problem).__name__}: {problem}"
            return "", None
        except Exception as fault:
            return self.refuse(CrashError(name, fault))
        self._let_in(reached)
        self._look(call)
        return result, None

    def _refused(self, service: str | None, why: str) -> None:
        if service is not None and service not in self.let_in:
            self.refusals = {**self.refusals, service: why}

    def _let_in(self, service: str | None) -> None:
        if service is None or service in self.let_in:
            return
        if self.settings.auth == GIVEN or is_signed_in(self.desk, service):  # who reads a mirror is not let in
            self.let_in |= {service}
            self.refusals = {name: why for name, why in self.refusals.items() if name != service}

    def _is_shut(self, service: str, tool: str) -> bool:
        """Whether a service does not know the agent."""
        if self.settings.auth == GIVEN or (self.settings.mirror and tool in READING_FILES):
            return False
        return not is_signed_in(self.desk, service)

    def _look(self, call: ToolCall) -> None:
        """Judge the office anew if it may have changed."""
        if call.tool.writes:
            self.verdict = self.office.judge(self.task, self.desk, self.settings.loose, self.team)

    def _settle(self, action: str, result: str, error: ErrorInfo | None, ended: bool) -> Step:
        self.record(action, result)
        terminated = ended and self.failure is None
        truncated = self.failure is not None or (self.is_spent() and not terminated)
        if truncated and self.failure is None:
            self.errors = {**self.errors, ErrorKind.BUDGET: 1}
        self.over = terminated or truncated
        return Step(len(self.history), result, self.account(error), error, "", terminated, truncated)

    # -- the score ----------------------------------------------------------------------------------------------------

    def is_right(self) -> bool:
        """Return whether the work is right as it stands, and nothing else was touched."""
        return self.verdict.success

    def failures(self) -> int:
        """Return how many calls failed, temporary errors and the budget aside."""
        return sum(count for kind, count in self.errors.items() if kind not in (ErrorKind.TEMPORARY, ErrorKind.BUDGET))

    def standing(self) -> Standing:
        """Return the score so far, with its terms."""
        return standing_of(self.settings.reward, self.verdict.share, 0.0, self.is_right(), self.failures())

    def grade(self) -> Grade:
        """Return the whole grade so far."""
        shut = {name: self.refusals[name] for name in needed(self.task) if name in self.refusals}
        verdict = with_access(self.verdict, shut, is_touched(self.desk.store))
        made = len(self.history)
        return grade_of(self.office, self.task, verdict, self.standing(), self.errors, self.used, made, self.over)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def guide(self) -> str:
        """Return what whoever works in the office is told beside the request."""
        found = self.office.guide(self.task)
        return found if self.settings.auth == GIVEN else f"{found}\n\n{self.office.credentials(self.task)}"

    def opening(self) -> str:
        """Return the first observation's ``state``: the request, and the guide to the office."""
        return f"{self.task.request}\n\n{self.guide()}"

    def account(self, error: ErrorInfo | None) -> str:
        """Return a later observation's ``state``: where the episode stands; ``error`` is the last step's."""
        if not self.settings.progress:
            return ""
        if self.over and self.failure is None:
            return "The work is over."
        last = "was accepted" if error is None else f"failed ({error.kind})"
        if self.failure is not None:
            last = "was cut off by a fault of the system"
        return f"Step {len(self.history)} of at most {self.settings.max_steps}. The last action {last}."

    def checkpoints(self) -> dict[str, bool]:
        """Return whether each checkpoint is passed, by name."""
        return {one.checkpoint: one.passed for one in self.verdict.findings}

    def rendered(self) -> str:
        """Return the episode as a person would read it."""
        title = f"{self.task.id}  {self.task.today.isoformat()}"
        return render_history(title, self.task.request, self.history, self.score, self.over)

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far."""
        return chat_messages(self.guide(), self.task.request, self.history, office_prompt)

    def state_hash(self) -> str:
        """Return a fingerprint of all that the episode has changed in the office."""
        return fingerprint(self.desk.facts())

    # -- copies -------------------------------------------------------------------------------------------------------

    def fork(self, settings: OfficeSettings | None = None) -> OfficeEpisode:
        """Return an independent copy that stands where this episode does.

        Args:
            settings: those of the env in which the copy goes on; this one's if None.
        """
        new = object.__new__(OfficeEpisode)
        new.__dict__.update(self.__dict__)
        new.settings = settings or self.settings
        new.desk = self.desk.fork()
        new.history = self.history.copy()
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> OfficeEpisode:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        # The same actions lead to the same bytes again.
        actions = [action for action, _ in self.history]
        return replayed_work, (type(self.office).__module__, self.task, self.settings, actions, self.not_text)


def replayed_work(
    module: str, task: OfficeTask, settings: OfficeSettings, actions: list[str], not_text: dict[int, str]
) -> OfficeEpisode:
    """Return an episode that stands where one of these actions did."""
    from teller_gym.office_tasks.contract import load_office

    episode = OfficeEpisode(load_office(module), task, settings)
    episode.replay(actions, not_text)
    return episode
