"""Trusts & Beneficiaries: where the CRM's shares of a trust differ from those of its deed."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.trusts.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.trusts.expert import Expert
from teller_gym.scenarios.wealth.tasks.trusts.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.trusts.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.trusts.placing import place
from teller_gym.scenarios.wealth.tasks.trusts.solving import solve

WORK = Work(
    name="trusts",
    title="Trusts & Beneficiaries",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("discrepancies.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
