"""Year-End Tax Summary: the taxable income of a client in one calendar year, by component."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.tax_summary.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.tax_summary.expert import Expert
from teller_gym.scenarios.wealth.tasks.tax_summary.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.tax_summary.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.tax_summary.placing import place
from teller_gym.scenarios.wealth.tasks.tax_summary.solving import solve

WORK = Work(
    name="tax_summary",
    title="Year-End Tax Summary",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("tax_summary.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
