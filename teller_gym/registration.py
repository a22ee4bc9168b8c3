"""The tables of scenarios and of environment ids, as strings: modules are imported only when they are used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class ScenarioEntry(NamedTuple):
    """One registered scenario."""

    name: str
    """Lower case words joined by underscores, from which ids such as ``Teller-CreditCards-v0`` are derived."""
    module: str
    """Module with a function ``load() -> Scenario``; its folder contains the documents and frozen files."""
    summary: str


OWN: tuple[ScenarioEntry, ...] = (
    ScenarioEntry(
        "loans",
        "teller_gym.scenarios.loans",
        "Home, auto and personal loan applications, from intake to the final review",
    ),
    ScenarioEntry("accounts", "teller_gym.scenarios.accounts", "Opening, holds, claims, stops, dormancy and closing"),
    ScenarioEntry(
        "credit_cards",
        "teller_gym.scenarios.credit_cards",
        "New cards, limit increases, disputes, lost cards and reviews of charges, from request to final review",
    ),
    ScenarioEntry(
        "savings", "teller_gym.scenarios.savings", "Time deposits, bonus interest, custodial accounts, coverage"
    ),
    ScenarioEntry(
        "investments",
        "teller_gym.scenarios.investments",
        "One instruction on a brokerage account, from the request to the final review",
    ),
)
"""The package's scenarios; adding one takes only an entry here."""

SCENARIOS: dict[str, ScenarioEntry] = {entry.name: entry for entry in OWN}
"""Every scenario by name, including those added by :func:`~teller_gym.procedure.scenario.register_scenario`."""


class EnvCard(NamedTuple):
    """One registered environment."""

    id: str
    entry_point: str
    kwargs: dict[str, str]
    summary: str


def execution_card(entry: ScenarioEntry) -> EnvCard:
    """Return the stage 2 environment of a scenario, such as ``Teller-CreditCards-v0`` for ``credit_cards``."""
    return EnvCard(
        f"Teller-{''.join(word.capitalize() for word in entry.name.split('_'))}-v0",
        "teller_gym.envs.teller:TellerEnv",
        {"scenario": entry.name},
        f"{entry.summary} (stage 2: execution).",
    )


EXECUTION = tuple(map(execution_card, OWN))
"""Stage 2: one environment per scenario."""


def graph_card(card: EnvCard) -> EnvCard:
    """Return the stage 1 environment of the same scenario as a stage 2 environment."""
    scenario = card.kwargs["scenario"].replace("_", " ")
    summary = f"The dependency graph of the {scenario} procedure, from signatures and words (stage 1: reconstruction)."
    return EnvCard(card.id.replace("-v", "Graph-v"), "teller_gym.envs.graph:GraphEnv", card.kwargs, summary)


BANK = EnvCard(
    "Teller-Bank-v0",
    "teller_gym.envs.bank:BankEnv",
    {},
    "Cases of all banking scenarios, mixed by weights; each episode has its own procedure and tools (stage 2).",
)

DAY = EnvCard(
    "Teller-Day-v0",
    "teller_gym.envs.day:DayEnv",
    {},
    "A working day: a queue of 4 to 12 cases of several desks, with priorities, due times and a clock (stage 2).",
)

OFFICES = {"wealth": "teller_gym.scenarios.wealth.offices"}
"""Scenarios of office work: the module of each, which defines it as ``OFFICE``."""

WEALTH = EnvCard(
    "Teller-Wealth-v0",
    "teller_gym.envs.office:OfficeEnv",
    {"office": OFFICES["wealth"]},
    "A wealth-management office with CRM, files, chat and issue tracker: twelve kinds of work, in two wordings.",
)

ENVS = (*EXECUTION, BANK, DAY, WEALTH, *map(graph_card, EXECUTION))


def fold_card(entry: ScenarioEntry) -> EnvCard:
    """Return the mixed environment without a scenario, such as ``Teller-BankWithoutLoans-v0``."""
    name = execution_card(entry).id.removeprefix("Teller-")
    summary = f"Banking scenarios without {entry.name.replace('_', ' ')}, to measure what carries over (stage 2)."
    return BANK._replace(id=f"Teller-BankWithout{name}", kwargs={"without": entry.name}, summary=summary)


FOLDS: tuple[EnvCard, ...] = tuple(map(fold_card, OWN)) if len(OWN) > 1 else ()
"""One environment per scenario, leaving that scenario out: :data:`BANK` with an option."""


def scenario_cards(entry: ScenarioEntry) -> tuple[EnvCard, EnvCard]:
    """Return the environments of a scenario: execution and graph reconstruction."""
    card = execution_card(entry)
    return card, graph_card(card)


def register_envs() -> None:
    """Register every id of the package with Gymnasium; safe to call again."""
    register_cards((*ENVS, *FOLDS))


def register_cards(cards: Iterable[EnvCard]) -> None:
    """Register environments with Gymnasium; safe to call again."""
    import gymnasium as gym

    for card in cards:
        if card.id not in gym.registry:
            gym.register(
                id=card.id,
                entry_point=card.entry_point,
                kwargs=dict(card.kwargs),
                # After a reset that an env refused, Gymnasium's checker raises a TypeError in the first step of the
                # next episode. `check_env` and the package's own checks are more thorough.
                disable_env_checker=True,
            )
