"""What episodes share that are made of calls but are no single case: a day, a piece of office work."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import as_text
from teller_gym.envs.episode import Info, Step
from teller_gym.envs.known import Read
from teller_gym.tools.overlong import stored
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import error_text
from teller_gym.tools.tool import ToolSet

logger = logging.getLogger(__name__)


class Scored(Protocol):
    """A score with its terms."""

    @property
    def score(self) -> float:
        """In [0, 1]."""

    def terms(self) -> dict[str, float]:
        """Return the terms by name."""


StandingT = TypeVar("StandingT", bound=Scored)


class CallEpisode(ABC, Generic[StandingT]):
    """An episode under way; see :class:`~teller_gym.envs.base.Running` for the members that an env needs.

    Args:
        task: what is worked on.
        settings: of the env; they have a ``reward`` with ``shaped``, and ``diagnose``.

    Attributes:
        history: each action as it was written, with its result.
        not_text: type of each action that was no text, by its number from 0.
        defects: what crashed in a tool of ours, by the number of the step from 1.
        errors: failed calls by kind.
        used: names of the tools that were called, each once.
        score: what was paid for so far.
        over: whether it has ended.
        failure: what broke, if a fault of ours cut it off.
    """

    def __init__(self, task: Any, settings: Any) -> None:
        self.task = task
        self.settings = settings
        self.history: list[tuple[str, str]] = []
        self.not_text: dict[int, str] = {}
        self.defects: dict[int, str] = {}
        self.errors: dict[str, int] = {}
        self.used: tuple[str, ...] = ()
        self.score = 0.0
        self.over = False
        self.failure: str | None = None

    # -- for those that derive from it --------------------------------------------------------------------------------

    @abstractmethod
    def act(self, action: str) -> Step:
        """Run one action, which is then to be paid for."""

    @abstractmethod
    def standing(self) -> StandingT:
        """Return the score so far, with its terms."""

    @abstractmethod
    def is_right(self) -> bool:
        """Return whether the work is right; asked once it is over."""

    @abstractmethod
    def checkpoints(self) -> Mapping[str, bool]:
        """Return whether each checkpoint is passed, by name."""

    def read(self, action: object, tools: ToolSet) -> Read:
        """Return what an action says; an exception in place of one that cannot be read."""
        if not isinstance(action, str):
            got = type(action).__name__
            return ToolError(ErrorKind.MALFORMED, f"this is not a tool call: expected the action as text, got {got}")
        try:
            return parse_action(action, tools)
        except (ToolError, *OF_THE_MACHINE) as problem:
            return problem
        except Exception as fault:
            return CrashError("reading", fault)

    def use(self, name: str) -> None:
        """Note that a tool was called."""
        if name not in self.used:
            self.used = (*self.used, name)

    def refuse(self, problem: ToolError) -> tuple[str, ErrorInfo]:
        """Count a failed call; return its result and the error."""
        if isinstance(problem, CrashError):
            self.defects = {**self.defects, len(self.history) + 1: str(problem)}
            logger.error("%s crashed on %s; the defect is ours", problem.what, self.task.id, exc_info=problem.fault)
        self.errors = {**self.errors, problem.kind: self.errors.get(problem.kind, 0) + 1}
        return error_text(problem), problem.info()

    def record(self, action: object, result: str) -> None:
        """Take an action with its result into the history."""
        if not isinstance(action, str):
            self.not_text = {**self.not_text, len(self.history): type(action).__name__}
        self.history.append((stored(as_text(action)), result))

    # -- what all of them do ------------------------------------------------------------------------------------------

    def pay(self) -> tuple[float, StandingT]:
        """Return what the step just made earned, and the score with its terms."""
        standing = self.standing()
        shaped = self.settings.reward.shaped
        reward = standing.score - self.score if shaped else float(self.over and self.is_right())
        self.score = standing.score
        return reward, standing

    def info(self, error: ErrorInfo | None, terms: dict[str, float]) -> Info:
        """Return the information after a step; before the first, ``error`` is None."""
        passed = self.checkpoints()
        shows_all = self.over or self.settings.diagnose
        return {
            "task_id": self.task.id,
            "scenario": self.task.scenario,
            "step": len(self.history),
            "error": error,
            "checkpoints": dict(passed) if shows_all else {name: True for name, done in passed.items() if done},
            "reward_terms": terms,
            "score": self.score,
            "success": self.over and self.is_right(),
            "invalid": self.failure is not None,
            "defect": self.defects.get(len(self.history)),
        }

    def begun(self) -> Info:
        """Return the information before the first step."""
        return self.info(None, self.standing().terms())

    def replay(self, actions: Sequence[str], not_text: Mapping[int, str]) -> None:
        """Take actions again, such as those of an episode that was stored; the same ones lead to the same bytes.

        Args:
            actions: as they stand in the history.
            not_text: as the attribute.
        """
        for at, action in enumerate(actions):
            given: Any = action
            if at in not_text:
                given = type(not_text[at], (), {"__str__": lambda self, text=action: text})()
            self.act(given)
            self.pay()
