"""Difficulty range of a run's training and evaluation tasks."""

from __future__ import annotations

from dataclasses import dataclass

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.evaluation.runs.parts import level_of, outcome_field
from teller_gym.evaluation.runs.tasks import Wanted, choose, choose_work, stratified
from teller_gym.office_tasks.contract import load_office
from teller_gym.procedure.task import Split
from teller_gym.registration import OFFICES
from teller_gym.tasks.difficulty import check_range, generated_in_range
from teller_gym.tasks.store import parse_split
from teller_gym.training.tasks.seeds import generated_id


@dataclass(frozen=True)
class Band:
    """Range of difficulty levels.

    Levels are those of `teller_gym.tasks.difficulty` for a task without distractors.

    Attributes:
        low, high: minimum and maximum level, in [0, 1].
    """

    low: float = 0.0
    high: float = 1.0

    @classmethod
    def parse(cls, value: list[float] | None) -> Band:
        """Return the band for a configuration value; None means all tasks.

        Raises:
            OptionError: the value is not a pair of levels.
        """
        if value is None:
            return cls()
        if len(value) != 2:
            raise OptionError(f"difficulty: expected null or a pair of levels [low, high], got {value}")
        check_range(*value)
        return cls(*value)

    @property
    def whole(self) -> bool:
        """True if no task is left out."""
        return (self.low, self.high) == (0.0, 1.0)

    def __str__(self) -> str:
        """Return a phrase to follow a number of tasks, or an empty string for the whole range."""
        return "" if self.whole else f" with difficulty {self.low:g} to {self.high:g}"

    def generated(self, scenario: str, seed: int) -> str:
        """Return the id of a generated task in the band.

        Different seeds below 2^44 give different tasks.
        """
        return (
            generated_id(scenario, seed) if self.whole else generated_in_range(scenario, seed, self.low, self.high).id
        )

    def evaluated(self, scenario: str, split: str, count: int | None) -> list[str]:
        """Return the ids of a frozen split's tasks in the band.

        They are all of them, or ``count`` tasks spread over outcomes and branches.

        Raises:
            OptionError: the split is not frozen, or has too few such tasks.
        """
        if parse_split(split) is Split.GENERATED:
            raise OptionError(
                "evaluation.split: with difficulty, expected a frozen split such as heldout, got generated"
            )
        if scenario in OFFICES:
            return self._work(scenario, split, count)
        loaded = teller_gym.load_scenario(scenario)
        level = level_of(loaded, 0)
        found = choose(scenario, split, Wanted(), outcome=outcome_field(loaded), level=level)
        inside = [one for one in found if one.difficulty is not None and self.low <= one.difficulty <= self.high]
        if len(inside) < (count or 1):
            raise OptionError(
                f"evaluation.n: split {split} of {scenario} has {len(inside)} tasks{self}; got {count or 'all'}"
            )
        return [one.id for one in (inside if count is None else stratified(inside, count))]

    def _work(self, scenario: str, split: str, count: int | None) -> list[str]:
        """Return the ids of office tasks, whose difficulty is not measured."""
        if not self.whole:
            raise OptionError(f"difficulty: expected null, since the difficulty of {scenario} is not measured")
        found = choose_work(load_office(OFFICES[scenario]), str(split), Wanted(n=count))
        return [one.id for one in found]
