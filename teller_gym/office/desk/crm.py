"""Agent tools for the CRM: records of entities such as Account, Contact, Opportunity, Task, Meeting."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from teller_gym.office.crm import records, search, stream
from teller_gym.office.desk.desk import Desk, Refusals
from teller_gym.tools.tool import Act, Result, tool

EntityName = Annotated[str, Meta(min_length=1, max_length=60)]
RecordId = Annotated[str, Meta(min_length=1, max_length=60)]
Scalar = str | int | float | bool | None
Values = dict[str, Scalar | list[str]]

_STREAM: Final = ("createdAt", "createdByName", "type", "post")
MAX_ROWS: Final = 50
"""Maximum number of records that one search returns."""


class Rows(Result):
    """Records found; ``total`` also counts those that are not shown."""

    total: int
    records: list[dict[str, Any]]


class One(Result):
    """Attributes of a record that have a value."""

    record: dict[str, Any]


class Posts(Result):
    """Entries of a record's stream, the newest first."""

    notes: list[dict[str, Any]]


class Gone(Result):
    """Id of the deleted record."""

    deleted: str


def _filled(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without its empty attributes, which are most of an entity's fifty.

    Zero is not empty.
    """
    empty: tuple[Any, ...] = ("", [], {})
    return {name: one for name, one in record.items() if one is not None and one is not False and one not in empty}


@tool()
def search_crm(
    desk: Desk,
    entity: EntityName,
    text: Annotated[str, Meta(min_length=1, max_length=200)] | None = None,
    attribute: Annotated[str, Meta(min_length=1, max_length=60)] | None = None,
    comparison: Literal["equals", "notEquals", "contains", "greaterThan", "lessThan", "isNull", "isNotNull"] = "equals",
    value: Scalar = None,
    order_by: Annotated[str, Meta(min_length=1, max_length=60)] | None = None,
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0,
) -> Rows:
    """Find records of the CRM, 50 at a time: by a text, by one attribute, or all. Lists leave out links to several
    records, such as a Meeting's users; get_crm_record shows them.

    Args:
        entity: Kind of record, such as Account, Contact, Opportunity, Task, Meeting, Document or User.
        text: A text that a record's name or another of its searched fields begins with.
        attribute: Attribute that is compared, such as accountId; null compares nothing.
        comparison: How it is compared with value.
        value: What it is compared with; not needed for isNull and isNotNull.
        order_by: Attribute by which records are ordered, rising; null takes the entity's usual order.
        offset: How many records to pass over.
    """
    params: dict[str, Any] = {"maxSize": MAX_ROWS, "offset": offset}
    if text is not None:
        params["textFilter"] = text
    if attribute is not None:
        params["where"] = [{"type": comparison, "attribute": attribute, "value": value}]
    if order_by is not None:
        params |= {"orderBy": order_by, "order": "asc"}
    with Refusals("attribute", {403: "entity", 404: "entity"}):
        found = search.search(desk.store, desk.user, entity, params)
    return Rows(total=found["total"], records=[_filled(one) for one in found["list"]])


@tool()
def get_crm_record(desk: Desk, entity: EntityName, record_id: RecordId) -> One:
    """Read a record of the CRM with all attributes that have a value.

    Args:
        entity: Kind of record, such as Contact.
        record_id: Its id, as search_crm shows it.
    """
    with Refusals("record_id"):
        return One(record=_filled(records.get(desk.store, desk.user, entity, record_id)))


@tool(act=Act.REVISABLE)
def create_crm_record(desk: Desk, entity: EntityName, values: Values) -> One:
    """Create a record of the CRM, such as a Task or a Meeting.

    Args:
        entity: Kind of record.
        values: Attributes by name, as get_crm_record shows them. A link to another record is an id, such as
            assignedUserId, which a Task and a Meeting must have; links to several are lists of ids, such as usersIds;
            a parent is parentType with parentId. Times are UTC, as 2026-03-02 14:00:00.
    """
    with Refusals("values", {403: "entity", 404: "entity"}):
        return One(record=_filled(records.create(desk.store, desk.user, entity, values)))


@tool(act=Act.REVISABLE)
def update_crm_record(desk: Desk, entity: EntityName, record_id: RecordId, values: Values) -> One:
    """Change attributes of a record of the CRM; the others stay.

    Args:
        entity: Kind of record.
        record_id: Its id.
        values: The attributes to change, by name.
    """
    with Refusals("values", {403: "record_id", 404: "record_id"}):
        return One(record=_filled(records.update(desk.store, desk.user, entity, record_id, values)))


@tool(act=Act.FINAL)
def delete_crm_record(desk: Desk, entity: EntityName, record_id: RecordId) -> Gone:
    """Delete a record of the CRM.

    Args:
        entity: Kind of record.
        record_id: Its id.
    """
    with Refusals("record_id"):
        records.delete(desk.store, desk.user, entity, record_id)
    return Gone(deleted=record_id)


@tool()
def read_crm_stream(desk: Desk, entity: EntityName, record_id: RecordId) -> Posts:
    """Read what was posted to a record of the CRM and how it was changed, the newest first.

    Args:
        entity: Kind of record.
        record_id: Its id.
    """
    with Refusals("record_id"):
        found = stream.read_stream(desk.store, desk.user, entity, record_id, {"maxSize": MAX_ROWS})
    return Posts(notes=[{name: one[name] for name in _STREAM if one.get(name)} for one in found["list"]])


@tool(act=Act.FINAL)
def post_crm_note(
    desk: Desk, entity: EntityName, record_id: RecordId, text: Annotated[str, Meta(min_length=1, max_length=10_000)]
) -> Posts:
    """Post a note to a record of the CRM, where all who see the record read it.

    Args:
        entity: Kind of record.
        record_id: Its id.
        text: The note.
    """
    with Refusals("record_id"):
        made = records.post_note(desk.store, desk.user, entity, record_id, text)
    return Posts(notes=[{name: made[name] for name in _STREAM if made.get(name)}])
