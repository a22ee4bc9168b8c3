"""One working day from its start to its end: an episode for each case that was opened, and the queue around them."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

import msgspec
from gymnasium.error import ResetNeeded

from teller_gym.base.errors import ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import fingerprint
from teller_gym.days.day import Day, DayCase
from teller_gym.days.desk import QUEUE_TOOLS, Desk
from teller_gym.days.law import clock, queue_policy, queue_sop
from teller_gym.days.score import DayReward, DayStanding, day_standing
from teller_gym.envs.call_episode import CallEpisode
from teller_gym.envs.chat import chat_messages
from teller_gym.envs.day_grade import Worked, checkpoints_of, grade_of
from teller_gym.envs.episode import Episode, EpisodeSettings, Step
from teller_gym.envs.known import Read
from teller_gym.envs.prompts import day_prompt, render_history
from teller_gym.grading.grader import Grade
from teller_gym.procedure.links import Records, joined, link_between
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.pool import tools_in_play

logger = logging.getLogger(__name__)

_UNBOUNDED = 10**9
"""Steps of a case: the day's clock bounds them."""


class DaySettings(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """All that is the same for the episodes of one env; see :class:`~teller_gym.envs.episode.EpisodeSettings`."""

    reward: DayReward
    max_steps: int | None
    sop: str
    distractors: int
    progress: bool
    diagnose: bool

    def of_cases(self) -> EpisodeSettings:
        """Return the settings of the episodes of its cases."""
        return EpisodeSettings(
            reward=self.reward.case, max_steps=_UNBOUNDED, sop=self.sop, distractors=self.distractors, progress=False,
            diagnose=self.diagnose,
        )  # fmt: skip


def steps_of(day: Day) -> int:
    """Return the steps that fit into a day without waiting."""
    policy = queue_policy()
    return -(-(day.closing - policy.opening) // policy.minutes_per_call)


@lru_cache(maxsize=256)
def _tools(scenario: str, count: int, task_id: str) -> ToolSet:
    """The queue's tools, and those of a case's desk."""
    return ToolSet((*QUEUE_TOOLS.values(), *tools_in_play(scenario, count, task_id).values()))


class DayEpisode(CallEpisode[DayStanding]):
    """One day under way; its members are those of :class:`~teller_gym.envs.episode.Episode`.

    Args:
        task: the day.
        settings: of the env.

    Attributes:
        desk: the queue and the clock.
        cases: what has been done in the cases that were opened, by reference, in the order of their opening.
        effects: records that closed cases have changed in the banks of others, by reference.
        errors: failed calls that no case is charged with, by kind.
        used: tools of the queue that were called.
    """

    task: Day
    settings: DaySettings

    def __init__(self, task: Day, settings: DaySettings) -> None:
        super().__init__(task, settings)
        self.max_steps = steps_of(task) if settings.max_steps is None else settings.max_steps
        self.desk = Desk(task, settings.sop)
        self.cases: dict[str, Worked] = {}
        self.effects: dict[str, Records] = {}
        self.success = False

    # -- acting -------------------------------------------------------------------------------------------------------

    def act(self, action: str) -> Step:
        """Run one action, which is then to be paid for; never raises on what an agent wrote.

        Raises:
            gymnasium.error.ResetNeeded: the day is over.
        """
        if self.over:
            raise ResetNeeded("the episode is over: call reset() first")
        read = self.read(action, self.tools)
        if isinstance(read, ToolCall) and read.tool.name in QUEUE_TOOLS:
            step = self._run_queue_tool(read)
        elif self.desk.current and not isinstance(read, FinalResponse):
            step = self._run_in_case(action, read)
        else:
            step = self._without_case(read)
        return self._settle(action, step)

    def _run_queue_tool(self, call: ToolCall) -> Step:
        queue: Any = self.desk
        self.use(call.tool.name)
        try:
            result = msgspec.json.encode(call.tool.call(queue, call.arguments)).decode()
        except ToolError as problem:
            return self._refused(problem)
        current = self.desk.current
        if current and current not in self.cases:
            self.cases[current] = Worked(self._begun(self.task.case(current)))
        return Step(0, result, "", None, "", False, False)

    def _begun(self, case: DayCase) -> Episode:
        """Return the episode of a case that is opened, in the bank as the cases before it have left it."""
        episode = Episode(case.task, self.settings.of_cases())
        if case.before is not None:
            episode.bank = episode.bank.rebased(joined(case.before, self.effects.get(case.reference, {})))
        return episode

    def _run_in_case(self, action: str, read: Read) -> Step:
        worked = self.cases[self.desk.current]
        episode = worked.episode
        step = episode.settle(action, read, episode.run(read))
        worked.steps.append(len(self.history))
        if (defect := episode.defects.get(len(episode.history))) is not None:
            self.defects = {**self.defects, len(self.history) + 1: defect}
        self.failure = episode.failure
        return step

    def _without_case(self, read: Read) -> Step:
        """Take a final response, or what is no call of the queue while no case is open."""
        if isinstance(read, FinalResponse):
            return Step(0, "", "", None, "", True, False)
        if isinstance(read, ToolError):
            return self._refused(read)
        self.failure = f"reading the action: {type(read).__name__}: {read}"
        return Step(0, "", "", None, "", False, False)

    def _refused(self, problem: ToolError) -> Step:
        result, error = self.refuse(problem)
        return Step(0, result, "", error, "", False, False)

    def _settle(self, action: str, step: Step) -> Step:
        """Let the call's minutes pass, and see what it has ended."""
        desk = self.desk
        desk.now += queue_policy().minutes_per_call
        if desk.current and self.cases[desk.current].episode.over and self.failure is None:
            self._close(desk.current)
        self.record(action, step.result)
        ended = step.error is None and not step.result and self.failure is None
        terminated = ended or len(desk.closed) == len(self.task.cases)
        spent = desk.now >= self.task.closing or len(self.history) >= self.max_steps
        truncated = self.failure is not None or (spent and not terminated)
        if truncated and self.failure is None:
            self.errors = {**self.errors, ErrorKind.BUDGET: 1}
        self.over = terminated or truncated
        if self.over and self.failure is None:
            self._judge()
        return Step(
            len(self.history), step.result, self.account(step.error), step.error, step.passed, terminated, truncated
        )

    def _close(self, reference: str) -> None:
        """Close a case, and let what was done in it count in others."""
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

    def _judge(self) -> None:
        for worked in self.cases.values():
            if not worked.episode.over:
                worked.episode.grader.close(worked.episode.bank)
        self.success = len(self.on_time()) == len(self.desk.in_turn) == len(self.task.cases)

    def on_time(self) -> list[str]:
        """Return the references of the cases that were closed right, and on time."""
        closed = self.desk.closed
        return [
            case.reference
            for case in self.task.cases
            if closed.get(case.reference, self.task.closing + 1) <= case.due
            and self.cases[case.reference].episode.grader.success
        ]

    # -- the score ----------------------------------------------------------------------------------------------------

    def standing(self) -> DayStanding:
        """Return the score so far, with its terms."""
        standings = [worked.episode.grader.standing() for worked in self.cases.values()]
        in_turn, on_time = len(self.desk.in_turn), len(self.on_time())
        return day_standing(self.settings.reward, len(self.task.cases), standings, in_turn, on_time)

    def is_right(self) -> bool:
        """Return whether every case is right, was opened in its turn and closed on time; False before the end."""
        return self.success

    def grade(self) -> Grade:
        """Return the whole grade so far."""
        standing, calls = self.standing(), len(self.history)
        grade = grade_of(self.task, self.cases, self.desk, standing, self.on_time(), self.errors, calls)
        return msgspec.structs.replace(grade, invoked_tools=(*self.used, *grade.invoked_tools))

    # -- what is shown ------------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        """The scenario of the open case; that of the day's first case if none is open."""
        case = self.task.case(self.desk.current) if self.desk.current else self.task.cases[0]
        return load_scenario(case.task.scenario)

    @property
    def tools(self) -> ToolSet:
        """The queue's tools, and those of the open case's desk."""
        if not self.desk.current:
            return QUEUE_TOOLS
        task = self.task.case(self.desk.current).task
        return _tools(task.scenario, self.settings.distractors, task.id if self.settings.distractors else "")

    def opening(self) -> str:
        """Return the first observation's ``state``: the request and the queue's SOP."""
        return f"{self.task.request}\n\n{queue_sop()}"

    def account(self, error: ErrorInfo | None) -> str:
        """Return a later observation's ``state``: where the day stands; ``error`` is the last step's."""
        if not self.settings.progress:
            return ""
        last = "was accepted" if error is None else f"failed ({error.kind})"
        if self.failure is not None:
            last = "was cut off by a fault of the system"
        now, case = self.desk.now, self.desk.current or "None"
        closing = clock(self.task.closing)
        return f"It is {clock(now)}; the desk closes at {closing}. Open case: {case}. The last action {last}."

    def checkpoints(self) -> dict[str, bool]:
        """Return whether each checkpoint is passed, by name."""
        return checkpoints_of(self.task, self.cases, self.desk, self.on_time())

    def rendered(self) -> str:
        """Return the day as a person would read it."""
        title = f"{self.task.id}  {self.task.today.isoformat()}  {clock(self.desk.now)}"
        return render_history(title, self.task.request, self.history, self.score, self.over)

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far."""
        return chat_messages(queue_sop(), self.task.request, self.history, day_prompt)

    def state_hash(self) -> str:
        """Return a fingerprint of all that the episode has changed, in the queue and in the cases' banks."""
        banks = [[reference, worked.episode.state_hash()] for reference, worked in self.cases.items()]
        return fingerprint(msgspec.to_builtins([self.desk.facts(), banks]))

    # -- copies -------------------------------------------------------------------------------------------------------

    def fork(self, settings: DaySettings | None = None) -> DayEpisode:
        """Return an independent copy that stands where this episode does.

        Args:
            settings: those of the env in which the copy goes on; this one's if None.
        """
        new = object.__new__(DayEpisode)
        new.__dict__.update(self.__dict__)
        if settings is not None and settings is not self.settings:
            new.settings = settings
            new.max_steps = steps_of(self.task) if settings.max_steps is None else settings.max_steps
        of_cases = new.settings.of_cases() if new.settings is not self.settings else None
        new.desk = self.desk.copy()
        new.desk.rendering = new.settings.sop
        new.cases = {
            reference: Worked(worked.episode.fork(of_cases), worked.steps.copy())
            for reference, worked in self.cases.items()
        }
        new.history = self.history.copy()
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> DayEpisode:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        # Tools and graders hold functions, which cannot be pickled. The same actions lead to the same bytes again.
        return replayed_day, (self.task, self.settings, [action for action, _ in self.history], self.not_text)


def replayed_day(task: Day, settings: DaySettings, actions: list[str], not_text: dict[int, str]) -> DayEpisode:
    """Return an episode that stands where one of these actions did."""
    episode = DayEpisode(task, settings)
    episode.replay(actions, not_text)
    return episode
