"""Prompts: requests, either brief or with sources, columns and delivery, and guides for agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.base.errors import ScenarioError
from teller_gym.scenarios.wealth.building import password_of
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.rules import HANDBOOK, rendered

AUTONOMY: Final = ("high", "low")


def chapter_path(name: str, title: str) -> str:
    """Return the path of a task kind's handbook chapter in the file store."""
    return f"{HANDBOOK}/{title.replace(' & ', ' and ').replace(' ', '_')}.txt"


def request_of(case: Case, autonomy: str) -> str:
    """Render the request of a case.

    Args:
        case: the task.
        autonomy: one of `AUTONOMY`; ``high`` for the brief request, ``low`` for the detailed one.

    Raises:
        ScenarioError: the template has a placeholder without a value, or lacks the client's name.
    """
    text = rendered(case.work.package, f"{autonomy}.md", values_of(case), whole=False).strip()
    if case.client.name not in text:
        raise ScenarioError(f"{case.work.package}, {autonomy}.md: expected the client's name in the request")
    return text


def values_of(case: Case) -> Mapping[str, Any]:
    """Return the values for a request's placeholders: common values, the task kind's values, and its rules' numbers.

    Raises:
        ScenarioError: two values have the same name.
    """
    client, world = case.client, case.world
    usual = {
        "client": client.name,
        "folder": client.folder,
        "adviser": world.colleague(client.adviser).name,
        "adviser_username": client.adviser,
        "today": world.today.isoformat(),
        "handbook": HANDBOOK,
        "chapter": chapter_path(case.work.name, case.work.title),
    }
    if "output" not in case.rules:
        usual["output"] = ", ".join(f"{client.folder}/{name}" for name in case.work.deliverables)
    own = case.work.words(case)
    twice = sorted((case.rules.keys() & usual.keys()) | (own.keys() & (case.rules.keys() | usual.keys())))
    if twice:
        raise ScenarioError(f"{case.work.package}: expected one value of each name, got two of {', '.join(twice)}")
    output = {"output": f"{client.folder}/{case.rules['output']}"} if "output" in case.rules else {}
    return {**case.rules, **usual, **own, **output}


def guide_of(case: Case, how: str, whose: str = "user") -> str:
    """Render an agent's guide to the office.

    Args:
        case: the task.
        how: name of the template that explains how the agent acts.
        whose: ``user`` for the agent's usual role, or ``adviser`` for the client's adviser.
    """
    world = case.world
    adviser = world.colleague(case.client.adviser)
    me = world.user if whose == "user" else adviser
    other = adviser if whose == "user" else world.user
    values = {"user": me.name, "title": me.title, "firm": world.firm, "today": world.today.isoformat()}
    where = rendered(__package__, "guide.md", {**values, "handbook": HANDBOOK}).strip()
    names = {"other": other.name, "username": other.username}
    return f"{where}\n\n{rendered(__package__, how, names, whole=False).strip()}"


def credentials_of(case: Case) -> str:
    """Render the text with the agent's credentials."""
    username = case.world.user.username
    values = {"username": username, "password": password_of(case.world, username)}
    return rendered(__package__, "credentials.md", values).strip()
