"""Pairs of cases of one customer on a working day, where closing the first case affects the second.

A scenario whose cases can follow those of another has a module ``days`` with ``LINKS``, one for each kind of pair:
``draw`` generates the second case, and ``effect`` returns the records that closing the first changes in its bank.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Draft
from teller_gym.procedure.task import Task
from teller_gym.registration import SCENARIOS
from teller_gym.tools.bank import Bank, Record

Records = dict[str, dict[str, Record]]
"""Records by table and key."""


class Link(NamedTuple):
    """Type of pair: a case of the scenario ``first``, followed by one of the scenario that declares the link."""

    name: str
    first: str
    draw: Callable[[Task, Draw, Any], Draft | None]
    """Function that returns the second case.

    It takes the first task, a random source, and the second case's policy. The second case has the same date and is in
    its state before the first case is closed. The result is None if the first task does not fit.
    """
    effect: Callable[[Task, Bank], Records]
    """Function that returns the records that closing the first case changes.

    It takes the first task and its bank when closed. The returned records are complete and replace those in the second
    case's bank.
    """


def links_of(scenario: str) -> tuple[Link, ...]:
    """Return the links declared by a scenario, or an empty tuple if it has no module ``days``."""
    module = f"{SCENARIOS[scenario].module}.days"
    if importlib.util.find_spec(module) is None:
        return ()
    links: tuple[Link, ...] = importlib.import_module(module).LINKS
    return links


def link_between(first: str, second: str, name: str = "") -> Link:
    """Return the first link between two scenarios, optionally with a given name; at least one must exist."""
    return next(link for link in links_of(second) if link.first == first and name in ("", link.name))


def further_request(
    first: Task, draw: Draw, prefix: str, text: str, joint: str = " and ", **fields: Any
) -> Draft | None:
    """Draft another request of the same customers on the same account.

    Args:
        text: template of the agent's request, with ``{case}``, ``{account}``, ``{people}`` (ids separated by ``joint``)
            and ``{today}``.
        fields: values that replace those of the first request.

    Returns:
        The draft, or None if the new id is taken.
    """
    requests = first.tables["requests"]
    case, case_id = requests[first.case_id], draw.identifier(prefix)
    if case_id in requests:
        return None
    others = [row["note"] for key, row in requests.items() if key != first.case_id]
    # The note of the first may contain an injection that fits only that case.
    record = {**case, "note": draw.choice(others) if others else case["note"], **fields}
    people = [owner for owner in first.owners if owner.startswith("CU-")]
    today = first.today.isoformat()
    account = case.get("account_id") or first.owners[-1]
    request = text.format(case=case_id, account=account, people=joint.join(people), today=today)
    tables = {**first.tables, "requests": dict(sorted({**requests, case_id: record}.items()))}
    owners = (case_id, *first.owners[1:])
    return Draft(today=first.today, request=request, case_id=case_id, owners=owners, tables=tables)


def joined(tables: Records, records: Records) -> Records:
    """Merge records into tables, replacing records with the same key."""
    return {**tables, **{table: {**tables.get(table, {}), **rows} for table, rows in records.items()}}
