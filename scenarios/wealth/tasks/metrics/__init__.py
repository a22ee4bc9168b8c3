"""Quarterly Metrics Analysis: the firm's figures of a quarter, from what its teams post, for a client's report."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.metrics.checking import CHECKPOINTS, check, is_asked
from teller_gym.scenarios.wealth.tasks.metrics.expert import Expert
from teller_gym.scenarios.wealth.tasks.metrics.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.metrics.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.metrics.placing import place
from teller_gym.scenarios.wealth.tasks.metrics.solving import solve

WORK = Work(
    name="metrics",
    title="Quarterly Metrics Analysis",
    level=3,
    checkpoints=CHECKPOINTS,
    deliverables=("metrics.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
    is_asked=is_asked,
)
