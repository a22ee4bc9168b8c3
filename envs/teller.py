"""The environment of the banking scenarios: parse the action, run the tool, ask the grader, show the result."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, ClassVar

import gymnasium as gym
import msgspec
from gymnasium import spaces

from teller_gym.actions import FinalResponse, parse_action, readable_call
from teller_gym.bank import Bank, Snapshot
from teller_gym.envs.prompts import render_case, system_prompt
from teller_gym.envs.spaces import FreeText, ToolCallText
from teller_gym.errors import ErrorInfo, OptionError, ToolError
from teller_gym.execution import error_text, run_tool
from teller_gym.grading import CheckpointResult, Grade, Grader, RewardConfig, Rubric
from teller_gym.pool import parse_count, tools_in_play
from teller_gym.scenario import load_scenario
from teller_gym.sop import RENDERINGS
from teller_gym.task import Split, Task
from teller_gym.tasks import find_task, frozen_tasks, generate_task, parse_split, split_tasks
from teller_gym.tools import ToolSet

logger = logging.getLogger(__name__)

BUDGET_FACTOR = 3
"""``max_steps`` is this many times the scenario's longest standard result."""

STATE_VIEWS = ("progress", "none")
REWARDS = {"shaped": RewardConfig(), "sparse": RewardConfig(shaped=False)}

Observation = dict[str, str]
Info = dict[str, Any]


class EpisodeSnapshot(msgspec.Struct, frozen=True):
    """All that an episode is made of; opaque, and good for any number of restores.

    It fits every env of the same scenario and reward.
    """

    task: Task
    rubric: Rubric
    bank: Bank
    overlay: Snapshot
    grader: Grader
    history: list[tuple[str, str]]
    potential: float
    over: bool
    failure: str | None


class TellerEnv(gym.Env[Observation, str]):
    """Work one case of a bank by calling tools, following a standard operating procedure.

    ## Action space
    Text (:class:`~teller_gym.envs.spaces.ToolCallText`): one JSON tool call ``{"name": …, "arguments": {…}}``, bare, in
    a code fence or in ``<tool_call>`` tags. Text without a call is the final response and ends the episode.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the request and the SOP; later: where the episode stands) and
    ``tool_result`` (JSON of the last call; empty at reset).

    ## Reward
    ``shaped``: the change of the score at every step, so that an episode's rewards add up to its score;
    ``sparse``: 1 at the end if every output field is right and nothing else was touched. See
    :class:`~teller_gym.grading.RewardConfig`.

    ## Starting state
    A case of the split, drawn from the env's generator, or the one named by ``options={"task_id": …}``.

    ## Episode end
    Terminated when the final review is accepted or a final response is given; truncated when ``max_steps`` is spent.

    ## Information
    The same keys at every step: ``task_id``, ``scenario``, ``step``, ``error`` (None, or kind, message and field),
    ``checkpoints`` (those passed; at the end, or with ``diagnose``, all), ``reward_terms`` (unweighted), ``score``,
    ``success``, ``invalid`` (a tool of ours failed: the episode was cut off and must not be scored; ``failure`` says
    why).

    ## Arguments
    Args:
        scenario: name of the scenario.
        split: what ``reset`` draws from: train, validation, heldout or generated.
        sop: rendering of the SOP, ``abstract`` or ``explicit``.
        distractors: how many tools that do not belong to the procedure are in play, drawn for each task; 0 to 243, or
            "all".
        reward: ``shaped``, ``sparse`` or a ``RewardConfig``.
        max_steps: step budget; three times the longest standard result if None.
        state_view: ``progress`` or ``none``: what ``state`` says after reset.
        diagnose: whether ``checkpoints`` lists all of them at every step.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: an unknown value; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        scenario: str,
        split: str = "train",
        sop: str = "abstract",
        distractors: int | str = 0,
        reward: str | RewardConfig = "shaped",
        max_steps: int | None = None,
        state_view: str = "progress",
        diagnose: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.scenario = load_scenario(scenario)
        self._split = parse_split(split)
        _one_of("sop", sop, RENDERINGS)
        _one_of("state_view", state_view, STATE_VIEWS)
        _one_of("render_mode", render_mode, (None, "ansi"))
        self._distractors = parse_count(distractors)
        if not isinstance(reward, RewardConfig):
            _one_of("reward", reward, tuple(REWARDS))
        if not isinstance(diagnose, bool):
            raise OptionError(f"diagnose: expected True or False, got {diagnose!r}")
        if max_steps is not None and (type(max_steps) is not int or max_steps < 1):
            raise OptionError(f"max_steps: expected None or a whole number of 1 or more, got {max_steps!r}")
        self._config = REWARDS[reward] if isinstance(reward, str) else reward
        self._sop = sop
        self._max_steps = max_steps if max_steps is not None else BUDGET_FACTOR * _longest(scenario)
        self._progress = state_view == "progress"
        self._diagnose = diagnose
        self.render_mode = render_mode
        self.tools: ToolSet = tools_in_play(scenario, self._distractors, "")
        texts: dict[str, gym.Space[Any]] = {"state": FreeText(), "tool_result": FreeText()}
        self.observation_space = spaces.Dict(texts)  # type: ignore[assignment]
        self.action_space = ToolCallText(self.tools)
        self._task: Task | None = None
        self._over = True
        self.failure: str | None = None
        """What broke, if a fault of ours cut the episode off."""

    # -- Gymnasium's interface ------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode.

        Args:
            seed: seeds the env's generator, which draws the task.
            options: ``{"task_id": …}`` names any frozen task, or a generated one (``loans-g-<seed>``).

        Raises:
            OptionError: an unknown option or task id.
        """
        super().reset(seed=seed)
        task = self._draw() if not options else self._named(options)
        self._task = task
        self.tools = tools_in_play(self.scenario.name, self._distractors, task.id)
        self._rubric = _rubric(task, self.scenario.name)
        self._bank = self.scenario.bank(task)
        self._grader = Grader(self._rubric, self._config)
        self._history: list[tuple[str, str]] = []
        self._potential = 0.0
        self._over = False
        self.failure = None
        return {"state": self._opening(), "tool_result": ""}, self._info(None, self._grader.terms(), 0.0)

    def step(self, action: str) -> tuple[Observation, float, bool, bool, Info]:
        """Run one action; never raises on what an agent wrote.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over, or none was started.
        """
        if self._over:
            raise gym.error.ResetNeeded("the episode is over: call reset() first")
        error: ErrorInfo | None = None
        terminated = False
        grader = self._grader
        name: str | None = None
        try:
            call = parse_action(action, self.tools)
            if isinstance(call, FinalResponse):
                result, terminated = "", True
                grader.find_collateral(self._bank, self.scenario.writable)
            else:
                name = call.tool.name
                result = run_tool(self._bank, call)
                grader.called(name, call.arguments)
                if name == self.scenario.submit:
                    outputs = msgspec.to_builtins(call.arguments)
                    grader.submitted(outputs, self._bank, self.scenario.writable)
                    terminated = True
        except ToolError as problem:
            grader.failed(problem.kind, name or problem.tool)
            result, error = error_text(problem), problem.info()
        except Exception as fault:
            # A fault of ours, not of the agent: the episode ends unscored, and reports leave it out.
            logger.exception("tool %s failed on task %s", name, self.task.id)
            result, self.failure = "", f"{name or 'reading the action'}: {type(fault).__name__}: {fault}"
        self._history.append((action, result))
        invalid = self.failure is not None
        truncated = invalid or (not terminated and len(self._history) >= self._max_steps)
        if truncated and not invalid:
            grader.out_of_budget()
            grader.find_collateral(self._bank, self.scenario.writable)
        self._over = terminated or truncated
        terms = grader.terms()
        potential = grader.score(terms)
        reward = potential - self._potential if self._config.shaped else float(self._over and grader.success)
        self._potential = potential
        state = self._account(error) if self._progress else ""
        observation = {"state": state, "tool_result": result}
        return observation, reward, terminated, truncated, self._info(error, terms, potential)

    def render(self) -> str | None:
        """Return the case as a person would read it (``render_mode="ansi"``)."""
        if self.render_mode is None or self._task is None:
            return None
        return render_case(self._task, self._history, self._potential, self._over)

    # -- what agents, trainers and reports use besides ------------------------------------------------------------

    @property
    def task(self) -> Task:
        """The task of the episode; raises ``ResetNeeded`` before the first reset."""
        return self._expect_task()

    @property
    def max_steps(self) -> int:
        """Steps an episode may take."""
        return self._max_steps

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools in play in OpenAI's function format."""
        return self.tools.schemas()

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far: system, user, then assistant and tool messages in OpenAI's format.

        Words before a call stand in ``content``, what follows it is left out. A call's ``arguments`` are a dictionary,
        as chat templates want them, where OpenAI's own API has JSON text. An action that is no readable call stands as
        plain assistant text; its error follows as a tool message all the same, since rollouts in training, which never
        render a turn again, show it so.
        """
        sop = self.scenario.sop(self._sop, self.scenario.policy_of(self.task))
        chat: list[dict[str, Any]] = [
            {"role": "system", "content": system_prompt(sop)},
            {"role": "user", "content": self.task.request},
        ]
        for number, (action, result) in enumerate(self._history, start=1):
            chat += _exchange(action, result, f"call_{number}")
        return chat

    def grade(self) -> Grade:
        """Return the whole grade of the episode so far; raises ``ResetNeeded`` before the first reset."""
        self._expect_task()
        return self._grader.grade()

    def diagnosis(self) -> tuple[CheckpointResult, ...]:
        """Return every checkpoint with the reason why it is passed or not; see :meth:`grade`."""
        return self.grade().reasons

    def snapshot(self) -> EpisodeSnapshot:
        """Return the episode as it stands, in microseconds; raises ``ResetNeeded`` before the first reset."""
        self._expect_task()
        return EpisodeSnapshot(
            self.task,
            self._rubric,
            self._bank,
            self._bank.snapshot(),
            self._grader.copy(),
            self._history.copy(),
            self._potential,
            self._over,
            self.failure,
        )

    def restore(self, snapshot: EpisodeSnapshot) -> None:
        """Go back to a snapshot of this or another env of the same scenario and reward.

        Raises:
            OptionError: the snapshot is of an env with another reward, by which its score so far was worked out.
        """
        if snapshot.grader.config != self._config:
            raise OptionError(
                f"snapshot: expected one of an env with the reward {self._config}, got {snapshot.grader.config}"
            )
        self._task = snapshot.task
        self.tools = tools_in_play(self.scenario.name, self._distractors, snapshot.task.id)
        self._rubric = snapshot.rubric
        self._bank = snapshot.bank.fork(snapshot.overlay)
        self._grader = snapshot.grader.copy()
        self._history = snapshot.history.copy()
        self._potential = snapshot.potential
        self._over = snapshot.over
        self.failure = snapshot.failure

    def state_hash(self) -> str:
        """Return a fingerprint of all that the episode has changed in the bank; see :meth:`grade`."""
        self._expect_task()
        return self._bank.state_hash()

    # -- inside ---------------------------------------------------------------------------------------------------

    def _expect_task(self) -> Task:
        if self._task is None:
            raise gym.error.ResetNeeded("there is no task yet: call reset() first")
        return self._task

    def _draw(self) -> Task:
        # Raw bits, because NumPy promises a stable stream only for them.
        bits = int(self.np_random.bit_generator.random_raw())
        if self._split is Split.GENERATED:
            return generate_task(self.scenario.name, bits % 2**32)
        tasks = split_tasks(self.scenario.name, self._split)
        return tasks[bits % len(tasks)]

    def _named(self, options: dict[str, Any]) -> Task:
        if set(options) != {"task_id"}:
            raise OptionError(f"options: expected only 'task_id', got {sorted(options)}")
        return find_task(self.scenario.name, str(options["task_id"]))

    def _opening(self) -> str:
        return self.task.request + "\n\n" + self.scenario.sop(self._sop, self.scenario.policy_of(self.task))

    def _account(self, error: ErrorInfo | None) -> str:
        if self.failure is not None:
            outcome = "was cut off by a fault of the system"
        else:
            outcome = "was accepted" if error is None else f"failed ({error.kind})"
        return f"Case {self._bank.case_id}. Step {len(self._history)} of {self._max_steps}. The last action {outcome}."

    def _info(self, error: ErrorInfo | None, terms: dict[str, float], score: float) -> Info:
        passed = self._grader.passed
        if self._over or self._diagnose:
            checkpoints = {name: name in passed for name in self._rubric.checkpoint_names}
        else:
            checkpoints = passed.copy()
        return {
            "task_id": self._rubric.task_id,
            "scenario": self.scenario.name,
            "step": len(self._history),
            "error": error,
            "checkpoints": checkpoints,
            "reward_terms": terms,
            "score": score,
            "success": self._grader.success,
            "invalid": self.failure is not None,
        }


def _one_of(option: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed or isinstance(value, bool):
        raise OptionError(f"{option}: expected one of {', '.join(map(str, allowed))}, got {value!r}")


@cache
def _longest(scenario: str) -> int:
    return max(len(task.standard.calls) for task in frozen_tasks(scenario).values())


_RUBRICS: dict[str, Rubric] = {}


def _rubric(task: Task, scenario: str) -> Rubric:
    """Return the rubric of a task; those of frozen tasks are kept."""
    rubric = _RUBRICS.get(task.id)
    if rubric is None:
        loaded = load_scenario(scenario)
        rubric = Rubric(task, loaded.graph, loaded.submit, loaded.tools)
        if task.split is not Split.GENERATED:
            _RUBRICS[task.id] = rubric
    return rubric


def _exchange(action: str, result: str, call_id: str) -> list[dict[str, Any]]:
    call = readable_call(action)
    if call is None:
        said: dict[str, Any] = {"role": "assistant", "content": action}
        return [said, {"role": "tool", "tool_call_id": call_id, "name": "", "content": result}] if result else [said]
    function = {"name": call.name, "arguments": call.arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": call.words, "tool_calls": calls},
        {"role": "tool", "tool_call_id": call_id, "name": call.name, "content": result},
    ]
