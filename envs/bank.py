"""An env that mixes banking scenarios: each episode is a case of one of them, with that scenario's SOP and tools."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import as_text, did_you_mean, shown
from teller_gym.envs.teller import TellerEnv
from teller_gym.procedure.task import Task
from teller_gym.registration import OWN, SCENARIOS
from teller_gym.tasks.store import find_task

_OWN = tuple(entry.name for entry in OWN)


class BankEnv(TellerEnv):
    """Handle cases of several scenarios, drawn by weights; otherwise like :class:`TellerEnv`.

    The spaces are free text, so they fit every scenario; ``action_space.sample()`` draws calls of the first scenario's
    tools. A task id names its scenario: ``options={"task_id": "loans-0042"}``.

    Args:
        weights: relative frequency of each scenario, such as ``{"loans": 2, "savings": 1}``. If None, the package's
            own banking scenarios are equally frequent, and registered ones are left out.
        without: a scenario from which no episode is drawn, to train an agent that has not seen it. Its tasks can still
            be played by id, for evaluation.
        options: as for :class:`TellerEnv`, without ``scenario``.

    Raises:
        OptionError: a scenario is unknown, a weight is not a positive number, no scenario is left, or as for
            :class:`TellerEnv`.
    """

    def __init__(self, weights: Mapping[str, float] | None = None, without: str | None = None, **options: Any) -> None:
        every = _checked(dict.fromkeys(_OWN, 1.0) if weights is None else weights)
        self._weights, self._unseen = _left(every, without), () if without is None else (without,)
        super().__init__(next(iter(self._weights)), **options)

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names of the scenarios from which episodes are drawn."""
        return tuple(self._weights)

    @property
    def weights(self) -> dict[str, float]:
        """Relative frequency of each scenario."""
        return dict(self._weights)

    @property
    def unseen(self) -> tuple[str, ...]:
        """The scenario that is left out, as a tuple; empty if there is none."""
        return self._unseen

    def _drawn(self, scenario: str, bits: int, levels: tuple[float, float] | None = None) -> Task:
        point = random.Random(f"scenario/{bits}").random() * sum(self._weights.values())
        for name, weight in self._weights.items():
            point -= weight
            if point < 0:
                scenario = name
                break
        return super()._drawn(scenario, bits, levels)

    def _found(self, task_id: str) -> Task:
        known = (*self._weights, *self._unseen)
        scenario = next((name for name in known if task_id.startswith(f"{name}-")), None)
        if scenario is None:
            raise OptionError(f"task_id: expected an id of {', '.join(known)}, got {shown(task_id)}")
        return find_task(scenario, task_id)


def _checked(weights: Mapping[str, float]) -> dict[str, float]:
    if not isinstance(weights, Mapping) or not weights:
        raise OptionError(f"weights: expected a weight for each scenario, such as {{'loans': 1}}, got {shown(weights)}")
    for name, weight in weights.items():
        if not isinstance(name, str) or name not in SCENARIOS:
            hint = did_you_mean(as_text(name)[:80], SCENARIOS)
            raise OptionError(f"weights: expected scenarios of {', '.join(sorted(SCENARIOS))}, got {shown(name)}{hint}")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= sys.float_info.max:
            raise OptionError(f"weights.{name}: expected a number above 0, got {shown(weight)}")
    return {name: float(weights[name]) for name in sorted(weights)}


def _left(weights: dict[str, float], without: str | None) -> dict[str, float]:
    """Remove a scenario from the weights; raises ``OptionError`` if that is not possible."""
    if without is None:
        return weights
    if not isinstance(without, str) or without not in weights:
        hint = did_you_mean(as_text(without)[:80], weights)
        raise OptionError(f"without: expected one of {', '.join(weights)}, got {shown(without)}{hint}")
    if len(weights) == 1:
        raise OptionError(f"without: expected another scenario beside {without}; name several by weights")
    return {name: weight for name, weight in weights.items() if name != without}
