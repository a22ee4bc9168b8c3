"""Emergency Fund: whether a client can live on savings for a while, reported to the adviser."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.emergency_fund.checking import CHECKPOINTS, check, secrets
from teller_gym.scenarios.wealth.tasks.emergency_fund.expert import Expert
from teller_gym.scenarios.wealth.tasks.emergency_fund.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.emergency_fund.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.emergency_fund.placing import place
from teller_gym.scenarios.wealth.tasks.emergency_fund.solving import solve

WORK = Work(
    name="emergency_fund",
    title="Emergency Fund",
    level=3,
    checkpoints=CHECKPOINTS,
    deliverables=(),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
    told_to=lambda case: case.client.adviser,
    secrets=secrets,
)
