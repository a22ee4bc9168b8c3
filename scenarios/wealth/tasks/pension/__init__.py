"""Pension Projection: what a client's pension plans are likely to hold at retirement, year by year."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.pension.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.pension.expert import Expert
from teller_gym.scenarios.wealth.tasks.pension.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.pension.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.pension.placing import place
from teller_gym.scenarios.wealth.tasks.pension.solving import solve

WORK = Work(
    name="pension",
    title="Pension Projection",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("projection.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
