"""The office environment, as Gymnasium sees it; an :class:`OfficeEpisode` does the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import one_of, shown
from teller_gym.envs.base import EpisodeEnv
from teller_gym.envs.episode.office import GIVEN, OfficeEpisode, OfficeSettings
from teller_gym.envs.options import only_task_id, read_bool, read_max_steps, read_reward, refuse_unknown, shows_progress
from teller_gym.grading.score import RewardConfig
from teller_gym.office.desk.tools import TOOLS, WITH_SIGN_IN
from teller_gym.office_tasks.contract import OfficeScenario, load_office
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.procedure.task import Split
from teller_gym.tools.tool import ToolSet

SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.GENERATED, Split.HELDOUT_WORLDS)
AUTONOMY = ("high", "low")
AUTH = (GIVEN, "must_login", "expired")
_SHAPED = RewardConfig(checkpoints=0.6, parameters=0.0, outcome=0.4)
_ALL = "all"
_LARGEST = 10**9


class OfficeEnv(EpisodeEnv[OfficeEpisode]):
    """A piece of work in an office with four services: CRM, files, chat and issue tracker.

    ## Action space
    Text, as in :class:`~teller_gym.envs.teller.TellerEnv`: one JSON tool call. The tools of the desk are always in
    play. Text without a call ends the work.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the request and a guide to the office; later: a short account) and
    ``tool_result`` (JSON of the last call; empty at reset). The rules of the work are in the office's handbook.

    ## Reward
    ``shaped``: the change of the score at every step; ``sparse``: 1 at the end if the work is right. The score is 0.6
    times the share of the checkpoints that are passed, plus 0.4 if all are and nothing else was touched, less a share
    for failed calls. Verdicts depend only on the office's state.

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
        office: module of the scenario.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: an unknown option or value; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    example = "wealth-net_worth-high"
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
        office: str = "",
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(type(self), unknown)
        self._office: OfficeScenario = load_office(office)
        one_of("split", split, SPLITS)
        one_of("autonomy", autonomy, (None, *AUTONOMY))
        one_of("tolerance", tolerance, ("cent", "percent"))
        one_of("auth", auth, AUTH)
        self._split = Split(str(split))
        self._autonomy = autonomy
        settings = OfficeSettings(
            reward=_reward(reward),
            max_steps=read_max_steps(max_steps) or self._office.max_steps,
            progress=shows_progress(state_view),
            diagnose=read_bool("diagnose", diagnose),
            perturb=_perturb(perturb, self._office.perturbations),
            faults=read_bool("faults", faults),
            auth=auth,
            mirror=read_bool("mirror", mirror),
            loose=tolerance == "percent",
        )
        self._set_up(settings, render_mode)

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
        """Names by which evaluation finds the tasks."""
        return (self._office.name,)

    @property
    def autonomy(self) -> str | None:
        """Wording of the tasks that it draws; None for both."""
        return self._autonomy

    @property
    def tools(self) -> ToolSet:
        """The desk's tools."""
        return TOOLS if self._settings.auth == GIVEN else WITH_SIGN_IN

    @property
    def max_steps(self) -> int:
        """Steps that an episode may take."""
        return self._settings.max_steps

    def named(self, options: dict[str, Any]) -> OfficeEpisode:
        """Return a new episode of a frozen task, or of a generated one (``wealth-g-<seed>``)."""
        return OfficeEpisode(self._office, self._office.find(only_task_id(options)), self._settings)

    def drawn(self, bits: int) -> OfficeEpisode:
        """Return a new episode of a task of the split, in the wording that the env plays."""
        return OfficeEpisode(self._office, self._drawn(bits), self._settings)

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
    found = read_reward(given, _SHAPED)
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
