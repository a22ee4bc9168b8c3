"""Requests in words: a brief one, or one that names sources, places, columns and delivery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.base.errors import ScenarioError
from teller_gym.scenarios.wealth.building import password_of
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.rules import HANDBOOK, rendered

AUTONOMY: Final = ("high", "low")


def chapter_path(name: str, title: str) -> str:
    """Return the path of the chapter of a kind of work."""
    return f"{HANDBOOK}/{title.replace(' & ', ' and ').replace(' ', '_')}.txt"


def request_of(case: Case, autonomy: str) -> str:
    """Return the request, brief or long by ``autonomy``, which is one of `AUTONOMY`.

    Raises:
        ScenarioError: the text names a value that nobody gives.
    """
    text = rendered(case.work.package, f"{autonomy}.md", values_of(case), whole=False).strip()
    if case.client.name not in text:
        raise ScenarioError(f"{case.work.package}, {autonomy}.md: expected the client's name in the request")
    return text


def values_of(case: Case) -> Mapping[str, Any]:
    """Return the values that a request may name: those of every kind of work, its own, and its rules' numbers.

    Raises:
        ScenarioError: two of them have the same name.
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
    """Return the guide of an agent in the office.

    Args:
        how: the file that describes how the agent acts.
        whose: user of the guide: the ``user``, or the client's ``adviser``.
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
    """Return the text with the user's credentials."""
    username = case.world.user.username
    values = {"username": username, "password": password_of(case.world, username)}
    return rendered(__package__, "credentials.md", values).strip()
