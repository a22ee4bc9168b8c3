"""The expert at a student's shoulder: it receives the same results, and says what it would do next, and what is wrong.

An expert is a generator: it asks for its calls in its own order, and another order may be as good. So a call that it
would not make next is judged by what it leads to: the expert works the rest of the case on a copy, once from before the
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
"""Scores are sums of the same terms in another order."""


class Known(NamedTuple):
    """A call by its own name, with its arguments as JSON values, whatever schema it was written in."""

    name: str
    arguments: Any

    def same(self, other: Known | None) -> bool:
        """Whether two calls say the same, as the grader compares values."""
        return other is not None and self.name == other.name and same_value(self.arguments, other.arguments)


def call_of(text: str, core: Any) -> Known | None:
    """Return the call that an action is, None if it is no call that can be run."""
    try:
        read = parse_action(text, core.tools)
    except ToolError:
        return None
    return Known(read.tool.name, msgspec.to_builtins(read.arguments)) if isinstance(read, ToolCall) else None


class Judgement(StrEnum):
    """What a student's turn is."""

    RIGHT = "right"
    """What the expert does next, or does later and may be done now."""
    HARMLESS = "harmless"
    """A look elsewhere or a note, after which the case can be worked as well as before."""
    UNANSWERED = "unanswered"
    """It met a temporary error, which says nothing of it."""
    REFUSED = "refused"
    """It came back with an error of its own."""
    WRONG = "wrong"
    """It was accepted, and is a mistake: a wrong value, an act out of place, a repetition, an end too soon."""


class Shadow:
    """The expert in one episode.

    Args:
        env: in which the student plays; it was reset.
        obs, info: what the reset returned.
        make: makes the expert of an environment.

    Attributes:
        wanted: the call that the expert makes next, as text in the schema that is shown.
        taken: the calls that went through and that the expert makes as well, with their results, in their order.
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
        """The call that the expert makes next; None when it has nothing more to do."""
        return call_of(self.wanted, self._core)

    @property
    def ahead(self) -> int:
        """How many of the calls taken the expert has not asked for yet."""
        return len(self._ahead)

    def take(self, call: Known, obs: Observation) -> None:
        """Give the expert the result of a call that went through: now, or when it asks for it."""
        self.taken.append((call, obs))
        self._ahead.append((call, obs))
        while (at := self._place(self.asked)) is not None:
            self.wanted = self._expert.act(self._ahead.pop(at)[1], self._info)

    def _place(self, asked: Known | None) -> int | None:
        return next((at for at, (call, _) in enumerate(self._ahead) if call.same(asked)), None)


class Outlook(NamedTuple):
    """What the expert makes of a case from some point on.

    Attributes:
        score, success: at its end.
        unasked: how many of the calls that it was given it had no use for.
    """

    score: float
    success: bool
    unasked: int

    def worse_than(self, other: Outlook) -> bool:
        """Whether less can be reached."""
        return self.score < other.score - _TOLERANCE or (other.success and not self.success)


class Judge:
    """Judges turns, with an environment of its own to try things out.

    Args:
        env: like those that are played in.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._env = env
        self._core = execution_of(env)
        self._begun = False

    def judge(
        self, shadow: Shadow, core: Any, text: str, before: Any, obs: Observation, info: Info, over: bool,
        made: Sequence[Known] = (),
    ) -> Judgement:  # fmt: skip
        """Judge a turn that was made.

        Args:
            shadow: which does not know of it yet.
            core: of the env it was made in.
            text: the turn.
            before: snapshot from before it.
            obs, info: what it came back with.
            over: whether it ended the episode.
            made: calls of the episode so far that were harmless.
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
        # A call of the procedure with a wrong value does no harm if it only looks, and is a mistake all the same.
        return Judgement.WRONG if after.grade().errors != before.grade().errors else Judgement.HARMLESS

    def outlook(self, shadow: Shadow, snapshot: Any, more: tuple[Known, Observation] | None = None) -> Outlook:
        """Return what comes of a case if the expert works it from a snapshot on.

        Args:
            shadow: of the episode.
            snapshot: where the case stands.
            more: a call with its result that the shadow does not know of, and the snapshot does.
        """
        if not self._begun:
            self._env.reset(options={"task_id": snapshot.task.id})  # wrappers ask for it
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
