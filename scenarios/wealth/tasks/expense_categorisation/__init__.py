"""Expense Categorisation: what a client's household spends in a quarter, by category."""

from __future__ import annotations

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Work
from teller_gym.scenarios.wealth.tasks.expense_categorisation.checking import CHECKPOINTS, check
from teller_gym.scenarios.wealth.tasks.expense_categorisation.expert import Expert
from teller_gym.scenarios.wealth.tasks.expense_categorisation.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.expense_categorisation.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.expense_categorisation.placing import place
from teller_gym.scenarios.wealth.tasks.expense_categorisation.solving import solve

WORK = Work(
    name="expense_categorisation",
    title="Expense Categorisation",
    level=2,
    checkpoints=CHECKPOINTS,
    deliverables=("categorised.csv", "summary.csv"),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=lambda case: {"quarter": case.facts.period, "first_day": case.facts.start, "last_day": case.facts.end},
    lapses=LAPSES,
)
