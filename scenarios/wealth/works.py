"""All task kinds, and the cases and office of a seed."""

from __future__ import annotations

import importlib
from datetime import timedelta
from functools import cache, lru_cache
from typing import Final

from teller_gym.office.documents.csv_files import text_bytes
from teller_gym.office.store import Store, Tables
from teller_gym.scenarios.wealth.building import tables_of
from teller_gym.scenarios.wealth.contract import Case, Work
from teller_gym.scenarios.wealth.house.placing import place_house, place_orders
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.prompts import chapter_path
from teller_gym.scenarios.wealth.rules import chapter
from teller_gym.scenarios.wealth.world import World, draw_world, draws

NAMES: Final = (
    "net_worth", "asset_aggregation", "tax_summary", "trusts", "tax_threshold", "pension", "expense_categorisation",
    "capital_gains", "allocation", "emergency_fund", "meeting", "metrics",
)  # fmt: skip
"""Names of the task kinds, in the order of the paper."""

HELD_OUT_FROM: Final = 10**12
"""First seed of the offices that are never used for training."""

_OFFICES: Final = 512


@cache
def works() -> dict[str, Work]:
    """Load all task kinds, by name."""
    found = {}
    for name in NAMES:
        work: Work = importlib.import_module(f"{__package__}.tasks.{name}").WORK
        found[name] = work
    return found


@lru_cache(maxsize=_OFFICES)
def cases(seed: int) -> dict[str, Case]:
    """Draw the cases of a seed, by task kind."""
    world = draw_world(seed)
    first = draws(seed, "clients").integer(0, len(world.clients) - 1)
    found = {}
    for number, work in enumerate(works().values()):
        client = world.clients[(first + number) % len(world.clients)]
        facts = work.draw(world, client, draws(seed, work.name), work.rules)
        found[work.name] = Case(world, client, facts, work.solve(facts, work.rules), work)
    return found


def plan_of(seed: int, perturb: frozenset[str] = frozenset()) -> Plan:
    """Return the plan of a seed's office.

    ``perturb`` has names from `plan.PERTURBATIONS`.
    """
    found = cases(seed)
    plan = Plan(draw_world(seed), perturb)
    place_house(plan)
    for work in works().values():
        lines = text_bytes(chapter(work.package))
        plan.file(chapter_path(work.name, work.title), lines, plan.world.now - timedelta(days=60))
        plan.begin(work.name)
        work.place(plan, found[work.name])
    place_orders(plan, held_out=seed >= HELD_OUT_FROM)
    return plan


@lru_cache(maxsize=_OFFICES)
def base_of(seed: int, perturb: frozenset[str] = frozenset()) -> Tables:
    """Return the initial tables of a seed's office, which are shared and must not be changed."""
    return tables_of(plan_of(seed, perturb))


def open_office(seed: int, perturb: frozenset[str] = frozenset()) -> Store:
    """Return a new store for a seed's office at the beginning of its day."""
    world: World = cases(seed)[NAMES[0]].world
    return Store(base_of(seed, perturb), world.now, seed)
