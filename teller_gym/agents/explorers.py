"""Reference agents that try many tools: call_everything, brute_force and repeat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from teller_gym.agents.habits import habits_of
from teller_gym.agents.knowledge import Filled, Spec, Support
from teller_gym.agents.players import Player
from teller_gym.envs.teller import TellerEnv
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import split_tasks
from teller_gym.tools.call import Call


class Option(NamedTuple):
    """A possible call with its arguments, and the id that it refers to, if any."""

    spec: Spec
    subject: str | None
    filled: Filled


_TRIES = 8
"""Maximum number of attempts at a failing tool with different arguments."""

_ENDGAME = 8
"""Number of steps reserved for the submission; in short episodes, a quarter of the step limit."""

Key = tuple[str, str | None]
"""A tool name and the id in its arguments, if the tool can be called for several ids."""


class CallEverything(Player):
    """Agent that calls every tool for every id until no new call succeeds, and then submits.

    It uses the best known arguments. If an error message names a tool that "comes first", it waits for that tool; if
    one rejects a value, it tries the next best. Its answer is the most frequent one in the train split.
    """

    name = "call_everything"

    def reset(self) -> None:
        super().reset()
        self._endgame = min(_ENDGAME, self.max_steps // 4)
        self._done: set[Key] = set()
        self._tries: dict[Key, int] = {}
        self._waits: dict[Key, frozenset[str]] = {}
        self._stuck: set[Key] = set()
        self._refused: dict[Key, dict[str, list[Any]]] = {}
        self._options: dict[Key, Filled | None] = {}
        self._now: Option | None = None
        self._wanted: list[str] = []

    def choose(self) -> Call | None:
        """Return the best known call that has not been made yet.

        At the end, the submission and any calls that it requires are returned.
        """
        if self.failed is not None and self._now is not None:
            self._take_blame(self._now, self.failed)
        self._now = self.pick() if self.step < self.max_steps - self._endgame else None
        if self._now is None:
            self._now = self._towards_the_end()
        return None if self._now is None else Call(self._now.spec.name, self._now.filled.arguments)

    def pick(self) -> Option | None:
        """Return the best known call that has not been made yet, or None if there is none."""
        best: tuple[tuple[bool, int, int, int], Option] | None = None
        finished = {name for name, _ in self._done}
        for place, spec in enumerate(self.specs):
            if spec is self.submit:
                continue
            for subject in self.knowledge.subjects(spec):
                key = (spec.name, subject)
                if key in self._done or key in self._stuck or not self._waits.get(key, frozenset()) <= finished:
                    continue
                filled = self._fill(key, spec)
                if filled is None:
                    continue
                # A tool that succeeded for one id is called for the other ids before any tool that needs its results.
                rank = (spec.name not in finished, filled.weakest, sum(filled.support.values()), place)
                if best is None or rank < best[0]:
                    best = (rank, Option(spec, subject, filled))
        return None if best is None else best[1]

    def _fill(self, key: Key, spec: Spec) -> Filled | None:
        if key not in self._options:
            self._options[key] = self.knowledge.fill(spec, key[1], refused=self._refused.get(key))
        return self._options[key]

    def _take_blame(self, option: Option, message: str) -> None:
        """Learn from an error message.

        The agent waits for the tool that the message names, excludes the rejected value, or waits for new facts.
        """
        key = (option.spec.name, option.subject)
        self._tries[key] = self._tries.get(key, 0) + 1
        self._options.pop(key, None)
        named = frozenset(self.named_in(message)) - {name for name, _ in self._done}
        if option.spec is self.submit:
            self._wanted = sorted(self.named_in(message))
        if named:
            self._waits[key] = named
        elif self.failed_field in option.filled.arguments and self._tries[key] < _TRIES:
            value = option.filled.arguments[self.failed_field]
            self._refused.setdefault(key, {}).setdefault(self.failed_field, []).append(value)
        else:
            self._stuck.add(key)

    def _towards_the_end(self) -> Option | None:
        """Return a call that the submission's error message asked for, or the submission.

        None is returned after too many failures.
        """
        key: Key = (self.submit.name, None)
        spec = self.by_name[self._wanted.pop()] if self._wanted else self.submit
        if spec is self.submit and self._tries.get(key, 0) >= _ENDGAME:
            return None
        refused = self._refused.get((spec.name, None))
        filled = self.knowledge.fill(spec, self.knowledge.subjects(spec)[0], invent=True, refused=refused)
        return None if filled is None else Option(spec, None, filled)

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        self.expect(self.plan, result)
        self._stuck = {key for key in self._stuck if self._tries[key] >= _TRIES}
        self._options.clear()
        if self._now is not None:
            self._done.add((self._now.spec.name, self._now.subject))


class BruteForce(CallEverything):
    """Agent like call_everything that also tries the other values of each uncertain enum, one at a time.

    Tools that no train task calls are skipped, to save steps. A tool's first call has the best known arguments and is
    repeated after its variations, so that later calls build on its result.
    """

    name = "brute_force"

    def uses(self, tool: str) -> bool:
        return tool in habits_of(self.scenario.name).tools

    def reset(self) -> None:
        super().reset()
        self._queue: list[Call] = []

    def choose(self) -> Call | None:
        if self.failed is None and self._now is not None:
            self._queue = self._variations(self._now)
        if self._queue and self.step < self.max_steps - self._endgame:
            self._now = None
            return self._queue.pop(0)
        return super().choose()

    def _variations(self, option: Option) -> list[Call]:
        """Return variations of a call, each with one uncertain enum value changed, followed by the call itself."""
        found: list[Call] = []
        name, (arguments, supports) = option.spec.name, option.filled
        for argument, support in supports.items():
            if support > Support.SAME_NAME:
                others = [value for value in option.spec.parameters[argument].choices if value != arguments[argument]]
                found += [Call(name, {**arguments, argument: other}) for other in others]
        return [*found, Call(name, arguments)] if found else []


_PROBES = 12
"""Number of train tasks on which `repeat` measures each tool's gain in score."""


class Repeat(CallEverything):
    """Agent that repeats the call with the largest gain in score.

    It plays like call_everything until the first call of that tool. The tool is determined in advance on train tasks,
    whose scores are visible.
    """

    name = "repeat"

    def reset(self) -> None:
        super().reset()
        self._best = _best_paid(self.scenario.name)
        self._paid: Call | None = None

    def choose(self) -> Call | None:
        return super().choose() if self._paid is None else self._paid

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        if call.name == self._best and self._paid is None:
            self._paid = call
        super().learned(call, result)


@cache
def _best_paid(scenario: str) -> str:
    """Return the tool with the largest mean gain in score per call.

    The gain is measured while call_everything plays some train tasks.
    """
    env = TellerEnv(scenario)
    player = CallEverything(env)
    gains: dict[str, list[float]] = {}
    tasks = split_tasks(scenario, Split.TRAIN)
    for task in tasks[:: max(1, len(tasks) // _PROBES)]:
        obs, info = env.reset(options={"task_id": task.id})
        player.reset()
        over = False
        while not over:
            action, before = player.act(obs, info), info["score"]
            obs, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            if player.last is not None and not terminated:
                gains.setdefault(player.last.name, []).append(info["score"] - before)
    return max(gains, key=lambda name: sum(gains[name]) / len(gains[name]))
