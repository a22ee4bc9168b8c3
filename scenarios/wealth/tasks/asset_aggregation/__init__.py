"""Asset Aggregation: every account of a client once, from statements of a bank, a custodian and a pension provider."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.asset_aggregation.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.asset_aggregation.expert import Expert
from teller_gym.scenarios.wealth.tasks.asset_aggregation.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.asset_aggregation.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.asset_aggregation.placing import place
from teller_gym.scenarios.wealth.tasks.asset_aggregation.solving import solve

WORK = Work(
    name="asset_aggregation",
    title="Asset Aggregation",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("aggregated_assets.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
