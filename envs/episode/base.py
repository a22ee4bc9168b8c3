"""The base of all episodes: an action is read, taken, recorded with its result, and paid for."""

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
"""An action as it was read: a call, a final response, or what is wrong with it."""


class EpisodeSettings(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Settings of an env that its episodes share.

    Attributes:
        reward: weights of the score; with ``shaped``, every step is paid the change of the score.
        max_steps: step budget; None for the budget of the task.
        distractors: number of tools in play that belong to no procedure.
        progress: whether observations report the progress of the episode.
        diagnose: whether the information lists all checkpoints at every step.
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
        ended: whether it ends the episode.
        late: whether the time for the work is up, which cuts the episode off.
    """

    result: str
    error: ErrorInfo | None = None
    ended: bool = False
    late: bool = False


class Step(msgspec.Struct, gc=False):
    """Observation and end that one action led to.

    Attributes:
        result: result of the call as JSON text.
        account: progress of the episode in words; see :meth:`Episode.account`.
        error: why the action failed.
        terminated, truncated: as Gymnasium defines them.
    """

    result: str
    account: str
    error: ErrorInfo | None
    terminated: bool
    truncated: bool


class Scored(Protocol):
    """A score with its terms."""

    @property
    def score(self) -> float:
        """In [0, 1]."""

    def terms(self) -> dict[str, float]:
        """Return the terms by name."""


class Episode(ABC):
    """One episode from its start to its end.

    Attributes:
        task: the task to work on.
        settings: settings of the env.
        max_steps: step budget.
        tools: tools in play.
        history: actions with their results, both as text; too long actions are cut.
        not_text: type of each action that was not text, by its index.
        defects: descriptions of crashes of our code on an action, by the number of the step from 1.
        errors: failed calls by kind; empty where a grader counts them.
        used: names of the tools that were called, each once; empty where a grader notes them.
        score: score after the last payment, 0 at the start; see :meth:`pay`.
        over: whether the episode has ended.
        failure: fault of the env or the machine that cut the episode off; None if there was none.
        stretches: the settings at the start, and those after each restore into an env with others, by step.
    """

    longest: ClassVar[int] = MAX_ACTION_CHARACTERS
    """Most characters of an action that are kept in the history."""
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

    # -- what each kind of episode defines ----------------------------------------------------------------------------

    @abstractmethod
    def adopt(self, settings: Any) -> None:
        """Take over settings, with the step budget and the tools that follow from them and the task."""

    @abstractmethod
    def call(self, action: str, call: ToolCall) -> Outcome:
        """Run and grade a call; ``action`` is its text."""

    @abstractmethod
    def standing(self) -> Scored:
        """Return the score so far, with its terms."""

    @abstractmethod
    def is_right(self) -> bool:
        """Return whether the work is right, to be asked once the episode is over."""

    @abstractmethod
    def checkpoints(self) -> Mapping[str, bool]:
        """Return whether each checkpoint is passed, by name."""

    @abstractmethod
    def grade(self) -> Grade:
        """Return the whole grade so far."""

    @abstractmethod
    def procedure(self) -> str:
        """Return the procedure that the agent must follow."""

    @abstractmethod
    def account(self, error: ErrorInfo | None) -> str:
        """Return a later observation's ``state``: the progress of the episode; ``error`` is the last step's."""

    @abstractmethod
    def state_hash(self) -> str:
        """Return a fingerprint of all that the episode has changed."""

    @abstractmethod
    def remake(self) -> Callable[[Any], Self]:
        """Return a function that starts the same episode under given settings; it can be pickled."""

    @abstractmethod
    def separate(self, settings: Any) -> None:
        """Replace what a copy must not share with its original; ``settings`` are new ones that it goes on with."""

    def passed(self) -> dict[str, bool]:
        """Return the checkpoints that are passed, each with True."""
        return {name: True for name, done in self.checkpoints().items() if done}

    def prompt(self, procedure: str) -> str:
        """Return the system message for a procedure."""
        return system_prompt(procedure)

    def title(self) -> str:
        """Return the first line of the episode as a person reads it."""
        return f"{self.task.id}  {self.task.today.isoformat()}"

    def out_of_budget(self) -> None:
        """Note that the budget ended the episode."""
        self.errors = {**self.errors, ErrorKind.BUDGET: 1}

    def close(self) -> None:  # noqa: B027
        """Judge the end of the episode, unless a fault of ours cut it off."""

    # -- acting -------------------------------------------------------------------------------------------------------

    def act(self, action: str, tools: ToolSet | None = None) -> Step:
        """Run one action; :meth:`pay` then gives its reward. Never raises on what an agent wrote.

        Args:
            action: text of the agent.
            tools: tools that it may call; all tools in play if None.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if self.over:
            raise ResetNeeded("the episode is over: call reset() first")
        read = self.read(action, self.tools if tools is None else tools)
        return self.settle(action, self.take(action, read))

    def read(self, action: object, tools: ToolSet) -> Read:
        """Read an action; what is wrong with it is returned, not raised."""
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
        """Run and grade an action that was read."""
        if isinstance(read, ToolCall):
            return self.call(action, read)
        if isinstance(read, FinalResponse):
            return Outcome("", None, True)
        return self.refuse(action, read) if isinstance(read, ToolError) else self.fail("reading the action", read)

    def settle(self, action: object, outcome: Outcome) -> Step:
        """Record an action with its outcome, and end the episode if this ends it."""
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
        """Count a failed call and return its error; ``tool`` raised it, or nothing could be run if None."""
        if isinstance(problem, CrashError):
            self.note_defect(action, problem)
        self.errors = {**self.errors, problem.kind: self.errors.get(problem.kind, 0) + 1}
        return Outcome(error_text(problem), problem.info())

    def fail(self, what: str, fault: Exception) -> Outcome:
        """Cut the episode off unscored, because the env or the machine failed, not the agent or a tool."""
        logger.error("%s failed on task %s", what, self.task.id, exc_info=fault)
        self.failure = f"{what}: {type(fault).__name__}: {fault}"
        return Outcome("")

    def note_defect(self, action: str, crash: CrashError) -> None:
        """Report a crash; the digest of its action finds it in the episode's record."""
        self.defects = {**self.defects, len(self.history) + 1: str(crash)}
        digest = hashlib.sha256(as_text(action).encode(errors="replace")).hexdigest()[:16]
        logger.error(
            "%s crashed on task %s, action %s; the call counts as failed, and the defect is ours",
            crash.what, self.task.id, digest, exc_info=crash.fault,
        )  # fmt: skip

    def use(self, name: str) -> None:
        """Note that a tool was called."""
        if name not in self.used:
            self.used = (*self.used, name)

    def pay(self) -> tuple[float, Scored]:
        """Return the reward of the last step, and the score with its terms."""
        standing = self.standing()
        score = standing.score
        reward = score - self.score if self.settings.reward.shaped else float(self.over and self.is_right())
        self.score = score
        return reward, standing

    # -- what is shown ------------------------------------------------------------------------------------------------

    def opening(self) -> str:
        """Return the first observation's ``state``: the request and the procedure."""
        return f"{self.task.request}\n\n{self.procedure()}"

    def last_action(self, error: ErrorInfo | None) -> str:
        """Return the sentence on the last action with which an account ends."""
        if self.failure is not None:
            return "The last action was cut off by a fault of the system."
        return ACCEPTED if error is None else f"The last action failed ({error.kind})."

    def info(self, error: ErrorInfo | None, terms: dict[str, float]) -> Info:
        """Return the information after a step; before the first, ``error`` is None."""
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
        """Return the information before the first step."""
        return self.info(None, self.standing().terms())

    def rendered(self) -> str:
        """Return the episode as a person reads it."""
        return render_history(self.title(), self.task.request, self.history, self.score, self.over)

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far; see :func:`~teller_gym.envs.chat.chat_messages`."""
        return chat_messages(self.procedure(), self.task.request, self.history, self.prompt)

    # -- copies -------------------------------------------------------------------------------------------------------

    def fork(self, settings: Any = None) -> Self:
        """Return an independent copy, which continues in an env with other settings if they are given."""
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
        # Tools and graders hold functions, which cannot be pickled. The same actions lead to the same bytes again.
        return replayed, (self.remake(), self.stretches, [action for action, _ in self.history], self.not_text)


def replayed(
    remake: Callable[[Any], Episode],
    stretches: tuple[tuple[int, Any], ...],
    actions: list[str],
    not_text: dict[int, str],
) -> Episode:
    """Return the episode that these actions lead to; see the attributes of :class:`Episode`."""
    (_, settings), *later = stretches
    episode = remake(settings)
    for at, action in enumerate([*actions, None]):
        for start, settings in later:
            if start == at:
                episode = episode.fork(settings)
        if action is not None:
            # Only the type and the text of an action that is no text are ever used.
            episode.act(_other(not_text[at], action) if at in not_text else action)
            episode.pay()
    return episode


def _other(name: str, text: str) -> Any:
    """Return an object whose type has this name and whose text is this one."""
    return type(name, (), {"__str__": lambda _: text})()
