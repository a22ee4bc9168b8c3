"""Capital Gains Computation: what sales of securities have brought in a tax year, purchase by purchase."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.capital_gains.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.capital_gains.expert import Expert
from teller_gym.scenarios.wealth.tasks.capital_gains.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.capital_gains.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.capital_gains.placing import place
from teller_gym.scenarios.wealth.tasks.capital_gains.solving import solve

WORK = Work(
    name="capital_gains",
    title="Capital Gains Computation",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("gains.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
