"""The base class of episodes: reads, runs and records actions, and computes rewards."""

from __future__ import annotations

import hashlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol, Self

import msgspec
from gymnasium.error import ResetNeeded

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import as_text
from teller_gym.envs.chat import chat_messages
from teller_gym.envs.prompts import render_history, system_prompt
from teller_gym.grading.grader import Grade
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import error_text
from teller_gym.tools.tool import ToolSet

logger = logging.getLogger(__name__)

Info = dict[str, Any]

ACCEPTED = "The last action was accepted."

Read = ToolCall | FinalResponse | Exception
"""A parsed action: a call, a final response, or the error in it."""


class EpisodeSettings(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Settings of an env that its episodes share.

    Attributes:
        reward: weights of the score; if its ``shaped`` is True, each step's reward is the change of the score.
        max_steps: step budget; None for the budget of the task.
        distractors: number of available tools that belong to no procedure.
        progress: True if observations report the progress of the episode.
        diagnose: True if the information lists all checkpoints at every step.
    """

    reward: Any
    max_steps: int | None = None
    distractors: int = 0
    progress: bool = True
    diagnose: bool = False


class Outcome(msgspec.Struct, gc=False):
    """Outcome of an action.

    Attributes:
        result: result of the call as JSON text.
        error: why the action failed.
        ended: True if it terminates the episode.
        late: True if the time is up, which truncates the episode.
    """

    result: str
    error: ErrorInfo | None = None
    ended: bool = False
    late: bool = False


class Step(msgspec.Struct, gc=False):
    """Observation and end of the episode after one action.

    Attributes:
        result: result of the call as JSON text.
        account: progress of the episode as text; see :meth:`Episode.account`.
        error: why the action failed.
        terminated, truncated: as Gymnasium defines them.
    """

    result: str
    account: str
    error: ErrorInfo | None
    terminated: bool
    truncated: bool


class Scored(Protocol):
    """A score and its terms."""

    @property
    def score(self) -> float:
        """The score in [0, 1]."""

    def terms(self) -> dict[str, float]:
        """Return the unweighted terms by name."""


class Episode(ABC):
    """One episode from its start to its end.

    Attributes:
        task: the task of the episode.
        settings: settings of the env.
        max_steps: step budget.
        tools: available tools.
        history: actions with their results, both as text; too long actions are cut.
        not_text: type of each action that was not text, by its index.
        defects: descriptions of crashes of our code on an action, by the number of the step from 1.
        errors: number of failed calls by kind; empty if a grader counts them.
        used: names of the tools that were called, each once; empty if a grader records them.
        score: score after the last reward, 0 at the start; see :meth:`pay`.
        over: True if the episode has ended.
        failure: fault of the env or the machine that ended the episode; None if there was none.
        stretches: the initial settings, and the new ones after each restore into an env with other settings, by step.
    """

    longest: ClassVar[int] = MAX_ACTION_CHARACTERS
    """Maximum length of an action that is stored uncut in the history."""
    max_steps: int
    tools: ToolSet

    def __init__(self, task: Any, settings: Any) -> None:
        self.task = task
        self.history: list[tuple[str, str]] = []
        self.not_text: dict[int, str] = {}
        self.defects: dict[int, str] = {}
        self.errors: dict[str, int] = {}
        self.used: tuple[str, ...] = ()
        self.score = 0.0
        self.over = False
        self.failure: str | None = None
        self.stretches: tuple[tuple[int, Any], ...] = ((0, settings),)
        self.settings: Any
        self.adopt(settings)

    # -- abstract methods, and methods with defaults ------------------------------------------------------------------

    @abstractmethod
    def adopt(self, settings: Any) -> None:
        """Apply settings, and derive the step budget and the tools from them and the task."""

    @abstractmethod
    def call(self, action: str, call: ToolCall) -> Outcome:
        """Run and grade a call; ``action`` is the text from which it was parsed."""

    @abstractmethod
    def standing(self) -> Scored:
        """Return the score so far and its terms."""

    @abstractmethod
    def is_right(self) -> bool:
        """Return True if the work is right; only meaningful once the episode is over."""

    @abstractmethod
    def checkpoints(self) -> Mapping[str, bool]:
        """Return True or False for each checkpoint, by name."""

    @abstractmethod
    def grade(self) -> Grade:
        """Grade the episode so far."""

    @abstractmethod
    def procedure(self) -> str:
        """Return the procedure that the agent must follow."""

    @abstractmethod
    def account(self, error: ErrorInfo | None) -> str:
        """Return the progress of the episode for ``state`` after a step; ``error`` is that step's error."""

    @abstractmethod
    def state_hash(self) -> str:
        """Return a fingerprint of all changes by the episode."""

    @abstractmethod
    def remake(self) -> Callable[[Any], Self]:
        """Return a picklable function that starts the same episode with given settings."""

    @abstractmethod
    def separate(self, settings: Any) -> None:
        """Copy the mutable parts that a fork shares with its original; ``settings`` is None if they do not change."""

    def passed(self) -> dict[str, bool]:
        """Return the passed checkpoints only, each with True."""
        return {name: True for name, done in self.checkpoints().items() if done}

    def prompt(self, procedure: str) -> str:
        """Return the system message for a procedure."""
        return system_prompt(procedure)

    def title(self) -> str:
        """Return the first line of the rendered episode."""
        return f"{self.task.id}  {self.task.today.isoformat()}"

    def out_of_budget(self) -> None:
        """Record that the budget ended the episode."""
        self.errors = {**self.errors, ErrorKind.BUDGET: 1}

    def close(self) -> None:  # noqa: B027
        """Grade the end of the episode; not called if a fault of our code or the machine ended it."""

    # -- acting -------------------------------------------------------------------------------------------------------

    def act(self, action: str, tools: ToolSet | None = None) -> Step:
        """Run one action; no text of an agent makes it raise. :meth:`pay` returns the reward afterwards.

        Args:
            action: text of the agent.
            tools: tools that it may call; all available tools if None.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if self.over:
            raise ResetNeeded("the episode is over: call reset() first")
        read = self.read(action, self.tools if tools is None else tools)
        return self.settle(action, self.take(action, read))

    def read(self, action: object, tools: ToolSet) -> Read:
        """Parse an action; an error in it is returned, not raised."""
        if not isinstance(action, str):
            got = type(action).__name__
            return ToolError(ErrorKind.MALFORMED, f"this is not a tool call: expected the action as text, got {got}")
        try:
            return parse_action(action, tools)
        except (ToolError, *OF_THE_MACHINE) as problem:
            return problem
        except Exception as fault:
            return CrashError("reading", fault)

    def take(self, action: str, read: Read) -> Outcome:
        """Run and grade a parsed action."""
        if isinstance(read, ToolCall):
            return self.call(action, read)
        if isinstance(read, FinalResponse):
            return Outcome("", None, True)
        return self.refuse(action, read) if isinstance(read, ToolError) else self.fail("reading the action", read)

    def settle(self, action: object, outcome: Outcome) -> Step:
        """Record an action with its outcome, and end the episode if necessary."""
        history = self.history
        if not isinstance(action, str):
            self.not_text = {**self.not_text, len(history): type(action).__name__}
        short = type(action) is str and len(action) <= self.longest
        history.append((action if short else stored(as_text(action), self.longest), outcome.result))  # type: ignore[arg-type]
        truncated = self.failure is not None
        terminated = outcome.ended and not truncated
        if not (terminated or truncated) and (len(history) >= self.max_steps or outcome.late):
            truncated = True
            self.out_of_budget()
        self.over = terminated or truncated
        if self.over and self.failure is None:
            self.close()
        return Step(outcome.result, self.account(outcome.error), outcome.error, terminated, truncated)

    def refuse(self, action: str, problem: ToolError, tool: str | None = None) -> Outcome:
        """Count a failed call and return its error; ``tool`` is None if no tool was run."""
        if isinstance(problem, CrashError):
            self.note_defect(action, problem)
        self.errors = {**self.errors, problem.kind: self.errors.get(problem.kind, 0) + 1}
        return Outcome(error_text(problem), problem.info())

    def fail(self, what: str, fault: Exception) -> Outcome:
        """End the episode without a score, because the env or the machine failed, not the agent or a tool."""
        logger.error("%s failed on task %s", what, self.task.id, exc_info=fault)
        self.failure = f"{what}: {type(fault).__name__}: {fault}"
        return Outcome("")

    def note_defect(self, action: str, crash: CrashError) -> None:
        """Log a crash with a digest of the action, by which it can be found in the episode's record."""
        self.defects = {**self.defects, len(self.history) + 1: str(crash)}
        digest = hashlib.sha256(as_text(action).encode(errors="replace")).hexdigest()[:16]
        logger.error(
            "%s crashed on task %s, action %s; the call counts as failed, and the defect is ours",
            crash.what, self.task.id, digest, exc_info=crash.fault,
        )  # fmt: skip

    def use(self, name: str) -> None:
        """Record that a tool was called."""
        if name not in self.used:
            self.used = (*self.used, name)

    def pay(self) -> tuple[float, Scored]:
        """Return the reward of the last step, and the score and its terms."""
        standing = self.standing()
        score = standing.score
        reward = score - self.score if self.settings.reward.shaped else float(self.over and self.is_right())
        self.score = score
        return reward, standing

    # -- observations -----------------------------------------------------------------------------------------------

    def opening(self) -> str:
        """Return the first observation's ``state``: the request and the procedure."""
        return f"{self.task.request}\n\n{self.procedure()}"

    def last_action(self, error: ErrorInfo | None) -> str:
        """Return the sentence about the last action, which ends an account."""
        if self.failure is not None:
            return "The last action was cut off by a fault of the system."
        return ACCEPTED if error is None else f"The last action failed ({error.kind})."

    def info(self, error: ErrorInfo | None, terms: dict[str, float]) -> Info:
        """Return the ``info`` dictionary after a step, or before the first with ``error`` None."""
        return {
            "task_id": self.task.id,
            "scenario": self.task.scenario,
            "step": len(self.history),
            "error": error,
            "checkpoints": dict(self.checkpoints()) if self.over or self.settings.diagnose else self.passed(),
            "reward_terms": terms,
            "score": self.score,
            "success": self.over and self.is_right(),
            "invalid": self.failure is not None,
            "defect": self.defects.get(len(self.history)),
        }

    def begun(self) -> Info:
        """Return the ``info`` dictionary of the reset."""
        return self.info(None, self.standing().terms())

    def rendered(self) -> str:
        """Return the episode as text for people."""
        return render_history(self.title(), self.task.request, self.history, self.score, self.over)

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far; see :func:`~teller_gym.envs.chat.chat_messages`."""
        return chat_messages(self.procedure(), self.task.request, self.history, self.prompt)

    # -- copies -------------------------------------------------------------------------------------------------------

    def fork(self, settings: Any = None) -> Self:
        """Return an independent copy, which continues with other settings if they are given."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.history = self.history.copy()
        changes = settings is not None and settings is not self.settings
        if changes:
            new.stretches = (*self.stretches, (len(self.history), settings))
            new.adopt(settings)
        new.separate(settings if changes else None)
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        # Tools and graders contain functions, which cannot be pickled. Replaying the actions gives the same bytes.
        return replayed, (self.remake(), self.stretches, [action for action, _ in self.history], self.not_text)


def replayed(
    remake: Callable[[Any], Episode],
    stretches: tuple[tuple[int, Any], ...],
    actions: list[str],
    not_text: dict[int, str],
) -> Episode:
    """Replay an episode from its actions; see the attributes of :class:`Episode`."""
    (_, settings), *later = stretches
    episode = remake(settings)
    for at, action in enumerate([*actions, None]):
        for start, settings in later:
            if start == at:
                episode = episode.fork(settings)
        if action is not None:
            # Of an action that is not text, only the type and the text form are ever used.
            episode.act(_other(not_text[at], action) if at in not_text else action)
            episode.pay()
    return episode


def _other(name: str, text: str) -> Any:
    """Return an object whose type has the given name and whose ``str()`` is the given text."""
    return type(name, (), {"__str__": lambda _: text})()
