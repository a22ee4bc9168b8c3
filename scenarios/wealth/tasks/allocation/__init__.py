"""Portfolio Asset Allocation: what a client holds at the last month end, by class of assets."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.allocation.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.allocation.drawing import draw_facts
from teller_gym.scenarios.wealth.tasks.allocation.expert import Expert
from teller_gym.scenarios.wealth.tasks.allocation.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.allocation.placing import place
from teller_gym.scenarios.wealth.tasks.allocation.solving import solve

WORK = Work(
    name="allocation",
    title="Portfolio Asset Allocation",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("allocation.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
