"""One piece of work in an office from its start to its end."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from gymnasium.error import ResetNeeded

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import as_text, fingerprint
from teller_gym.envs.chat import chat_messages
from teller_gym.envs.episode import Info, Step
from teller_gym.envs.known import Read
from teller_gym.envs.office_grade import grade_of
from teller_gym.envs.prompts import office_prompt, render_history
from teller_gym.grading.grader import Grade
from teller_gym.grading.score import RewardConfig, Standing, standing_of
from teller_gym.office.chat.voice import Voice
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.signing import is_signed_in
from teller_gym.office.desk.tools import READING_FILES, SERVICES, TOOLS, WITH_SIGN_IN
from teller_gym.offices.contract import OfficeScenario
from teller_gym.offices.task import OfficeTask
from teller_gym.offices.verdict import Verdict, is_touched, with_access
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.overlong import stored
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import error_text, run_tool
from teller_gym.tools.tool import ToolSet

logger = logging.getLogger(__name__)

_ACCESS = ("401 ", "403 ", "404 ", "405 ")
"""What the message of an error begins with that a service refused access with."""

GIVEN = "given"
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


class OfficeEpisode:
    """One piece of work under way; its members are those of :class:`~teller_gym.envs.episode.Episode`.

    Args:
        office: the scenario.
        task: what is worked on.
        settings: of the env.

    Attributes:
        desk: the office, and who works there.
        verdict: on the office as it stands.
    """

    def __init__(self, office: OfficeScenario, task: OfficeTask, settings: OfficeSettings) -> None:
        self.office = office
        self.task = task
        self.settings = settings
        self.desk: Desk = office.open(task, settings.perturb)
        self.desk.voice = settings.voice
        self.team: tuple[str, ...] = ()
        """User names of who works with the agent."""
        self.verdict: Verdict = office.judge(task, self.desk, settings.loose)
        self.history: list[tuple[str, str]] = []
        self.not_text: dict[int, str] = {}
        self.defects: dict[int, str] = {}
        self.errors: dict[str, int] = {}
        """Failed calls by kind."""
        self.used: tuple[str, ...] = ()
        """Tools that were called, each once."""
        self.refusals: tuple[str, ...] = ()
        """What services answered for want of access."""
        self.failed_once: frozenset[str] = frozenset()
        """Services that have failed, where each fails once."""
        self.shut: frozenset[str] = frozenset()
        """Services that have refused an agent who had not signed in."""
        self.score = 0.0
        self.over = False
        self.failure: str | None = None

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
        read = self._read(action, self.tools if tools is None else tools)
        result, error, ended = "", None, False
        if isinstance(read, FinalResponse):
            ended = True
        elif isinstance(read, ToolCall):
            result, error = self._run(read)
        elif isinstance(read, ToolError):
            result, error = self._refused(read)
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
        return float(not already and not self.settings.reward.shaped and self.success)

    def _read(self, action: str, tools: ToolSet) -> Read:
        given: object = action
        if not isinstance(given, str):
            got = type(given).__name__
            return ToolError(ErrorKind.MALFORMED, f"this is not a tool call: expected the action as text, got {got}")
        try:
            return parse_action(action, tools)
        except (ToolError, *OF_THE_MACHINE) as problem:
            return problem
        except Exception as fault:
            return CrashError("reading", fault)

    def _run(self, call: ToolCall) -> tuple[str, ErrorInfo | None]:
        bank: Any = self.desk
        name = call.tool.name
        if name not in self.used:
            self.used = (*self.used, name)
        service = SERVICES.get(name)
        if self.settings.faults and service is not None and service not in self.failed_once:
            self.failed_once |= {service}
            return self._refused(ToolError(ErrorKind.TEMPORARY, _TEMPORARY))
        if service is not None and self._is_shut(service, name):
            problem = ToolError(ErrorKind.VALIDATION, _REFUSALS[self.settings.auth].format(service=service))
            self.refusals = (*self.refusals, f"{name}: {problem.message}")
            is_first, self.shut = service not in self.shut, self.shut | {service}
            return (error_text(problem), problem.info()) if is_first else self._refused(problem)
        try:
            result = run_tool(bank, call)
        except ToolError as problem:
            if problem.message.startswith(_ACCESS):
                self.refusals = (*self.refusals, f"{name}: {problem.message}")
            self._look(call)
            return self._refused(problem)
        except OF_THE_MACHINE as problem:
            self.failure = f"{name}: {type(problem).__name__}: {problem}"
            return "", None
        except Exception as fault:
            return self._refused(CrashError(name, fault))
        self._look(call)
        return result, None

    def _is_shut(self, service: str, tool: str) -> bool:
        """Whether a service does not know the agent."""
        if self.settings.auth == GIVEN or (self.settings.mirror and tool in READING_FILES):
            return False
        return not is_signed_in(self.desk, service)

    def _look(self, call: ToolCall) -> None:
        """Judge the office anew if it may have changed."""
        if call.tool.writes:
            self.verdict = self.office.judge(self.task, self.desk, self.settings.loose, self.team)

    def _refused(self, problem: ToolError) -> tuple[str, ErrorInfo]:
        if isinstance(problem, CrashError):
            self.defects = {**self.defects, len(self.history) + 1: str(problem)}
            logger.error("%s crashed on %s; the defect is ours", problem.what, self.task.id, exc_info=problem.fault)
        self.errors = {**self.errors, problem.kind: self.errors.get(problem.kind, 0) + 1}
        return error_text(problem), problem.info()

    def _settle(self, action: str, result: str, error: ErrorInfo | None, ended: bool) -> Step:
        given: object = action
        if not isinstance(given, str):
            self.not_text = {**self.not_text, len(self.history): type(given).__name__}
        self.history.append((stored(as_text(given)), result))
        terminated = ended and self.failure is None
        truncated = self.failure is not None or (self.is_spent() and not terminated)
        if truncated and self.failure is None:
            self.errors = {**self.errors, ErrorKind.BUDGET: 1}
        self.over = terminated or truncated
        return Step(len(self.history), result, self.account(error), error, "", terminated, truncated)

    # -- the score ----------------------------------------------------------------------------------------------------

    @property
    def success(self) -> bool:
        """Whether the work is right as it stands, and nothing else was touched."""
        return self.verdict.success

    def failures(self) -> int:
        """Return how many calls failed, temporary errors and the budget aside."""
        return sum(count for kind, count in self.errors.items() if kind not in (ErrorKind.TEMPORARY, ErrorKind.BUDGET))

    def standing(self) -> Standing:
        """Return the score so far, with its terms."""
        return standing_of(self.settings.reward, self.verdict.share, 0.0, self.success, self.failures())

    def pay(self) -> tuple[float, Standing]:
        """Return what the step just made earned, and the score with its terms."""
        standing = self.standing()
        reward = standing.score - self.score if self.settings.reward.shaped else float(self.over and self.success)
        self.score = standing.score
        return reward, standing

    def grade(self) -> Grade:
        """Return the whole grade so far."""
        verdict = with_access(self.verdict, self.refusals, is_touched(self.desk.store))
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

    def info(self, error: ErrorInfo | None, terms: dict[str, float]) -> Info:
        """Return the information after a step; before the first, ``error`` is None."""
        passed = {one.checkpoint: one.passed for one in self.verdict.findings}
        shows_all = self.over or self.settings.diagnose
        return {
            "task_id": self.task.id,
            "scenario": self.task.scenario,
            "step": len(self.history),
            "error": error,
            "checkpoints": passed if shows_all else {name: True for name, done in passed.items() if done},
            "reward_terms": terms,
            "score": self.score,
            "success": self.over and self.success,
            "invalid": self.failure is not None,
            "defect": self.defects.get(len(self.history)),
        }

    def begun(self) -> Info:
        """Return the information before the first step."""
        return self.info(None, self.standing().terms())

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
    from teller_gym.offices.contract import load_office

    episode = OfficeEpisode(load_office(module), task, settings)
    for at, action in enumerate(actions):
        given: Any = action
        if at in not_text:
            given = type(not_text[at], (), {"__str__": lambda self, text=action: text})()
        episode.act(given)
        episode.pay()
    return episode
