"""Pairs of cases of one customer on a working day, and the effect of closing the first on the second.

A scenario whose cases can follow those of another has a module ``days`` with ``LINKS``, one for each kind of pair. The
draw makes a case of a customer of the first; the effect gives the records of its bank that closing the first writes.
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
    """A kind of pair: a case of the scenario that declares it, worked after one of the scenario ``first``."""

    name: str
    first: str
    draw: Callable[[Task, Draw, Any], Draft | None]
    """Takes the first task, a source of draws, and the policy of the second case; returns the second case as it is
    before the first is closed, on the same date; None if the first task does not fit."""
    effect: Callable[[Task, Bank], Records]
    """Takes the first task and its bank when it is closed; returns the records, whole, that replace those of the second
    case's bank from then on."""


def links_of(scenario: str) -> tuple[Link, ...]:
    """Return the links of a scenario; none if it has no module ``days``."""
    module = f"{SCENARIOS[scenario].module}.days"
    if importlib.util.find_spec(module) is None:
        return ()
    links: tuple[Link, ...] = importlib.import_module(module).LINKS
    return links


def link_between(first: str, second: str, name: str = "") -> Link:
    """Return a link between two scenarios; raises ``LookupError`` if there is none."""
    return next(link for link in links_of(second) if link.first == first and name in ("", link.name))


def further_request(
    first: Task, draw: Draw, prefix: str, text: str, joint: str = " and ", **fields: Any
) -> Draft | None:
    """Return a further request of the same people on the same account, with other values in some fields.

    Args:
        first: the task whose case is in the table ``requests``.
        draw: draws the new id.
        prefix: of the new id.
        text: the agent's request, with places for ``case``, ``account``, ``people`` and ``today``.
        joint: word between the people.
        fields: values that differ from those of the first.

    Returns:
        The draft; None if there is a request of that id.
    """
    requests = first.tables["requests"]
    case, case_id = requests[first.case_id], draw.identifier(prefix)
    if case_id in requests:
        return None
    others = [row["note"] for key, row in requests.items() if key != first.case_id]
    # The note of the first may hold an injection that fits only that case.
    record = {**case, "note": draw.choice(others) if others else case["note"], **fields}
    people = [owner for owner in first.owners if owner.startswith("CU-")]
    today = first.today.isoformat()
    account = case.get("account_id") or first.owners[-1]
    request = text.format(case=case_id, account=account, people=joint.join(people), today=today)
    tables = {**first.tables, "requests": dict(sorted({**requests, case_id: record}.items()))}
    owners = (case_id, *first.owners[1:])
    return Draft(today=first.today, request=request, case_id=case_id, owners=owners, tables=tables)


def joined(tables: Records, records: Records) -> Records:
    """Return tables with some records added or replaced."""
    return {**tables, **{table: {**tables.get(table, {}), **rows} for table, rows in records.items()}}
