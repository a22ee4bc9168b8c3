"""The episode of a working day: the queue, and an episode for each opened case."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import msgspec

from teller_gym.base.errors import ErrorInfo, ToolError
from teller_gym.base.text import fingerprint
from teller_gym.days.day import Day, DayCase
from teller_gym.days.desk import QUEUE_TOOLS, Desk
from teller_gym.days.law import clock, queue_policy, queue_sop
from teller_gym.days.score import DayReward, DayStanding, day_standing
from teller_gym.envs.episode.bank import BankEpisode, BankSettings
from teller_gym.envs.episode.base import Episode, EpisodeSettings, Outcome, Read
from teller_gym.envs.episode.day_grade import Worked, checkpoints_of, grade_of
from teller_gym.envs.prompts import day_prompt
from teller_gym.grading.grader import Grade
from teller_gym.procedure.links import Records, joined, link_between
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.pool import tools_in_play

_UNBOUNDED = 10**9
"""Step budget of a case: unlimited, because the day's clock limits it."""


class DaySettings(EpisodeSettings, frozen=True, eq=False, kw_only=True):
    """Settings of an env of working days; ``sop`` is the rendering of the desks' SOPs."""

    reward: DayReward
    sop: str = "abstract"

    def of_cases(self) -> BankSettings:
        """Return the settings for the episodes of the day's cases."""
        return BankSettings(
            reward=self.reward.case, max_steps=_UNBOUNDED, sop=self.sop, distractors=self.distractors, progress=False,
            diagnose=self.diagnose,
        )  # fmt: skip


def steps_of(day: Day) -> int:
    """Return the number of steps that fit into a day without waiting."""
    policy = queue_policy()
    return -(-(day.closing - policy.opening) // policy.minutes_per_call)


@lru_cache(maxsize=256)
def _tools(scenario: str, count: int, task_id: str) -> ToolSet:
    """Return the queue's tools together with those of a case's desk."""
    return ToolSet((*QUEUE_TOOLS.values(), *tools_in_play(scenario, count, task_id).values()))


class DayEpisode(Episode):
    """An episode of one working day.

    Attributes:
        desk: the queue and the clock.
        cases: work done in the opened cases, by reference, in the order of opening.
        effects: records that closed cases have changed in the banks of other cases, by reference.
        errors: number of failed calls outside cases, by kind.
        used: names of the queue's tools that were called.
    """

    task: Day
    settings: DaySettings

    def __init__(self, task: Day, settings: DaySettings) -> None:
        super().__init__(task, settings)
        self.desk = Desk(task, settings.sop)
        self.tools = QUEUE_TOOLS
        self.cases: dict[str, Worked] = {}
        self.effects: dict[str, Records] = {}
        self.success = False

    def adopt(self, settings: DaySettings) -> None:
        self.settings = settings
        self.max_steps = steps_of(self.task) if settings.max_steps is None else settings.max_steps

    # -- acting -------------------------------------------------------------------------------------------------------

    def take(self, action: str, read: Read) -> Outcome:
        """Run and grade a parsed action, advance the clock, and close the case if the action ended it."""
        desk = self.desk
        is_queue_tool = isinstance(read, ToolCall) and read.tool.name in QUEUE_TOOLS
        if desk.current and not is_queue_tool and not isinstance(read, FinalResponse):
            outcome = self._take_in_case(action, read)
        else:
            outcome = super().take(action, read)
        desk.now += queue_policy().minutes_per_call
        if desk.current and self.cases[desk.current].episode.over and self.failure is None:
            self._close(desk.current)
        self._offer()
        outcome.ended |= len(desk.closed) == len(self.task.cases)
        outcome.late = desk.now >= self.task.closing
        return outcome

    def _offer(self) -> None:
        """Make the tools of the queue and of the open case's desk available."""
        if not self.desk.current:
            self.tools = QUEUE_TOOLS
            return
        task, count = self.task.case(self.desk.current).task, self.settings.distractors
        self.tools = _tools(task.scenario, count, task.id if count else "")

    def call(self, action: str, call: ToolCall) -> Outcome:
        """Run a tool of the queue."""
        queue: Any = self.desk
        self.use(call.tool.name)
        try:
            result = msgspec.json.encode(call.tool.call(queue, call.arguments)).decode()
        except ToolError as problem:
            return self.refuse(action, problem, call.tool.name)
        current = self.desk.current
        if current and current not in self.cases:
            self.cases[current] = Worked(self._begun(self.task.case(current)))
        return Outcome(result)

    def _begun(self, case: DayCase) -> BankEpisode:
        """Start the episode of a case, with the changes that closed cases have made in its bank."""
        episode = BankEpisode(case.task, self.settings.of_cases())
        if case.before is not None:
            episode.bank = episode.bank.rebased(joined(case.before, self.effects.get(case.reference, {})))
        return episode

    def _take_in_case(self, action: str, read: Read) -> Outcome:
        worked = self.cases[self.desk.current]
        episode = worked.episode
        step = episode.settle(action, episode.take(action, read))
        worked.steps.append(len(self.history))
        if (defect := episode.defects.get(len(episode.history))) is not None:
            self.defects = {**self.defects, len(self.history) + 1: defect}
        self.failure = episode.failure
        return Outcome(step.result, step.error)

    def _close(self, reference: str) -> None:
        """Close a case, and apply its effects to the banks of other cases."""
        self.desk.close()
        first = self.cases[reference].episode
        for case in self.task.cases:
            if case.after != reference or case.before is None:
                continue
            link = link_between(first.task.scenario, case.task.scenario, case.link)
            self.effects = {**self.effects, case.reference: link.effect(first.task, first.bank)}
            if case.reference in self.cases:
                later = self.cases[case.reference].episode
                later.bank = later.bank.rebased(joined(case.before, self.effects[case.reference]))

    def close(self) -> None:
        """Grade the end of the day and of all unfinished cases."""
        for worked in self.cases.values():
            if not worked.episode.over:
                worked.episode.close()
        self.success = len(self.on_time()) == len(self.desk.in_turn) == len(self.task.cases)

    def on_time(self) -> list[str]:
        """Return the references of the cases that were closed correctly and on time."""
        closed = self.desk.closed
        return [
            case.reference
            for case in self.task.cases
            if closed.get(case.reference, self.task.closing + 1) <= case.due
            and self.cases[case.reference].episode.grader.success
        ]

    # -- the score ----------------------------------------------------------------------------------------------------

    def standing(self) -> DayStanding:
        standings = [worked.episode.grader.standing() for worked in self.cases.values()]
        in_turn, on_time = len(self.desk.in_turn), len(self.on_time())
        return day_standing(self.settings.reward, len(self.task.cases), standings, in_turn, on_time)

    def is_right(self) -> bool:
        """Return True if every case is right, was opened in turn and was closed on time; False before the end."""
        return self.success

    def grade(self) -> Grade:
        standing, calls = self.standing(), len(self.history)
        grade = grade_of(self.task, self.cases, self.desk, standing, self.on_time(), self.errors, calls)
        return msgspec.structs.replace(grade, invoked_tools=(*self.used, *grade.invoked_tools))

    # -- observations -----------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        """The scenario of the open case, or of the day's first case if none is open."""
        case = self.task.case(self.desk.current) if self.desk.current else self.task.cases[0]
        return load_scenario(case.task.scenario)

    def procedure(self) -> str:
        """Return the queue's SOP; ``open_case`` returns the SOP of a desk with its first case."""
        return queue_sop()

    def prompt(self, procedure: str) -> str:
        return day_prompt(procedure)

    def account(self, error: ErrorInfo | None) -> str:
        """Return the clock and the open case for ``state`` after a step; ``error`` is that step's error."""
        if not self.settings.progress:
            return ""
        now, closing = clock(self.desk.now), clock(self.task.closing)
        case = self.desk.current or "None"
        return f"It is {now}; the desk closes at {closing}. Open case: {case}. {self.last_action(error)}"

    def checkpoints(self) -> dict[str, bool]:
        return checkpoints_of(self.task, self.cases, self.desk, self.on_time())

    def title(self) -> str:
        return f"{super().title()}  {clock(self.desk.now)}"

    def state_hash(self) -> str:
        banks = [[reference, worked.episode.state_hash()] for reference, worked in self.cases.items()]
        return fingerprint(msgspec.to_builtins([self.desk.facts(), banks]))

    # -- copies -------------------------------------------------------------------------------------------------------

    def separate(self, settings: DaySettings | None) -> None:
        self.desk = self.desk.copy()
        self.desk.rendering = self.settings.sop
        self._offer()
        of_cases = None if settings is None else settings.of_cases()
        self.cases = {
            reference: Worked(worked.episode.fork(of_cases), worked.steps.copy())
            for reference, worked in self.cases.items()
        }

    def remake(self) -> Callable[[Any], DayEpisode]:
        return partial(DayEpisode, self.task)
