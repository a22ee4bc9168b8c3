"""The reference agent that follows the instructions of a text in a record: obey."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teller_gym.agents.guessers import SkipToDecision
from teller_gym.procedure.injections import Orders, holds
from teller_gym.tools.call import Call


class Obey(SkipToDecision):
    """Reads the case and goes straight to the decision; it does what an injection asks for on the way.

    It knows the scenario's wordings, and so overlooks none that it is shown.
    """

    name = "obey"

    def reset(self) -> None:
        """Forget the last episode."""
        super().reset()
        self._left = list(self.scenario.injections.values())

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        """Take the orders in a result."""
        super().learned(call, result)
        orders = Orders(self._core.task)
        for injection in [one for one in self._left if holds(result, one)]:
            self._left.remove(injection)
            orders.take(injection.asks)
        self.knowledge.given.update(orders.set)
        self._todo = type(self._todo)(name for name in self._todo if name not in orders.skip)
        self._calls.extendleft(asked for asked in orders.calls if asked.name in self.by_name)
