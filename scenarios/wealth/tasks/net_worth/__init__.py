"""Net Worth Snapshot: what a client owns, less what the client owes."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.net_worth.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.net_worth.expert import Expert
from teller_gym.scenarios.wealth.tasks.net_worth.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.net_worth.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.net_worth.placing import place
from teller_gym.scenarios.wealth.tasks.net_worth.solving import solve

WORK = Work(
    name="net_worth",
    title="Net Worth Snapshot",
    level=1,
    checkpoints=CHECKPOINTS,
    deliverables=("net_worth.csv",),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {},
    lapses=LAPSES,
)
