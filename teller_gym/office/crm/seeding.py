"""Creates a CRM's tables from a plain description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

import msgspec

from teller_gym.office.crm.access import API_KEYS, LOGINS, Actor
from teller_gym.office.crm.checks import Invalid
from teller_gym.office.crm.descriptions import Custom, Field
from teller_gym.office.crm.records import change_of
from teller_gym.office.crm.rules import apply
from teller_gym.office.crm.schema import SETTINGS, Entity, Schema, compiled
from teller_gym.office.crm.values import accept
from teller_gym.office.ids import hex_id
from teller_gym.office.people import KEYS
from teller_gym.office.store import Record, Store

_FIRST: Final = ("Team", "User", "Account", "Lead", "Contact", "Opportunity", "Case")
"""Entities that other records copy an account from, so that their rules apply first."""

_IdOf = Callable[[str | None, Any], str]
"""Function that returns a record's id, given its entity and key."""


class CrmDescription(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Initial contents of a CRM.

    Attributes:
        records: attributes of records by entity and key. A key is any name; links refer to records by their keys, as
            in ``{"accountId": "acme"}``, and to users by their user names. Read-only attributes such as ``createdAt``
            may be given, too.
        users: user names of the CRM's users.
        custom: the client's own fields and entities.
        api_keys: keys for the header ``X-Api-Key``, by user name.
        currency: the office's currency.
    """

    records: dict[str, dict[str, dict[str, Any]]]
    users: tuple[str, ...]
    custom: Custom = Custom()
    api_keys: dict[str, str] = {}
    currency: str = "GBP"


def seeded_id(seed: int, entity_type: str, key: str) -> str:
    """Return the id of an initial record.

    A user's key is the user name.
    """
    return hex_id(seed, f"crm.{entity_type}", key)


def tables(
    crm: CrmDescription, people: Iterable[Mapping[str, Any]], now: datetime, seed: int
) -> dict[str, dict[str, Record]]:
    """Return the CRM's tables, and its rows of the table ``keys``, which the caller merges with other services' rows.

    Args:
        crm: initial contents of the CRM.
        people: records of the table ``people``; those among ``crm.users`` become users.
        now: beginning of the office's day, when records were created by default.
        seed: seed of the records' ids.

    Raises:
        ValueError: a record, a user, a key or a custom field is invalid; the message names it and the reason.
    """
    custom = msgspec.json.encode(crm.custom).decode()
    entities = compiled(custom)
    known = {person["username"]: person for person in people}
    _check(crm, entities, known)
    records = {**crm.records, "User": {name: _user(known[name]) for name in crm.users}}
    order = [*_FIRST, *(name for name in entities if name not in _FIRST)]
    numbers = {name: len(records.get(name, {})) for name in entities}
    found: dict[str, dict[str, Record]] = {
        SETTINGS: {
            "schema": {"json": custom},
            "office": {"currency": crm.currency, "fiscalYearShift": 0, "numbers": numbers},
        },
        LOGINS: {
            name: {"userId": seeded_id(seed, "User", name), "admin": bool(known[name]["admin"]), "levels": {}}
            for name in crm.users
        },
        "crm.contents": {},  # no service reads it; the frozen offices' checksums include it
        KEYS: {f"{API_KEYS}:{key}": {"username": name, "expired": False} for name, key in crm.api_keys.items()},
    }
    store = Store(found, now, seed)
    id_of = partial(_id, records, seed)
    for name in order:
        for number, (key, values) in enumerate(records.get(name, {}).items(), 1):
            record = _record(entities[name], key, values, id_of, now) | {"id": id_of(name, key)}
            record |= {one: number for one, field in entities[name].fields.items() if field.type == "autoincrement"}
            store.put(entities[name].table, record["id"], record)
    for name in order:
        for key in records.get(name, {}):
            _complete(store, entities[name], id_of(name, key), records[name][key])
        found[entities[name].table] = dict(store.rows(entities[name].table))
    return found


def _id(records: Mapping[str, Mapping[str, Any]], seed: int, entity_type: str | None, key: Any) -> str:
    if entity_type is None or not isinstance(key, str) or key not in records.get(entity_type, {}):
        raise ValueError(f"there is no {entity_type} {key!r}")
    return seeded_id(seed, entity_type, key)


def _check(crm: CrmDescription, entities: Schema, known: Mapping[str, Any]) -> None:
    for name in crm.users:
        if name not in known:
            raise ValueError(f"user {name!r} is none of the people: {', '.join(known)}")
    for name in crm.records:
        if name not in entities or name == "User":
            raise ValueError(f"records of {name!r}: expected an entity other than User, which follows from the people")
    for one in crm.api_keys:
        if one not in crm.users:
            raise ValueError(f"API key of {one!r}: they are no user of the CRM")


def _user(person: Mapping[str, Any]) -> dict[str, Any]:
    first, _, last = person["name"].rpartition(" ")
    return {
        "userName": person["username"],
        "firstName": first or None,
        "lastName": last,
        "title": person["title"],
        "emailAddress": person["email"],
        "type": "admin" if person["admin"] else "regular",
    }


def _record(entity: Entity, key: str, values: dict[str, Any], id_of: _IdOf, now: datetime) -> Record:
    """Return a record of validated values, before the entity's rules apply."""
    unknown = [name for name in values if name not in entity.template or name in ("id", "deleted")]
    if unknown:
        raise ValueError(f"{entity.type} {key!r}: there is no attribute {unknown[0]!r}")
    new = entity.blank() | {"createdAt": str(now), "modifiedAt": str(now)}
    for name in entity.defaults:
        new[name] = str(now.date()) if entity.fields[name].type == "date" else entity.fields[name].default
    for name, field in entity.fields.items():
        try:
            given = {**values, **_resolved(name, field, values, id_of)}
            new |= {name: values[name]} if field.type == "jsonObject" and name in values else accept(name, field, given)
        except (Invalid, ValueError) as error:
            raise ValueError(f"{entity.type} {key!r}, field {name}: {error}") from None
    return new


def _resolved(name: str, field: Field, values: Mapping[str, Any], id_of: _IdOf) -> dict[str, Any]:
    """Return a link field's attributes with keys replaced by ids."""
    found: dict[str, Any] = {}
    one, many = f"{name}Id", f"{name}Ids"
    if field.type in ("link", "linkParent") and values.get(one) is not None:
        found[one] = id_of(field.entity or values.get(f"{name}Type"), values[one])
    if field.type == "linkMultiple" and many in values:
        found[many] = [id_of(field.entity, key) for key in values[many]]
    return found


def _complete(store: Store, entity: Entity, record_id: str, values: Mapping[str, Any]) -> None:
    """Apply the entity's rules to a record, but keep the read-only attributes that were given."""
    old = store.get(entity.table, record_id)
    if old is None:
        raise KeyError(record_id)
    new, given = dict(old), {name: old[name] for name in values}
    change = change_of(store, entity, None, new, given, Actor("", "", True))
    apply(msgspec.structs.replace(change, now=old["modifiedAt"]))
    new |= {name: old[name] for name in values if entity.fields[entity.attributes[name].field].read_only}
    store.put(entity.table, record_id, new)
