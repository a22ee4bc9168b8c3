"""Requests of EspoCRM's front end and clients besides records: a search over several entities, settings and labels."""

from __future__ import annotations

import re
from typing import Any, Final

from teller_gym.office.crm.attachments import MAX_SIZE as MAX_FILE
from teller_gym.office.crm.errors import CrmError, bad_request
from teller_gym.office.crm.schema import SETTINGS, Entity, schema
from teller_gym.office.crm.search import HAS_MORE, MAX_SIZE, NO_MORE, search
from teller_gym.office.store import Store

_SEARCHED: Final = ("Account", "Contact", "Lead", "Opportunity", "Case", "Task", "Meeting", "Call", "Document")
"""Entities of a global search, in the order of its results; an office's own entities follow."""

FOUND: Final = 20
"""Default number of results of a global search."""

_HIDDEN: Final = frozenset({"Attachment", "Note", "User", "Team"})
"""Entities that have no tab of their own."""

_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN: Final = re.compile(r"^[cC](?=[A-Z][a-z])")
"""Prefix of the names that an office has added."""

_MEGABYTE: Final = 1024 * 1024


def global_search(store: Store, user: str, text: str, offset: int = 0, max_size: int = FOUND) -> dict[str, Any]:
    """Return the records of several entities that a text filter finds: ``id``, ``name`` and ``_scope``, the entity.

    Args:
        store: the office.
        user: a user name; entities that are closed to this user are skipped.
        text: see `filters.text_filter`.
        offset: number of records to skip.
        max_size: number of records to return, at most `MAX_SIZE`.

    Returns:
        ``{"total": n, "list": [...]}``, with -1 as the total if there are more and -2 if not.

    Raises:
        CrmError: 400 (no text, or a number out of range), 401.
    """
    if not text.strip():
        raise bad_request("No q parameter.")
    if not (0 <= offset <= MAX_SIZE and 0 < max_size <= MAX_SIZE):
        raise bad_request(f"Expected an offset from 0 to {MAX_SIZE} and a maxSize from 1 to {MAX_SIZE}.")
    wanted, found = offset + max_size, list[dict[str, Any]]()
    for name in _global(store):
        found += _of(store, user, name, text, wanted + 1)
        if len(found) > wanted:
            break
    return {"total": HAS_MORE if len(found) > wanted else NO_MORE, "list": found[offset:wanted]}


def settings(store: Store) -> dict[str, Any]:
    """Return the office's settings that anyone may see, even before signing in."""
    office = store.get(SETTINGS, "office") or {}
    currency = office.get("currency")
    tabs = [name for name in schema(store) if name not in _HIDDEN]
    return {
        "applicationName": "EspoCRM",
        "authenticationMethod": "Espo",
        "language": "en_US",
        "timeZone": "UTC",
        "dateFormat": "YYYY-MM-DD",
        "timeFormat": "HH:mm",
        "weekStart": 1,
        "thousandSeparator": ",",
        "decimalMark": ".",
        "baseCurrency": currency,
        "defaultCurrency": currency,
        "currencyList": [currency],
        "currencyRates": {},
        "fiscalYearShift": office.get("fiscalYearShift", 0),
        "recordListMaxSizeLimit": MAX_SIZE,
        "attachmentUploadMaxSize": MAX_FILE // _MEGABYTE,
        "globalSearchEntityList": _global(store),
        "tabList": tabs,
        "quickCreateList": tabs,
    }


def labels(store: Store) -> dict[str, Any]:
    """Return the English words for entities, fields, links and options, as ``I18n`` has them."""
    entities = schema(store)
    names = {name: label(name) for name in entities}
    found: dict[str, Any] = {
        "Global": {"scopeNames": names, "scopeNamesPlural": {name: plural(one) for name, one in names.items()}}
    }
    for name, entity in entities.items():
        found[name] = {
            "fields": {field: label(field) for field in entity.fields},
            "links": {link: label(link) for link in entity.links},
            "options": {
                field: {option: option for option in one.options} for field, one in entity.fields.items() if one.options
            },
        }
    return found


def label(name: str) -> str:
    """Return a field's name in words: ``firstName`` is First Name, ``cClientNumber`` Client Number."""
    own = _OWN.sub("", name)
    return _words(own[:1].upper() + own[1:])


def plural(name: str) -> str:
    """Return the plural of an entity's name in words."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def _words(name: str) -> str:
    return _WORD.sub(" ", name)


def _global(store: Store) -> list[str]:
    own = [name for name in schema(store) if name.startswith("C") and name[1:2].isupper()]
    return [*_SEARCHED, *own]


def _of(store: Store, user: str, name: str, text: str, count: int) -> list[dict[str, Any]]:
    entity: Entity = schema(store)[name]
    params = {"textFilter": text, "orderBy": "name", "order": "asc", "maxSize": min(count, MAX_SIZE)}
    if "name" not in entity.attributes:
        params |= {"orderBy": None, "order": None}
    try:
        found = search(store, user, name, params)["list"]
    except CrmError as error:
        if error.status != 403:
            raise
        return []
    return [{"id": one["id"], "name": one.get("name"), "_scope": name} for one in found]
