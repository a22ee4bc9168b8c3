"""Cases generated from ``template.yaml``, with each existing field drawn independently.

A whole number or an amount (cents) is drawn from ``draw: [least, most]``, a date from its days before the business
date, and a text from those listed in ``draw``; enumerations and booleans need no ``draw``. A scenario with dependent
fields or more tables needs its own generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.base.draw import Draw
from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.task import Task
from teller_gym.procedure.template import Field, Template
from teller_gym.tools.bank import Record

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2027, 12, 17)
"""First and last possible business date."""


class Drawn(NamedTuple):
    """Generated case with the fields of a draft."""

    today: date
    request: str
    case_id: str
    tables: dict[str, dict[str, Record]]


def draw_case(template: Template, seed: int) -> Drawn:
    """Generate a case; equal seeds give equal cases.

    Raises:
        ScenarioError: the template has no request, or no range for a field.
    """
    if "{case_id}" not in template.request:
        raise ScenarioError("template.yaml: expected a 'request' that names the case, such as 'Please work {case_id}.'")
    draw = Draw(seed)
    today = on_or_before_business_day(draw.day(FIRST_DAY, LAST_DAY), ())
    case_id = draw.identifier(template.prefix)
    record: Record = {field.name: _value(field, draw, today) for field in template.existing if field.group is None}
    for group, fields in template.groups().items():
        few, many = template.rows.get(group, (0, 0))
        record[group] = [
            {field.name: _value(field, draw, today) for field in fields} for _ in range(draw.integer(few, many))
        ]
    return Drawn(
        today=today,
        request=template.request.replace("{case_id}", case_id).replace("{today}", today.isoformat()),
        case_id=case_id,
        tables={template.table: {case_id: record}},
    )


def _value(field: Field, draw: Draw, today: date) -> Any:
    words = _words(field)
    if words:
        return draw.choice(words)
    if field.type == "boolean":
        return draw.chance(0.5)
    low, high = _bounds(field)
    number = draw.integer(low, high)
    return (today - timedelta(days=number)).isoformat() if field.type == "date" else number


def _words(field: Field) -> list[str]:
    """Return the texts from which a field is drawn, or an empty list if it is not a text."""
    if field.type == "string":
        if not field.draw or not all(isinstance(text, str) for text in field.draw):
            raise ScenarioError(f"template.yaml, {field.name}: expected texts in 'draw', got {list(field.draw)}")
        return [str(text) for text in field.draw]
    return [word.strip() for word in field.type.split("|")] if "|" in field.type else []


def _bounds(field: Field) -> tuple[int, int]:
    match field.draw:
        case (int(low), int(high)) if low <= high:
            return low, high
    raise ScenarioError(f"template.yaml, {field.name}: expected 'draw' with the least and the most, got {field.draw}")


def complaints(template: Template, task: Task) -> Iterator[str]:
    """Yield a problem for each existing field with a value that the template cannot generate."""
    record = task.tables[template.table][task.case_id]
    for field in template.existing:
        rows = [record] if field.group is None else record[field.group]
        for row in rows:
            if not _is_drawn(field, row, task.today):
                yield f"{field.name} is {row.get(field.name)!r}, which {field.type} {list(field.draw)} does not allow"


def _is_drawn(field: Field, row: Mapping[str, Any], today: date) -> bool:
    value = row.get(field.name)
    words = _words(field)
    if words or field.type == "boolean":
        return value in words if words else isinstance(value, bool)
    low, high = _bounds(field)
    number = (today - date.fromisoformat(str(value))).days if field.type == "date" else value
    return isinstance(number, int) and low <= number <= high
