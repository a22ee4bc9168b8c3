"""The episode of one banking case: its bank, its grader, and variations of the tools' results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.envs.episode.base import ACCEPTED, Episode, EpisodeSettings, Outcome
from teller_gym.grading.grader import Grade, Grader
from teller_gym.grading.rubric import Rubric
from teller_gym.grading.score import RewardConfig, Standing
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.call import ToolCall
from teller_gym.tools.run import error_text, run_tool
from teller_gym.variation.faults import addendum, fault_at
from teller_gym.variation.options import Variation
from teller_gym.variation.pool import chosen_tools, tools_in_play
from teller_gym.variation.results import perturb

BUDGET_FACTOR = 3
"""Default step budget, as a multiple of the scenario's longest standard result."""


class BankSettings(EpisodeSettings, frozen=True, eq=False, kw_only=True):
    """Settings of an env that plays cases of banking scenarios.

    Attributes:
        sop: rendering of the SOP.
        variation: randomisations that are enabled.
    """

    reward: RewardConfig
    sop: str = "abstract"
    variation: Variation = Variation()


class BankEpisode(Episode):
    """An episode of one case.

    Args:
        chosen: original names of the available tools; None for the tools that the settings select.

    Raises:
        OptionError: a chosen tool does not exist.
    """

    task: Task
    settings: BankSettings

    def __init__(self, task: Task, settings: BankSettings, chosen: frozenset[str] | None = None) -> None:
        self.chosen = chosen
        self.scenario = load_scenario(task.scenario)
        super().__init__(task, settings)
        self.rubric = rubric_of(task)
        self.bank = self.scenario.bank(task)
        self.grader = Grader(self.rubric, settings.reward)

    def adopt(self, settings: BankSettings) -> None:
        self.settings = settings
        self.max_steps = budget_of(self.task.scenario) if settings.max_steps is None else settings.max_steps
        schema = settings.variation.schema_of(self.task)
        if self.chosen is None:
            self.tools = tools_in_play(self.task.scenario, settings.distractors, self.task.id, schema)
        else:
            self.tools = chosen_tools(self.task.scenario, self.chosen, schema)

    # -- acting -------------------------------------------------------------------------------------------------------

    def call(self, action: str, call: ToolCall) -> Outcome:
        name = call.tool.name
        try:
            result = self._result(call)
            self.grader.called(call)
            ended = name == self.rubric.submit
            if ended:
                self.grader.submitted(call.arguments)
            return Outcome(result, None, ended)
        except ToolError as problem:
            problem.tool = name
            return self.refuse(action, problem, name)
        except Exception as fault:
            return self.fail(name, fault)

    def _result(self, call: ToolCall) -> str:
        """Run a call and return its result as text, with the faults and perturbations of the settings.

        If a tool raises another exception than ToolError, the call counts as failed, and the bank is restored.

        Raises:
            ToolError: the tool reported an error, or it crashed.
        """
        variation, name, bank = self.settings.variation, call.tool.name, self.bank
        if variation.faults:
            fault = fault_at(f"{variation.faults}/{self.task.id}", len(self.history))
            if fault is not None:
                raise fault
        before = bank.snapshot()
        try:
            result = run_tool(bank, call)
        except (ToolError, *OF_THE_MACHINE):
            raise
        except Exception as crash:
            self.bank = bank.fork(before)
            raise CrashError(name, crash) from crash
        if not variation.perturb:
            return self.tools.shown_result(name, result)
        key, shown = f"{variation.perturb}/{self.task.id}", partial(self.tools.shown_field, name)
        return perturb(result, key, name, self.scenario.unread, shown)

    def refuse(self, action: str, problem: ToolError, tool: str | None = None) -> Outcome:
        """Count a failed call in the grader, and return its error with the names that the agent sees."""
        if isinstance(problem, CrashError):
            self.note_defect(action, problem)
        # Errors of tools use the original names; errors about unreadable actions use the names that the agent sees.
        field = problem.field if tool else self.tools.own_field(problem.tool, problem.field)
        if problem.kind is ErrorKind.TEMPORARY:
            self.grader.unanswered()
        else:
            self.grader.failed(problem, field)
        shown = self.tools.shown_error(problem) if tool else problem
        return Outcome(error_text(shown), shown.info())

    def out_of_budget(self) -> None:
        self.grader.out_of_budget()

    def close(self) -> None:
        self.grader.close(self.bank)

    # -- the score ----------------------------------------------------------------------------------------------------

    def standing(self) -> Standing:
        return self.grader.standing()

    def is_right(self) -> bool:
        return self.grader.success

    def checkpoints(self) -> dict[str, bool]:
        passed = self.grader.passed
        return {name: name in passed for name in self.rubric.checkpoint_names}

    def passed(self) -> dict[str, bool]:
        return dict(self.grader.passed)

    def grade(self) -> Grade:
        return self.grader.grade()

    # -- observations -----------------------------------------------------------------------------------------------

    def procedure(self) -> str:
        """Return the SOP of the case, with the names that the agent sees."""
        scenario, tools = self.scenario, self.tools
        text = tools.reword(tools.reword_outputs(scenario.sop_of(self.task, self.settings.sop), scenario.submit))
        return text + addendum() if self.settings.variation.faults else text

    def account(self, error: ErrorInfo | None) -> str:
        if not self.settings.progress:
            return ""
        step = f"Case {self.bank.case_id}. Step {len(self.history)} of {self.max_steps}."
        return f"{step} {ACCEPTED if error is None and self.failure is None else self.last_action(error)}"

    def state_hash(self) -> str:
        return self.bank.state_hash()

    # -- copies -------------------------------------------------------------------------------------------------------

    def separate(self, settings: BankSettings | None) -> None:
        self.bank = self.bank.fork(self.bank.snapshot())
        self.grader = self.grader.copy()

    def remake(self) -> Callable[[Any], BankEpisode]:
        return partial(BankEpisode, self.task, chosen=self.chosen)


@cache
def budget_of(scenario: str) -> int:
    """Return the default step budget of a scenario's episodes."""
    return BUDGET_FACTOR * max(len(task.standard.calls) for task in frozen_tasks(scenario).values())


_RUBRICS: dict[str, Rubric] = {}


def rubric_of(task: Task) -> Rubric:
    """Return the rubric of a task; rubrics of frozen tasks are cached."""
    # A case under a shifted policy has the id of its original case, unless it is frozen under that policy.
    keep = task.split is Split.HELDOUT_POLICY or (task.split is not Split.GENERATED and not task.policy)
    rubric = _RUBRICS.get(task.id) if keep else None
    if rubric is None:
        rubric = Rubric(task, load_scenario(task.scenario))
        if keep:
            _RUBRICS[task.id] = rubric
    return rubric
