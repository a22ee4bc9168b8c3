"""Tax Threshold Calculation: the tax on an estate above a threshold, band by band."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.tax_threshold.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.tax_threshold.expert import Expert
from teller_gym.scenarios.wealth.tasks.tax_threshold.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.tax_threshold.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.tax_threshold.placing import place
from teller_gym.scenarios.wealth.tasks.tax_threshold.solving import solve

WORK = Work(
    name="tax_threshold",
    title="Tax Threshold Calculation",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("tax_due.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {"deceased": case.facts.decedent},
    lapses=LAPSES,
)
