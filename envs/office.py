"""The office environment, as Gymnasium sees it; an :class:`OfficeEpisode` does the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import one_of, shown
from teller_gym.envs.base import CallEnv, expect_diagnose, expect_max_steps
from teller_gym.envs.office_episode import GIVEN, OfficeEpisode, OfficeSettings
from teller_gym.envs.options import refuse_unknown
from teller_gym.envs.resetting import expect_options, only_task_id
from teller_gym.grading.score import RewardConfig
from teller_gym.office.chat.voice import Voice
from teller_gym.office.desk.tools import TOOLS, WITH_SIGN_IN
from teller_gym.office_tasks.contract import OfficeScenario, load_office
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.procedure.task import Split
from teller_gym.tools.tool import ToolSet

SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.GENERATED, Split.HELDOUT_WORLDS)
AUTONOMY = ("high", "low")
AUTH = (GIVEN, "must_login", "expired")
STATE_VIEWS = ("progress", "none")
_SHAPED = RewardConfig(checkpoints=0.6, parameters=0.0, outcome=0.4)
REWARDS = {"shaped": _SHAPED, "sparse": msgspec.structs.replace(_SHAPED, shaped=False)}
_ALL = "all"
_LARGEST = 10**9


class OfficeEnv(CallEnv[OfficeEpisode]):
    """A piece of work in an office with four services: CRM, files, chat and issue tracker.

    ## Action space
    Text, as in :class:`~teller_gym.envs.teller.TellerEnv`: one JSON tool call. The tools of the desk are always in
    play. Text without a call ends the work.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the request and a guide to the office; later: a short account) and
    ``tool_result`` (JSON of the last call; empty at reset). What the work is done by stands in the office's handbook.

    ## Reward
    ``shaped``: the change of the score at every step; ``sparse``: 1 at the end if the work is right. The score is 0.6
    times the share of the checkpoints that are passed, plus 0.4 if all are and nothing else was touched, less a share
    for failed calls. Verdicts look at the office's state alone.

    ## Starting state
    An office of the split with a task, drawn from the env's generator, or the one named by ``options={"task_id": …}``.

    ## Episode end
    Terminated when a final response is given; truncated when the step budget is spent.

    ## Information
    As in :class:`~teller_gym.envs.teller.TellerEnv`; of the terms of the reward ``parameters`` is always 0.

    ## Arguments
    Args:
        split: what ``reset`` draws from: train, validation, heldout (the frozen tasks), generated or heldout_worlds.
        autonomy: wording of the tasks that are drawn: ``high`` (brief), ``low`` (names sources and delivery), or both
            if None. A task that is named has its own.
        reward: ``shaped``, ``sparse``, a ``RewardConfig``, or a mapping of its fields.
        max_steps: step budget; 60 if None.
        state_view: ``progress`` or ``none``: what ``state`` says after reset.
        perturb: names of perturbations of the office, or "all"; see `teller_gym.scenarios.wealth.plan`.
        faults: whether each service fails once for the moment.
        auth: ``given``; ``must_login``, if the agent signs in to each service with its tool ``sign_in``; ``expired``,
            if it finds out that its sessions have ended. The guide has the password, and the first refusal of each
            service costs nothing.
        mirror: whether files can be read without signing in, as from a copy.
        tolerance: ``cent``, or ``percent`` as in the paper.
        diagnose: whether ``checkpoints`` lists all of them at every step.
        voice: puts what colleagues answer into words, such as a model; plain texts if None. The facts in them stay.
        office: module of the scenario.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: an unknown option or value; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    _settings: OfficeSettings

    def __init__(
        self,
        split: str = "train",
        autonomy: str | None = None,
        reward: str | RewardConfig | Mapping[str, Any] = "shaped",
        max_steps: int | None = None,
        state_view: str = "progress",
        perturb: str | Sequence[str] = (),
        faults: bool = False,
        auth: str = GIVEN,
        mirror: bool = False,
        tolerance: str = "cent",
        diagnose: bool = False,
        voice: Voice | None = None,
        office: str = "",
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(type(self), unknown)
        self._set_up(render_mode)
        self._office: OfficeScenario = load_office(office)
        one_of("split", split, SPLITS)
        one_of("autonomy", autonomy, (None, *AUTONOMY))
        one_of("state_view", state_view, STATE_VIEWS)
        one_of("tolerance", tolerance, ("cent", "percent"))
        expect_diagnose(diagnose)
        expect_max_steps(max_steps)
        one_of("auth", auth, AUTH)
        for name, value in (("faults", faults), ("mirror", mirror)):
            if not isinstance(value, bool):
                raise OptionError(f"{name}: expected True or False, got {shown(value)}")
        self._split = Split(str(split))
        self._autonomy = autonomy
        self._settings = OfficeSettings(
            reward=_reward(reward),
            max_steps=max_steps or self._office.max_steps,
            perturb=_perturb(perturb, self._office.perturbations),
            faults=faults,
            auth=auth,
            mirror=mirror,
            loose=tolerance == "percent",
            progress=state_view == "progress",
            diagnose=diagnose,
            voice=voice,
        )
        self._take_tools()

    @property
    def office(self) -> OfficeScenario:
        """The scenario."""
        return self._office

    @property
    def scenario(self) -> OfficeScenario:
        """The scenario; it has a name, and none of the members of a bank's."""
        return self._office

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Where evaluation looks for tasks."""
        return (self._office.name,)

    @property
    def autonomy(self) -> str | None:
        """Wording of the tasks that it draws; None for both."""
        return self._autonomy

    @property
    def task(self) -> OfficeTask:
        """The task; raises ``ResetNeeded`` before the first reset."""
        return self.episode.task

    @property
    def tools(self) -> ToolSet:
        """The desk's tools."""
        return TOOLS if self._settings.auth == GIVEN else WITH_SIGN_IN

    @property
    def distractors(self) -> int:
        """An office has no tools but its own."""
        return 0

    @property
    def reward_config(self) -> RewardConfig:
        """Weights of the score."""
        return self._settings.reward

    @property
    def max_steps(self) -> int:
        """Steps that an episode may take."""
        return self._settings.max_steps

    def begin(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> OfficeEpisode:
        """Start a piece of work as :meth:`reset` does, and return its episode.

        Args:
            seed: seeds the env's generator, which draws the task.
            options: ``{"task_id": …}`` names a frozen task, or a generated one (``wealth-g-<seed>``).

        Raises:
            OptionError: an unknown option or id.
        """
        expect_options(options, "{'task_id': 'wealth-net_worth-high'}")
        self._seed(seed)
        if options:
            task = self._office.find(only_task_id(options))
        else:
            task = self._drawn(int(self.np_random.bit_generator.random_raw()))
        self._episode = OfficeEpisode(self._office, task, self._settings)
        return self._episode

    def _drawn(self, bits: int) -> OfficeTask:
        if self._split is Split.GENERATED:
            first = len(self._office.ids(Split.TRAIN))
            number, task = first + bits % (_LARGEST - first), None
            while task is None or self._autonomy not in (None, task.autonomy):
                task = self._office.generated(number)
                number = first + (number + 1 - first) % (_LARGEST - first)
            return task
        ids = self._office.ids(self._split)
        if self._autonomy is not None:
            # One in two or so has it.
            start = bits % len(ids)
            for task_id in (*ids[start:], *ids[:start]):
                task = self._office.find(task_id)
                if task.autonomy == self._autonomy:
                    return task
        return self._office.find(ids[bits % len(ids)])


def _reward(given: object) -> RewardConfig:
    if isinstance(given, RewardConfig):
        found = given
    elif isinstance(given, Mapping):
        unknown = sorted(given.keys() - set(RewardConfig.__struct_fields__), key=shown)
        if unknown:
            allowed = ", ".join(RewardConfig.__struct_fields__)
            raise OptionError(f"reward: expected fields of {allowed}, got {', '.join(map(shown, unknown))}")
        found = msgspec.structs.replace(_SHAPED, **given)
    else:
        one_of("reward", given, REWARDS)
        found = REWARDS[str(given)]
    if found.parameters:
        raise OptionError(f"reward.parameters: office work is judged by its result, expected 0, got {found.parameters}")
    return found


def _perturb(given: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    if given == _ALL:
        return allowed
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise OptionError(f"perturb: expected a list of {', '.join(allowed)}, or {_ALL!r}, got {shown(given)}")
    for name in given:
        one_of("perturb", name, allowed)
    return tuple(name for name in allowed if name in given)
