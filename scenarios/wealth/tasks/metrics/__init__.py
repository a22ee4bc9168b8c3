"""Quarterly Metrics Analysis: the firm's quarterly figures, compiled from chat messages for a client's report."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of
from teller_gym.scenarios.wealth.tasks.metrics.checking import is_asked

WORK = work_of(__name__, "Quarterly Metrics Analysis", 3, ("metrics.csv",), is_asked=is_asked)
