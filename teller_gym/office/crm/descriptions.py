"""Entity descriptions: EspoCRM's own from `entities/*.yaml`, and a client's additions."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import Meta


class Column(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Attribute of a link between two records, such as an attendee's answer to a meeting, with its default."""

    default: str | bool | None = None


class Field(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A field, which has one or more attributes depending on its type.

    Attributes:
        type: one of EspoCRM's field types; `attributes.TYPES` lists the supported ones.
        required: True to reject records without a value.
        read_only: True to ignore values from clients.
        computed: True if the value is computed on each read and never stored.
        audited: True to note changes in the stream.
        default: value in a new record; ``today`` for a date.
        max_length: maximum length of text, in characters.
        pattern: ``noBadCharacters`` for text without angle brackets and equals signs.
        options: allowed values of an enum; "" means no value.
        min, max: bounds of numbers.
        type_list: kinds of phone numbers.
        entity: the entity that a link or linkMultiple points to.
        entities: entities that a linkParent may point to, each with the name of the reverse link.
        any_entity: True if a linkParent may point to any entity, without a reverse link.
        foreign: name of the reverse link, or None.
        columns: attributes of each linked pair of a linkMultiple.
        max_count: maximum number of records in a linkMultiple.
        options_reference, allow_empty, is_sorted, no_load, link, field: unused, but part of the frozen offices'
        checksums.
    """

    type: str
    required: bool = False
    read_only: bool = False
    computed: bool = False
    audited: bool = False
    default: Any = None
    max_length: int | None = None
    pattern: str | None = None
    options: tuple[str, ...] | None = None
    options_reference: str | None = None
    allow_empty: bool = False
    is_sorted: bool = False
    min: float | None = None
    max: float | None = None
    type_list: tuple[str, ...] | None = None
    entity: str | None = None
    entities: dict[str, str] | None = None
    any_entity: bool = False
    foreign: str | None = None
    columns: dict[str, Column] = {}
    no_load: bool = False
    max_count: int | None = None
    link: str | None = None
    field: str | None = None


class Description(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An entity description.

    Attributes:
        fields: fields by name, in camelCase.
        stream: True if the entity's records have a stream of notes.
        status_field: the enum whose changes the stream shows as status.
        order_by, order: default order of a list.
        text_filter: fields that a text filter searches.
        duplicate_check: fields compared to find possible duplicates of a new record.
        audited_links: links whose new records are noted in the stream.
        count_disabled, primary_filters, bool_filters: unused, but part of the frozen offices' checksums.
    """

    fields: dict[str, Field]
    stream: bool = False
    status_field: str | None = None
    order_by: str = "createdAt"
    order: Literal["asc", "desc"] = "desc"
    text_filter: tuple[str, ...] = ("name",)
    duplicate_check: tuple[str, ...] = ()
    count_disabled: bool = False
    audited_links: tuple[str, ...] = ()
    primary_filters: Annotated[dict[str, Any], Meta(max_length=0)] = {}
    bool_filters: Annotated[dict[str, Any], Meta(max_length=0)] = {}


class Custom(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A client's additions to EspoCRM's entities.

    Attributes:
        fields: additional fields by entity, such as ``{"Contact": {"riskProfile": ...}}``.
        entities: additional entities by name; EspoCRM begins such names with C, as in ``CBeneficiary``.
    """

    fields: dict[str, dict[str, Field]] = {}
    entities: dict[str, Description] = {}


@cache
def built_in() -> dict[str, Description]:
    """Load the entity descriptions from `entities/*.yaml` by name, in alphabetical order."""
    folder = files(__package__) / "entities"
    found = {}
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        name = file.name.removesuffix(".yaml")
        if name != file.name:
            found[name] = msgspec.convert(yaml.safe_load(file.read_text("utf-8")), Description)
    return found
