"""CRM record forms: an input for each writable field, and the changes made in a submitted form."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from teller_gym.office.crm.descriptions import Field
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.labels import label
from teller_gym.office.crm.schema import Entity, schema
from teller_gym.office.crm.search import MAX_SIZE, search
from teller_gym.office.forms import Form
from teller_gym.office.store import Store

SHOWN: Final = "shown"
"""Hidden field that lists the inputs for which a browser may send nothing."""

_SKIPPED: Final = frozenset({"autoincrement", "jsonObject", "personName"})
_HINTS: Final = {
    "date": "YYYY-MM-DD",
    "datetime": "YYYY-MM-DD HH:MM:SS, UTC",
    "datetimeOptional": "YYYY-MM-DD HH:MM:SS, UTC",
}
_NUMBERS: Final = frozenset({"int", "float"})


class Input(msgspec.Struct, frozen=True):
    """An input of a form.

    Attributes:
        name: name of the form field, which is the attribute that it sets.
        label: text beside the input.
        kind: text, long (several lines), check, choice, or choices.
        value: initial value; choices may have several.
        options: values of a choice, each with its text.
        required: True if the input must not be left blank.
        hint: expected format of a value.
        is_number: True if the value is a number.
    """

    name: str
    label: str
    kind: str
    value: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    required: bool = False
    hint: str = ""
    is_number: bool = False


def inputs(store: Store, user: str, entity: Entity, record: dict[str, Any] | None) -> list[Input]:
    """Return the inputs of a form, in the order of the entity's fields.

    ``record`` is a record from `records.get`, or None for a new one. Only records that the user may read can be chosen.
    """
    found = []
    for name, field in entity.fields.items():
        if not (field.read_only or field.computed or field.type in _SKIPPED):
            found += _inputs(store, user, name, field, record)
    return found


def values(store: Store, user: str, entity: Entity, record: dict[str, Any] | None, form: Form) -> dict[str, Any]:
    """Return the attributes that a submitted form changes or, for a new record, those that are not blank."""
    found: dict[str, Any] = {}
    # A browser sends nothing for an empty choice, so the form lists such inputs separately.
    sent = {value if name == SHOWN else name for name, value in form.pairs}
    for one in inputs(store, user, entity, record):
        if one.name not in sent:
            continue
        given = tuple(value.replace("\r\n", "\n") for name, value in form.pairs if name == one.name)
        if one.kind != "choices":
            given = tuple(value for value in given[:1] if value)
        was = one.value if record is not None else ()
        if (sorted(given) if one.kind == "choices" else list(given)) == (
            sorted(was) if one.kind == "choices" else list(was)
        ):
            continue
        found[one.name] = _asked(one, given)
    return found


def _asked(one: Input, given: tuple[str, ...]) -> Any:
    if one.kind == "check":
        return bool(given)
    if one.kind == "choices":
        return list(given)
    if not given:
        return None
    return _number(given[0]) if one.is_number else given[0]


def _number(text: str) -> Any:
    """Convert text to a number.

    Other text is returned unchanged, so that the CRM reports the error.
    """
    plain = text.replace(",", "").strip()
    try:
        return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 18 else float(plain)
    except ValueError:
        return text


def _inputs(store: Store, user: str, name: str, field: Field, record: dict[str, Any] | None) -> list[Input]:
    text, old = label(name), record or {}
    if field.type == "link":
        return [_reference(store, user, f"{name}Id", text, field, old.get(f"{name}Id"))]
    if field.type == "linkMultiple":
        chosen = tuple(old.get(f"{name}Ids") or ())
        options = _records(store, user, field.entity) or [(one, one) for one in chosen]
        return [Input(f"{name}Ids", text, "choices", chosen, tuple(options), field.required)]
    if field.type == "linkParent":
        types = tuple((one, label(one)) for one in (schema(store) if field.any_entity else field.entities or ()))
        blank = (("", "none"), *types)
        return [
            Input(f"{name}Type", f"{text} type", "choice", _one(old.get(f"{name}Type")), blank, field.required),
            Input(f"{name}Id", f"{text} id", "text", _one(old.get(f"{name}Id")), (), field.required, "id of a record"),
        ]
    value = field.default if record is None and field.type in ("enum", "bool") else old.get(name)
    if field.type == "bool":
        return [Input(name, text, "check", ("yes",) if value else ())]
    if field.type == "enum":
        options = [(one, one or "none") for one in field.options or ()]
        if "" not in (field.options or ()) and (not field.required or field.allow_empty) and field.default is None:
            options.insert(0, ("", "none"))
        return [Input(name, text, "choice", _one(value), tuple(options), field.required)]
    kind = "long" if field.type == "text" else "text"
    hint = _HINTS.get(field.type, "")
    return [Input(name, text, kind, _one(value), (), field.required, hint, field.type in _NUMBERS)]


def _reference(store: Store, user: str, name: str, text: str, field: Field, key: str | None) -> Input:
    found = _records(store, user, field.entity)
    if found is None:
        return Input(name, text, "text", _one(key), (), field.required, f"id of a record of {field.entity}")
    if key is not None and key not in [one for one, _ in found]:
        found.insert(0, (key, key))
    return Input(name, text, "choice", _one(key), (("", "none"), *found), field.required)


def _records(store: Store, user: str, entity: str | None) -> list[tuple[str, str]] | None:
    """Return the ids and names of the records to choose from, by name, or None if too many or not readable."""
    try:
        found = search(store, user, entity or "", {"maxSize": MAX_SIZE})
    except CrmError:
        return None
    if len(found["list"]) != found["total"]:
        return None
    return sorted(((one["id"], one.get("name") or one["id"]) for one in found["list"]), key=lambda pair: pair[::-1])


def _one(value: Any) -> tuple[str, ...]:
    return () if value is None or value == "" else (str(value),)
