"""The description of the API in OpenAPI's terms, made from the entities."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from teller_gym.office.crm.schema import Entity, Schema

_TYPES: Final[Mapping[str, dict[str, Any]]] = MappingProxyType(
    {
        "text": {"type": ["string", "null"]},
        "person": {"type": ["string", "null"]},
        "id": {"type": ["string", "null"]},
        "bool": {"type": "boolean"},
        "int": {"type": ["integer", "null"]},
        "float": {"type": ["number", "null"]},
        "date": {"type": ["string", "null"], "description": "YYYY-MM-DD"},
        "datetime": {"type": ["string", "null"], "description": "YYYY-MM-DD HH:mm:ss in UTC"},
        "list": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "string"}},
        "json": {},
    }
)
_SEARCH: Final = ("maxSize", "offset", "orderBy", "order", "select", "where", "textFilter", "primaryFilter")


def specification(entities: Schema) -> dict[str, Any]:
    """Return an OpenAPI 3.1 document of the paths of each entity and of its records' attributes."""
    paths: dict[str, Any] = {}
    for name in entities:
        record = {"$ref": f"#/components/schemas/{name}"}
        one = _content(record)
        many = _content({"type": "object", "properties": {"total": {"type": "integer"}, "list": _list_of(record)}})
        here = [_parameter("id", "path", required=True)]
        paths[f"/{name}"] = {
            "get": {"summary": f"List {name} records", "parameters": [_parameter(key, "query") for key in _SEARCH]}
            | many,
            "post": {"summary": f"Create {name}", "requestBody": one["responses"]["200"]} | one,
        }
        paths[f"/{name}/{{id}}"] = {
            "get": {"summary": f"Read {name}", "parameters": here} | one,
            "put": {"summary": f"Update {name}", "parameters": here, "requestBody": one["responses"]["200"]} | one,
            "delete": {"summary": f"Delete {name}", "parameters": here} | _content({"type": "boolean"}),
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "EspoCRM", "version": "1.0"},
        "servers": [{"url": "/api/v1"}],
        "security": [{"ApiKey": []}],
        "paths": paths,
        "components": {
            "schemas": {name: _schema(entity) for name, entity in entities.items()},
            "securitySchemes": {"ApiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
        },
    }


def _schema(entity: Entity) -> dict[str, Any]:
    properties = {}
    for name, attribute in entity.attributes.items():
        field = entity.fields.get(attribute.field)
        one = dict(_TYPES[attribute.kind])
        if field is None or field.read_only or attribute.source != "stored":
            one["readOnly"] = True
        if field is not None and field.type == "enum" and field.options is not None:
            one["enum"] = [option or None for option in field.options]
        if field is not None and field.max_length is not None and attribute.name == attribute.field:
            one["maxLength"] = field.max_length
        properties[name] = one
    required = [
        f"{name}Id" if field.type == "link" else name for name, field in entity.fields.items() if field.required
    ]
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _content(shape: dict[str, Any]) -> dict[str, Any]:
    return {"responses": {"200": {"description": "Success", "content": {"application/json": {"schema": shape}}}}}


def _list_of(shape: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": shape}


def _parameter(name: str, place: str, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "schema": {"type": "string"}}
