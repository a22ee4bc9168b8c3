"""One running episode: its bank, its grader and what was said so far; small, because many of them live at once."""

from __future__ import annotations

import hashlib
import logging
from functools import cache, partial
from typing import Any

import msgspec
from gymnasium.error import ResetNeeded

from teller_gym.base.errors import OF_THE_MACHINE, CrashError, ErrorInfo, ErrorKind, ToolError
from teller_gym.base.text import as_text
from teller_gym.envs.chat import chat_messages
from teller_gym.envs.known import KnownCalls, Read
from teller_gym.envs.prompts import render_case
from teller_gym.grading.grader import Grade, Grader
from teller_gym.grading.rubric import Rubric
from teller_gym.grading.score import RewardConfig, Standing
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import error_text, run_tool
from teller_gym.variation.faults import addendum, fault_at
from teller_gym.variation.options import Variation
from teller_gym.variation.pool import chosen_tools, tools_in_play
from teller_gym.variation.results import perturb

logger = logging.getLogger(__name__)

BUDGET_FACTOR = 3
"""``max_steps`` is this many times the scenario's longest standard result."""

Info = dict[str, Any]

KNOWN_CALLS = KnownCalls(fresh=False)
"""What single envs of this process have been sent, so that a call sent again in the same words is not parsed again."""


class EpisodeSettings(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """All that is the same for the episodes of one env, of whatever scenario; they share it.

    Attributes:
        reward: weights and penalties.
        max_steps: step budget of an episode; that of the task's scenario if None, see :func:`budget_of`.
        sop: rendering of the SOP.
        distractors: how many tools that do not belong to the procedure are in play.
        progress: whether the observation says where the episode stands.
        diagnose: whether the information lists all checkpoints at every step.
        variation: which randomisations are on.
    """

    reward: RewardConfig
    max_steps: int | None
    sop: str
    distractors: int
    progress: bool
    diagnose: bool
    variation: Variation = Variation()


class Step(msgspec.Struct, gc=False):
    """What one action led to.

    Attributes:
        number: how many steps the episode has had, with this one.
        result: of the call, as JSON.
        account: where the episode stands, in words; see :meth:`Episode.account`.
        error: why it failed.
        passed: the checkpoint that a call passed with it, empty if none; the end of an episode passes others.
        terminated, truncated: as Gymnasium has them.
    """

    number: int
    result: str
    account: str
    error: ErrorInfo | None
    passed: str
    terminated: bool
    truncated: bool


class Episode:
    """One episode from its start to its end.

    Args:
        task: what is worked on.
        settings: of the env.
        chosen: own names of the tools in play, whatever the settings say of distractors; None leaves it to them.

    Raises:
        OptionError: a chosen tool does not exist.

    Attributes:
        task, settings, chosen, scenario, rubric: what the episode shares with others.
        max_steps: its step budget.
        tools: those in play.
        bank, grader: its state.
        history: actions with their results, both as text; of an action that is too long what is kept of it.
        score: the score that was last paid for, 0 at the start; see :meth:`pay`.
        over: whether it has ended.
        failure: what broke, if a fault of ours cut the episode off.
        defects: what of ours crashed on the agent's actions, which then counted as failed: in words, by step from 1.
        stretches: the settings that it began with, and those that it went on with from a step on.
        not_text: what the actions were that were no text: names of types by step.
    """

    __slots__ = (
        "bank",
        "chosen",
        "defects",
        "failure",
        "grader",
        "history",
        "max_steps",
        "not_text",
        "over",
        "rubric",
        "scenario",
        "score",
        "settings",
        "stretches",
        "task",
        "tools",
    )

    def __init__(self, task: Task, settings: EpisodeSettings, chosen: frozenset[str] | None = None) -> None:
        self.task = task
        self.chosen = chosen
        self.scenario = scenario = load_scenario(task.scenario)
        self._settle(settings)
        self.stretches: tuple[tuple[int, EpisodeSettings], ...] = ((0, settings),)
        self.not_text: dict[int, str] = {}
        self.defects: dict[int, str] = {}
        self.rubric = rubric_of(task)
        self.bank = scenario.bank(task)
        self.grader = Grader(self.rubric, settings.reward)
        self.history: list[tuple[str, str]] = []
        self.score = 0.0
        self.over = False
        self.failure: str | None = None

    def _settle(self, settings: EpisodeSettings) -> None:
        """Take what follows from the settings and the task."""
        self.settings = settings
        self.max_steps = budget_of(self.task.scenario) if settings.max_steps is None else settings.max_steps
        schema = settings.variation.schema_of(self.task)
        if self.chosen is None:
            self.tools = tools_in_play(self.task.scenario, settings.distractors, self.task.id, schema)
        else:
            self.tools = chosen_tools(self.task.scenario, self.chosen, schema)

    def act(self, action: str) -> Step:
        """Run one action, which is then to be paid for; never raises on what an agent wrote.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if self.over:
            raise ResetNeeded("the episode is over: call reset() first")
        read = KNOWN_CALLS.read(self, action)
        return self.settle(action, read, self.run(read))

    def pay(self) -> tuple[float, Standing]:
        """Return what the step just made earned, and the score with its terms."""
        grader = self.grader
        standing = grader.standing()
        score = standing.score
        reward = score - self.score if self.settings.reward.shaped else float(self.over and grader.success)
        self.score = score
        return reward, standing

    # The three parts of an action. Whoever steps many episodes does each part for all of them: every part's code then
    # stays in the processor's caches, which takes a quarter off the time of a step.

    def read(self, action: str) -> Read:
        """Read an action; what is wrong with it is returned, not raised.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if self.over:
            raise ResetNeeded("the episode is over: call reset() first")
        given: object = action  # which may be anything: a policy of numbers, a call that is not yet text
        if not isinstance(given, str):
            got = type(given).__name__
            return ToolError(ErrorKind.MALFORMED, f"this is not a tool call: expected the action as text, got {got}")
        try:
            return parse_action(action, self.tools)
        except (ToolError, *OF_THE_MACHINE) as problem:
            return problem
        except Exception as fault:
            return CrashError("reading", fault)

    def run(self, read: Read) -> str | Exception:
        """Run the call of an action, if it has one; return the result as text, or what stood in the way."""
        if not isinstance(read, ToolCall):
            return "" if isinstance(read, FinalResponse) else read
        variation = self.settings.variation
        try:
            if variation.faults or variation.perturb:
                return self._run_varied(read, variation)
            return self.tools.shown_result(read.tool.name, self._answer(read))
        except Exception as problem:
            return problem

    def _answer(self, call: ToolCall) -> str:
        """Run a call and return the tool's own result.

        Whatever a tool raises on arguments that it has let in is a defect of the tool. To the agent the call failed,
        and the bank is as before it.

        Raises:
            ToolError: the call failed, by a crash or as the tool says.
        """
        bank = self.bank
        before = bank.snapshot()
        try:
            return run_tool(bank, call)
        except (ToolError, *OF_THE_MACHINE):
            raise
        except Exception as fault:
            self.bank = bank.fork(before)
            raise CrashError(call.tool.name, fault) from fault

    def settle(self, action: str, read: Read, outcome: str | Exception) -> Step:
        """Grade an action that was read and run."""
        grader = self.grader
        error: ErrorInfo | None = None
        terminated = False
        passed = ""
        name = read.tool.name if isinstance(read, ToolCall) else None
        try:
            if isinstance(outcome, Exception):
                raise outcome
            result = outcome
            if isinstance(read, ToolCall):
                passed = grader.called(read)
                if name == self.rubric.submit:
                    grader.submitted(read.arguments)
                    terminated = True
            else:
                terminated = True
        except ToolError as problem:
            if name is not None:  # raised by the tool, which knows only the names of its own schema
                problem.tool = name
            if isinstance(problem, CrashError):
                self._note_defect(action, problem)
            if problem.kind is ErrorKind.TEMPORARY:
                grader.unanswered()
            else:
                parsed = name is None  # then the field has the name that it has in the schema shown
                grader.failed(problem, self.tools.own_field(problem.tool, problem.field) if parsed else problem.field)
            shown = problem if name is None else self.tools.shown_error(problem)
            result, error = error_text(shown), shown.info()
        except Exception as fault:
            # A fault of ours, not of the agent, and not of a tool on its arguments: the episode ends unscored, and
            # reports leave it out.
            logger.exception("tool %s failed on task %s", name, self.task.id)
            result, self.failure = "", f"{name or 'reading the action'}: {type(fault).__name__}: {fault}"
        history = self.history
        given: object = action
        if not isinstance(given, str):
            self.not_text = {**self.not_text, len(history): type(given).__name__}
        short = type(given) is str and len(given) <= MAX_ACTION_CHARACTERS
        history.append((action if short else stored(as_text(given)), result))
        number = len(history)
        truncated = self.failure is not None
        if not (terminated or truncated) and number >= self.max_steps:
            truncated = True
            grader.out_of_budget()
        self.over = terminated or truncated
        if self.over and self.failure is None:
            grader.close(self.bank)
        return Step(number, result, self.account(error), error, passed, terminated, truncated)

    def _note_defect(self, action: str, crash: CrashError) -> None:
        """Tell people of a crash; the action stands in the episode's record, where its digest finds it."""
        self.defects = {**self.defects, len(self.history) + 1: str(crash)}
        digest = hashlib.sha256(as_text(action).encode(errors="replace")).hexdigest()[:16]
        logger.error(
            "%s crashed on task %s, action %s; the call counts as failed, and the defect is ours",
            crash.what, self.task.id, digest, exc_info=crash.fault,
        )  # fmt: skip

    def _run_varied(self, call: ToolCall, variation: Variation) -> str:
        """Run a call and return its result as text, with the faults and perturbations of the settings."""
        if variation.faults:
            fault = fault_at(f"{variation.faults}/{self.task.id}", len(self.history))
            if fault is not None:
                raise fault
        result = self._answer(call)
        name = call.tool.name
        if not variation.perturb:
            return self.tools.shown_result(name, result)
        key, shown = f"{variation.perturb}/{self.task.id}", partial(self.tools.shown_field, name)
        return perturb(result, key, name, self.scenario.unread, shown)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def sop(self) -> str:
        """Return the text of the procedure by which the case is to be worked."""
        scenario, tools = self.scenario, self.tools
        text = tools.reword(tools.reword_outputs(scenario.sop_of(self.task, self.settings.sop), scenario.submit))
        return text + addendum() if self.settings.variation.faults else text

    def opening(self) -> str:
        """Return the first observation's ``state``: the request and the SOP."""
        return self.task.request + "\n\n" + self.sop()

    def account(self, error: ErrorInfo | None) -> str:
        """Return a later observation's ``state``: where the episode stands; ``error`` is the last step's."""
        if not self.settings.progress:
            return ""
        if self.failure is not None:
            outcome = "was cut off by a fault of the system"
        else:
            outcome = "was accepted" if error is None else f"failed ({error.kind})"
        steps = len(self.history)
        return f"Case {self.bank.case_id}. Step {steps} of {self.max_steps}. The last action {outcome}."

    def checkpoints(self) -> dict[str, bool]:
        """Return the checkpoints that the information lists: those passed, or all once the episode is over."""
        passed = self.grader.passed
        if self.over or self.settings.diagnose:
            return {name: name in passed for name in self.rubric.checkpoint_names}
        return dict(passed)

    def info(self, error: ErrorInfo | None, terms: dict[str, float]) -> Info:
        """Return the information after a step; before the first, ``error`` is None."""
        return {
            "task_id": self.rubric.task_id,
            "scenario": self.scenario.name,
            "step": len(self.history),
            "error": error,
            "checkpoints": self.checkpoints(),
            "reward_terms": terms,
            "score": self.score,
            "success": self.grader.success,
            "invalid": self.failure is not None,
            "defect": self.defects.get(len(self.history)),
        }

    def begun(self) -> Info:
        """Return the information before the first step."""
        return self.info(None, self.grader.standing().terms())

    def rendered(self) -> str:
        """Return the episode as a person would read it."""
        return render_case(self.task, self.history, self.score, self.over)

    def grade(self) -> Grade:
        """Return the whole grade so far."""
        return self.grader.grade()

    def state_hash(self) -> str:
        """Return a fingerprint of all that the episode has changed in the bank."""
        return self.bank.state_hash()

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools in play in OpenAI's function format."""
        return self.tools.schemas()

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far; see :func:`~teller_gym.envs.chat.chat_messages`."""
        return chat_messages(self.sop(), self.task.request, self.history)

    def fork(self, settings: EpisodeSettings | None = None) -> Episode:
        """Return an independent copy that stands where this episode does, in microseconds.

        Args:
            settings: those of the env in which the copy goes on, whose tools are then in play; this one's if None.
        """
        new = object.__new__(Episode)
        new.task = self.task
        new.chosen = self.chosen
        new.scenario = self.scenario
        if settings is None or settings is self.settings:
            new.settings = self.settings
            new.max_steps = self.max_steps
            new.tools = self.tools
            new.stretches = self.stretches
        else:
            new._settle(settings)
            new.stretches = (*self.stretches, (len(self.history), settings))
        new.not_text = self.not_text
        new.defects = self.defects
        new.rubric = self.rubric
        new.bank = self.bank.fork(self.bank.snapshot())
        new.grader = self.grader.copy()
        new.history = self.history.copy()
        new.score = self.score
        new.over = self.over
        new.failure = self.failure
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        # Tools and graders hold functions, which cannot be pickled. The same actions lead to the same bytes again.
        actions = [action for action, _ in self.history]
        return replayed, (self.task, self.chosen, self.stretches, actions, self.not_text)


def replayed(
    task: Task,
    chosen: frozenset[str] | None,
    stretches: tuple[tuple[int, EpisodeSettings], ...],
    actions: list[str],
    not_text: dict[int, str],
) -> Episode:
    """Return an episode that stands where one of these actions did; see the attributes of :class:`Episode`."""
    (_, settings), *later = stretches
    episode = Episode(task, settings, chosen)
    for at, action in enumerate([*actions, None]):
        for start, settings in later:
            if start == at:
                episode = episode.fork(settings)
        if action is not None:
            # Of an action that is no text, only its type and its text are ever looked at.
            episode.act(_other(not_text[at], action) if at in not_text else action)
            episode.pay()
    return episode


def _other(name: str, text: str) -> Any:
    """Return something of a type of this name that is written as this text."""
    return type(name, (), {"__str__": lambda _: text})()


@cache
def budget_of(scenario: str) -> int:
    """Return the steps that an episode of a scenario may take."""
    return BUDGET_FACTOR * max(len(task.standard.calls) for task in frozen_tasks(scenario).values())


_RUBRICS: dict[str, Rubric] = {}


def rubric_of(task: Task) -> Rubric:
    """Return the rubric of a task; those of frozen tasks are kept."""
    # A case under a shifted policy goes by the id of the one it was made of, but for those that are frozen so.
    keep = task.split is Split.HELDOUT_POLICY or (task.split is not Split.GENERATED and not task.policy)
    rubric = _RUBRICS.get(task.id) if keep else None
    if rubric is None:
        scenario = load_scenario(task.scenario)
        rubric = Rubric(task, scenario)
        if keep:
            rubric.kept = True
            _RUBRICS[task.id] = rubric
    return rubric
