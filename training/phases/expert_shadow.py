"""Expert that follows a student's episode, proposes the next call, and judges the student's calls.

An expert is a generator that makes its calls in its own order, but another order may be as good. So a call that it
would not make next is judged by its consequences: the expert completes a copy of the case twice, once from before the
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
"""Maximum difference between equal scores, which may be sums of the same terms in another order."""


class Known(NamedTuple):
    """Call with its canonical name and its arguments as JSON values, independent of the visible schema."""

    name: str
    arguments: Any

    def same(self, other: Known | None) -> bool:
        """Return True if the grader considers both calls equal."""
        return other is not None and self.name == other.name and same_value(self.arguments, other.arguments)


def call_of(text: str, core: Any) -> Known | None:
    """Parse an action, and return None if it is not a valid call."""
    try:
        read = parse_action(text, core.tools)
    except ToolError:
        return None
    return Known(read.tool.name, msgspec.to_builtins(read.arguments)) if isinstance(read, ToolCall) else None


class Judgement(StrEnum):
    """Verdict on a student's turn."""

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
    """Expert that follows one episode of the student, created after the environment's reset.

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
        """The expert's next call, or None when it has finished."""
        return call_of(self.wanted, self._core)

    @property
    def ahead(self) -> int:
        """Number of taken calls that the expert has not yet made."""
        return len(self._ahead)

    def take(self, call: Known, obs: Observation) -> None:
        """Give the expert the result of a successful call, now or when it makes the same call."""
        self.taken.append((call, obs))
        self._ahead.append((call, obs))
        while (at := self._place(self.asked)) is not None:
            self.wanted = self._expert.act(self._ahead.pop(at)[1], self._info)

    def _place(self, asked: Known | None) -> int | None:
        return next((at for at, (call, _) in enumerate(self._ahead) if call.same(asked)), None)


class Outlook(NamedTuple):
    """Result of a case completed by the expert.

    ``unasked`` is the number of the student's calls that the expert never made.
    """

    score: float
    success: bool
    unasked: int

    def worse_than(self, other: Outlook) -> bool:
        """Return True if this outlook is worse than the other one."""
        return self.score < other.score - _TOLERANCE or (other.success and not self.success)


class Judge:
    """Judges turns by trying out their consequences in a separate environment."""

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
            core: the turn's environment after the turn.
            text: text of the turn.
            before: snapshot before the turn.
            obs, info, over: results of the turn.
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
        """Let the expert complete a case from a snapshot, and return the result.

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
