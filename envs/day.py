"""The Gymnasium environment of working days; :class:`DayEpisode` implements the episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import one_of, shown
from teller_gym.days.day import FEWEST, MOST, Day
from teller_gym.days.desk import QUEUE_TOOLS
from teller_gym.days.score import DayReward
from teller_gym.days.store import find_day, generate_day, split_days
from teller_gym.envs.base import EpisodeEnv
from teller_gym.envs.episode.day import DayEpisode, DaySettings
from teller_gym.envs.options import only_task_id, read_bool, read_fields, read_max_steps, refuse_unknown, shows_progress
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import RENDERINGS
from teller_gym.procedure.task import Split
from teller_gym.registration import OWN, SCENARIOS
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.pool import parse_count

SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.GENERATED)
REWARDS = {"shaped": DayReward(), "sparse": DayReward(shaped=False)}
_MOST_STEPS = (24 * 60 - 9 * 60) // 2


class DayEnv(EpisodeEnv[DayEpisode]):
    """Process the queue of one day: 4 to 12 cases of several desks, by priorities and due times, against the clock.

    ## Action space
    Text, as in :class:`~teller_gym.envs.teller.TellerEnv`: one JSON tool call. The tools of the queue (``list_queue``,
    ``open_case``, ``wait_until_next``) are always available, and the tools of a desk while one of its cases is open.
    Text without a call ends the day.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the request and the queue's SOP; later: the clock and the open case) and
    ``tool_result`` (JSON result of the last call; empty at reset). ``open_case`` returns the SOP of a desk with the
    desk's first case.

    ## Reward
    ``shaped``: the change of the score at every step; ``sparse``: 1 at the end if every case is right, was opened in
    turn and was closed on time. The score is the mean over the cases of ``work`` times the case's own score, plus
    ``in_turn`` if the case was opened when it was its turn, plus ``on_time`` if it was closed correctly by its due
    time; see :class:`~teller_gym.days.score.DayReward`.

    ## Starting state
    The opening of a day of the split, drawn from the env's generator or selected by ``options={"task_id": …}``.

    ## Episode end
    Terminated when every case is closed, or a final response is given; truncated at closing time.

    ## Information
    As in :class:`~teller_gym.envs.teller.TellerEnv`; the name of a checkpoint ends with the reference of its case, such
    as ``field:decision@Q-102``, and ``reward_terms`` are means over the cases, including ``in_turn`` and ``on_time``.

    ## Arguments
    Args:
        split: split that ``reset`` draws from: train, validation, heldout or generated.
        cases: difficulty of a day: a number of cases from 4 to 12 or a range ``(low, high)``; all if None.
        sop: rendering of the desks' SOPs, ``abstract`` or ``explicit``.
        distractors: number of additional tools in every case that belong to no desk; 0 to 243, or "all".
        reward: ``shaped``, ``sparse``, a ``DayReward``, or a mapping of its fields.
        max_steps: step budget in addition to the clock.
        state_view: content of ``state`` after reset: ``progress`` or ``none``.
        diagnose: True to list all ``checkpoints`` at every step.
        scenarios: scenarios from which generated days take their cases; the package's own if None.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: an option or value is unknown; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    example = "day-0007"
    _settings: DaySettings

    def __init__(
        self,
        split: str = "train",
        cases: int | Sequence[int] | None = None,
        sop: str = "abstract",
        distractors: int | str = 0,
        reward: str | DayReward | Mapping[str, Any] = "shaped",
        max_steps: int | None = None,
        state_view: str = "progress",
        diagnose: bool = False,
        scenarios: Sequence[str] | None = None,
        render_mode: str | None = None,
        **others: Any,
    ) -> None:
        _refuse(others)
        refuse_unknown(type(self), (name for name in others if name not in _NOT_HERE))
        one_of("split", split, SPLITS)
        one_of("sop", sop, RENDERINGS)
        self._split = Split(str(split))
        self._low, self._high = _sizes(cases)
        self._scenarios = _scenarios(scenarios)
        settings = DaySettings(
            reward=_reward(reward),
            max_steps=read_max_steps(max_steps),
            sop=sop,
            distractors=parse_count(distractors),
            progress=shows_progress(state_view),
            diagnose=read_bool("diagnose", diagnose),
        )
        self._set_up(settings, render_mode)

    @property
    def scenario(self) -> Scenario:
        """The scenario of the open case; before the first reset, the first scenario of generated days."""
        return load_scenario(self._scenarios[0]) if self._episode is None else self._episode.scenario

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names by which evaluation finds the tasks."""
        return ("day",)

    @property
    def desks(self) -> tuple[str, ...]:
        """The scenarios from which generated days take their cases."""
        return self._scenarios

    @property
    def sizes(self) -> tuple[int, int]:
        """Smallest and largest number of cases of the days that ``reset`` draws."""
        return self._low, self._high

    @property
    def tools(self) -> ToolSet:
        """The available tools: the queue's, and those of the open case's desk."""
        return QUEUE_TOOLS if self._episode is None else self._episode.tools

    @property
    def max_steps(self) -> int:
        """Maximum number of steps; by default, as many as fit between opening and closing time."""
        if self._settings.max_steps is not None:
            return self._settings.max_steps
        return _MOST_STEPS if self._episode is None else self._episode.max_steps

    def named(self, options: dict[str, Any]) -> DayEpisode:
        """Start an episode of a frozen day (``day-0007``) or a generated one (``day-g-<seed>``)."""
        return DayEpisode(find_day(only_task_id(options), self._scenarios), self._settings)

    def drawn(self, bits: int) -> DayEpisode:
        """Start an episode of a day of the split, with a number of cases in the env's range."""
        return DayEpisode(self._drawn(bits), self._settings)

    def _drawn(self, bits: int) -> Day:
        if self._split is Split.GENERATED:
            sizes = MOST - FEWEST + 1
            size = self._low + bits % (self._high - self._low + 1)
            # The seed determines the number of cases; see `size_of`.
            seed = (bits // sizes) % 2**32 // sizes * sizes + size - FEWEST
            return generate_day(seed, self._scenarios)
        days = [entry.id for entry in split_days(self._split) if self._low <= entry.cases <= self._high]
        if not days:
            raise OptionError(f"cases: the split {self._split} has no day of {self._low} to {self._high} cases")
        return find_day(days[bits % len(days)], self._scenarios)


_NOT_HERE = ("policy_shift", "schema_shift", "perturb", "faults", "difficulty")


def _refuse(others: Mapping[str, Any]) -> None:
    for name, value in others.items():
        if name in _NOT_HERE and value is not None and value is not False:
            hint = "say cases=(low, high)" if name == "difficulty" else "days are drawn under the desks' own policies"
            raise OptionError(f"{name}: a working day has no such variation; {hint}")


def _sizes(cases: object) -> tuple[int, int]:
    if cases is None:
        return FEWEST, MOST
    pair = (cases, cases) if type(cases) is int else cases
    if (
        not isinstance(pair, list | tuple)
        or len(pair) != 2
        or not all(type(each) is int for each in pair)
        or not FEWEST <= pair[0] <= pair[1] <= MOST
    ):
        raise OptionError(f"cases: expected a number of {FEWEST} to {MOST} or a pair (low, high), got {shown(cases)}")
    return pair[0], pair[1]


def _scenarios(names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return tuple(entry.name for entry in OWN)
    if not isinstance(names, list | tuple) or not names:
        raise OptionError(f"scenarios: expected names of scenarios, got {shown(names)}")
    for name in names:
        one_of("scenarios", name, SCENARIOS)
    if len(set(names)) != len(names):
        raise OptionError(f"scenarios: expected each scenario once, got {shown(names)}")
    return tuple(names)


def _reward(given: object) -> DayReward:
    if isinstance(given, DayReward):
        return given
    if isinstance(given, RewardConfig):
        return DayReward(case=given, shaped=given.shaped)
    if isinstance(given, Mapping):
        read_fields(given, DayReward)
        case = given.get("case", RewardConfig())
        return DayReward(**{**given, "case": RewardConfig(**case) if isinstance(case, Mapping) else case})
    one_of("reward", given, REWARDS)
    return REWARDS[str(given)]
