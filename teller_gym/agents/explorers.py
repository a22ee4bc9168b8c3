"""Reference agents that try tools out: call_everything, brute_force, repeat."""

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
    """A call that could be made now."""

    spec: Spec
    subject: str | None
    filled: Filled


_TRIES = 8
"""Maximum number of tries of a failing tool with other arguments."""

_ENDGAME = 8
"""Steps reserved for the submission; a quarter of the budget in short episodes."""

Key = tuple[str, str | None]
"""A tool and the id that it is called about."""


class CallEverything(Player):
    """Calls every tool about everybody, the best supported arguments first, until nothing new succeeds; then submits.

    What an error says is put to use: a tool that "comes first" is waited for, a value that was refused is replaced by
    the next best. Output fields, which nobody shows, are given the most frequent answer of the train split.
    """

    name = "call_everything"

    def reset(self) -> None:
        """Forget the last episode."""
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
        """Return the best supported call that is not done; then the submission, and the calls it asks for."""
        if self.failed is not None and self._now is not None:
            self._take_blame(self._now, self.failed)
        self._now = self.pick() if self.step < self.max_steps - self._endgame else None
        if self._now is None:
            self._now = self._towards_the_end()
        return None if self._now is None else Call(self._now.spec.name, self._now.filled.arguments)

    def pick(self) -> Option | None:
        """Return the best call that has not been made yet; None if there is none."""
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
                # What was done about one of them is done about the others before anything is built on it.
                rank = (spec.name not in finished, filled.weakest, sum(filled.support.values()), place)
                if best is None or rank < best[0]:
                    best = (rank, Option(spec, subject, filled))
        return None if best is None else best[1]

    def _fill(self, key: Key, spec: Spec) -> Filled | None:
        if key not in self._options:
            self._options[key] = self.knowledge.fill(spec, key[1], refused=self._refused.get(key))
        return self._options[key]

    def _take_blame(self, option: Option, message: str) -> None:
        """Learn from an error: wait for the tool it names, discard the value it is about, or wait for new knowledge."""
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
        """Return the tool that the submission asked for, or the submission; None if it failed for good."""
        key: Key = (self.submit.name, None)
        spec = self.by_name[self._wanted.pop()] if self._wanted else self.submit
        if spec is self.submit and self._tries.get(key, 0) >= _ENDGAME:
            return None
        refused = self._refused.get((spec.name, None))
        filled = self.knowledge.fill(spec, self.knowledge.subjects(spec)[0], invent=True, refused=refused)
        return None if filled is None else Option(spec, None, filled)

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        """Take new knowledge into account: calls that were stuck may be tried again."""
        self.expect(self.plan, result)
        self._stuck = {key for key in self._stuck if self._tries[key] >= _TRIES}
        self._options.clear()
        if self._now is not None:
            self._done.add((self._now.spec.name, self._now.subject))


class BruteForce(CallEverything):
    """Like call_everything, but also tries the other values of each uncertain enumeration, one at a time.

    Tools that no train task calls are left out, to have steps for the others. The first call of a tool is the one
    that is best supported, and it is made again after its variations, so that what follows can build on it.
    """

    name = "brute_force"

    def uses(self, tool: str) -> bool:
        """Return True if some train task calls the tool."""
        return tool in habits_of(self.scenario.name).tools

    def reset(self) -> None:
        """Forget the last episode."""
        super().reset()
        self._queue: list[Call] = []

    def choose(self) -> Call | None:
        """Return the next variation of the last tool that succeeded, or the next tool."""
        if self.failed is None and self._now is not None:
            self._queue = self._variations(self._now)
        if self._queue and self.step < self.max_steps - self._endgame:
            self._now = None
            return self._queue.pop(0)
        return super().choose()

    def _variations(self, option: Option) -> list[Call]:
        """Return the calls with one unsure enumeration changed, and the call itself once more."""
        found: list[Call] = []
        name, (arguments, supports) = option.spec.name, option.filled
        for argument, support in supports.items():
            if support > Support.SAME_NAME:
                others = [value for value in option.spec.parameters[argument].choices if value != arguments[argument]]
                found += [Call(name, {**arguments, argument: other}) for other in others]
        return [*found, Call(name, arguments)] if found else []


_PROBES = 12
"""Number of train tasks on which `repeat` measures which call pays best."""


class Repeat(CallEverything):
    """Plays like call_everything up to the tool that pays best for a call, then makes that call over and over.

    The tool is determined beforehand on train tasks, whose score is visible.
    """

    name = "repeat"

    def reset(self) -> None:
        """Forget the last episode."""
        super().reset()
        self._best = _best_paid(self.scenario.name)
        self._paid: Call | None = None

    def choose(self) -> Call | None:
        """Return the call to repeat if it has been made, else the next one on the way to it."""
        return super().choose() if self._paid is None else self._paid

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        """Remember the best paid call once it has succeeded."""
        if call.name == self._best and self._paid is None:
            self._paid = call
        super().learned(call, result)


@cache
def _best_paid(scenario: str) -> str:
    """Return the tool with the largest mean gain in score per call when call_everything plays some train tasks."""
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
