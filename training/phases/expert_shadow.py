"""The expert as an observer of a student: it receives the same results, proposes the next call, and judges the
student's.

An expert is a generator that makes its calls in its own order, but another order may be as good. So a call that it
would not make next is judged by its consequences: the expert works the rest of the case on a copy, once from before the
call and once from after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import gymnasium as gym
import msgspec

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.base.text import same_value
from teller_gym.envs.contract import execution_of
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.training.demonstrations.expert import ExpertFactory

Observation = Mapping[str, Any]
Info = Mapping[str, Any]

_TOLERANCE = 1e-9
"""Largest difference between equal scores, which may be sums of the same terms in another order."""


class Known(NamedTuple):
    """A call by its canonical name with arguments as JSON values, whatever schema it was written in."""

    name: str
    arguments: Any

    def same(self, other: Known | None) -> bool:
        """Return True if two calls are equal by the grader's comparison."""
        return other is not None and self.name == other.name and same_value(self.arguments, other.arguments)


def call_of(text: str, core: Any) -> Known | None:
    """Parse an action; return None if it is not a call that can be run."""
    try:
        read = parse_action(text, core.tools)
    except ToolError:
        return None
    return Known(read.tool.name, msgspec.to_builtins(read.arguments)) if isinstance(read, ToolCall) else None


class Judgement(StrEnum):
    """Judgement of a student's turn."""

    RIGHT = "right"
    """A call that the expert makes next, or later but is already allowed."""
    HARMLESS = "harmless"
    """A query or note that does not make the case worse."""
    UNANSWERED = "unanswered"
    """A temporary error, which does not depend on the call."""
    REFUSED = "refused"
    """An error caused by the call."""
    WRONG = "wrong"
    """An accepted call that is a mistake: a wrong value, an act at the wrong time, a repetition, a premature end."""


class Shadow:
    """The expert in one episode of the student, made after its environment's reset.

    Attributes:
        wanted: the expert's next call, as text in the visible schema.
        taken: successful calls that the expert also makes, with their results, in order.
    """

    def __init__(self, env: gym.Env[Any, Any], obs: Observation, info: Info, make: ExpertFactory) -> None:
        self._core = execution_of(env)
        self._expert = make(env)
        self.make = make
        self._expert.reset()
        self._info = info
        self._ahead: list[tuple[Known, Observation]] = []
        self.opening = obs
        self.taken: list[tuple[Known, Observation]] = []
        self.wanted: str = self._expert.act(obs, info)

    @property
    def asked(self) -> Known | None:
        """The expert's next call; None when it is finished."""
        return call_of(self.wanted, self._core)

    @property
    def ahead(self) -> int:
        """Number of taken calls that the expert has not yet made."""
        return len(self._ahead)

    def take(self, call: Known, obs: Observation) -> None:
        """Give the expert the result of a successful call: now, or when it makes the call."""
        self.taken.append((call, obs))
        self._ahead.append((call, obs))
        while (at := self._place(self.asked)) is not None:
            self.wanted = self._expert.act(self._ahead.pop(at)[1], self._info)

    def _place(self, asked: Known | None) -> int | None:
        return next((at for at, (call, _) in enumerate(self._ahead) if call.same(asked)), None)


class Outlook(NamedTuple):
    """Result of a case that the expert has finished; ``unasked`` counts the student's calls that it never made."""

    score: float
    success: bool
    unasked: int

    def worse_than(self, other: Outlook) -> bool:
        """Return True if the expert reaches less than in the other outlook."""
        return self.score < other.score - _TOLERANCE or (other.success and not self.success)


class Judge:
    """Judges turns by trying out their consequences in an environment of its own."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._env = env
        self._core = execution_of(env)
        self._begun = False

    def judge(
        self, shadow: Shadow, core: Any, text: str, before: Any, obs: Observation, info: Info, over: bool,
        made: Sequence[Known] = (),
    ) -> Judgement:  # fmt: skip
        """Judge a turn.

        Args:
            shadow: the expert, which has not seen the turn.
            core: the turn's environment, after it.
            text: the turn.
            before: snapshot before it.
            obs, info, over: its results.
            made: harmless calls of the episode so far.
        """
        error = info["error"]
        if error is not None:
            return Judgement.UNANSWERED if error["kind"] == ErrorKind.TEMPORARY else Judgement.REFUSED
        call = call_of(text, core)
        if call is None:
            return Judgement.WRONG
        if call.same(shadow.asked):
            return Judgement.RIGHT
        known = [*(one for one, _ in shadow.taken), *made]
        if over or any(call.same(one) for one in known):
            return Judgement.WRONG
        after = core.snapshot()
        reached = self.outlook(shadow, after, (call, obs))
        if reached.worse_than(self.outlook(shadow, before)):
            return Judgement.WRONG
        if reached.unasked == 0:
            return Judgement.RIGHT
        # A procedure's query with a wrong value does no harm, but is a mistake.
        return Judgement.WRONG if after.grade().errors != before.grade().errors else Judgement.HARMLESS

    def outlook(self, shadow: Shadow, snapshot: Any, more: tuple[Known, Observation] | None = None) -> Outlook:
        """Let the expert finish a case from a snapshot, and return the result.

        ``more`` is a call with its result that the snapshot includes but the shadow has not seen.
        """
        if not self._begun:
            self._env.reset(options={"task_id": snapshot.task.id})  # wrappers require it
            self._begun = True
        self._core.restore(snapshot)
        info: Info = {"task_id": snapshot.task.id}
        trial = Shadow(self._env, shadow.opening, info, shadow.make)
        for call, obs in [*shadow.taken, *([more] if more else [])]:
            trial.take(call, obs)
        over = False
        while not over:
            asked = trial.asked
            obs, _, terminated, truncated, info = self._env.step(trial.wanted)
            over = terminated or truncated
            if info["error"] is None and asked is not None:
                trial.take(asked, obs)
            elif info["error"] is None or info["error"]["kind"] != ErrorKind.TEMPORARY:
                return Outlook(-1.0, False, trial.ahead)
        return Outlook(float(info["score"]), bool(info["success"]), trial.ahead)
