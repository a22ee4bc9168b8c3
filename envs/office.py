"""The Gymnasium environment of office work; :class:`OfficeEpisode` implements the episode."""

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
    """Complete one task in an office with four services: CRM, files, chat and issue tracker.

    ## Action space
    Text, as in :class:`~teller_gym.envs.teller.TellerEnv`: one JSON tool call. The tools of the desk are always
    available. Text without a call ends the work.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the request and a guide to the office; later: the progress) and
    ``tool_result`` (JSON result of the last call; empty at reset). The rules of the work are in the office's handbook.

    ## Reward
    ``shaped``: the change of the score at every step; ``sparse``: 1 at the end if the work is right. The score is 0.6
    times the share of passed checkpoints, plus 0.4 if all are passed and nothing else was changed, minus a penalty for
    failed calls. Verdicts depend only on the office's state.

    ## Starting state
    An office with a task of the split, drawn from the env's generator or selected by ``options={"task_id": …}``.

    ## Episode end
    Terminated when a final response is given; truncated when the step budget is spent.

    ## Information
    As in :class:`~teller_gym.envs.teller.TellerEnv`; the reward term ``parameters`` is always 0.

    ## Arguments
    Args:
        split: split that ``reset`` draws from: train, validation, heldout (the frozen tasks), generated or
            heldout_worlds.
        autonomy: wording of the drawn tasks: ``high`` (brief), ``low`` (names sources and delivery), or both if None.
            A task that is selected by id keeps its own wording.
        reward: ``shaped``, ``sparse``, a ``RewardConfig``, or a mapping of its fields.
        max_steps: step budget; 60 if None.
        state_view: content of ``state`` after reset: ``progress`` or ``none``.
        perturb: names of perturbations of the office, or "all"; see `teller_gym.scenarios.wealth.plan`.
        faults: True to let each service fail temporarily once.
        auth: ``given``; ``must_login`` if the agent must sign in to each service with the tool ``sign_in``; ``expired``
            if it first learns that its sessions have expired. The guide contains the password, and the first refusal
            of each service has no penalty.
        mirror: True to allow reading files without signing in.
        tolerance: tolerance of amounts: ``cent``, or ``percent`` as in the paper.
        diagnose: True to list all ``checkpoints`` at every step.
        office: module of the scenario.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: an option or value is unknown; the message names what is allowed.

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
        """The scenario of office work."""
        return self._office

    @property
    def scenario(self) -> OfficeScenario:
        """The same scenario as ``office``; unlike a banking scenario, it has no graph, SOP or policy."""
        return self._office

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names by which evaluation finds the tasks."""
        return (self._office.name,)

    @property
    def autonomy(self) -> str | None:
        """Wording of the drawn tasks; None for both wordings."""
        return self._autonomy

    @property
    def tools(self) -> ToolSet:
        """The desk's tools, with ``sign_in`` if the agent must sign in."""
        return TOOLS if self._settings.auth == GIVEN else WITH_SIGN_IN

    @property
    def max_steps(self) -> int:
        """Maximum number of steps of an episode."""
        return self._settings.max_steps

    def named(self, options: dict[str, Any]) -> OfficeEpisode:
        """Start an episode of a frozen task or a generated one (``wealth-g-<seed>``)."""
        return OfficeEpisode(self._office, self._office.find(only_task_id(options)), self._settings)

    def drawn(self, bits: int) -> OfficeEpisode:
        """Start an episode of a task of the split, in the env's wording."""
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
            # About every second task has this wording.
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
