"""What is asked: a brief request, or one that names sources, places, columns and delivery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.base.errors import ScenarioError
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.rules import HANDBOOK, rendered

AUTONOMY: Final = ("high", "low")


def chapter_path(name: str, title: str) -> str:
    """Return where the chapter of a kind of work lies."""
    return f"{HANDBOOK}/{title.replace(' & ', ' and ').replace(' ', '_')}.txt"


def request_of(case: Case, autonomy: str) -> str:
    """Return what is asked.

    Args:
        case: the work.
        autonomy: one of `AUTONOMY`.

    Raises:
        ScenarioError: the text names a value that nobody gives.
    """
    text = rendered(case.work.package, f"{autonomy}.md", values_of(case), whole=False).strip()
    if case.client.name not in text:
        raise ScenarioError(f"{case.work.package}, {autonomy}.md: expected the client's name in the request")
    return text


def values_of(case: Case) -> Mapping[str, Any]:
    """Return the values that a request may name: those of every kind of work, its own, and its rules' numbers."""
    client, world = case.client, case.world
    return {
        **case.rules,
        "client": client.name,
        "folder": client.folder,
        "adviser": world.colleague(client.adviser).name,
        "adviser_username": client.adviser,
        "today": world.today.isoformat(),
        "handbook": HANDBOOK,
        "chapter": chapter_path(case.work.name, case.work.title),
        "output": ", ".join(f"{client.folder}/{name}" for name in case.work.deliverables),
        **case.work.words(case),
    }


def guide_of(case: Case, how: str) -> str:
    """Return what whoever works in the office is told: where they are, and by a file of that name how they act."""
    world = case.world
    values = {"user": world.user.name, "title": world.user.title, "firm": world.firm, "today": world.today.isoformat()}
    where = rendered(__package__, "guide.md", {**values, "handbook": HANDBOOK}).strip()
    return f"{where}\n\n{rendered(__package__, how, {}).strip()}"
