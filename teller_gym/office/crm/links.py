"""Lists of the records that a link of a record leads to."""

from __future__ import annotations

from typing import Any

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import not_found
from teller_gym.office.crm.relations import related
from teller_gym.office.crm.schema import entity_of, schema
from teller_gym.office.crm.scope import Scope
from teller_gym.office.crm.search import Params, page
from teller_gym.office.store import Store


def list_related(
    store: Store, user: str, entity_type: str, record_id: str, link_name: str, params: Params | None = None
) -> dict[str, Any]:
    """Return the records that a link of a record leads to, in the form of `search`.

    Raises:
        CrmError: 400 (a bad search), 401, 403 (no access), 404 (no such entity, record or link).
    """
    entity, who = entity_of(store, entity_type), access.actor(store, user)
    access.check_scope(who, entity_type, "read")
    record = store.get(entity.table, record_id)
    if record is None:
        raise not_found(f"Record {record_id} not found.")
    access.check(store, who, entity, record, "read")
    link = entity.links.get(link_name)
    if link is None:
        raise not_found("Link does not exist.")
    entities = schema(store)
    target = link.entity if link.entity is not None else record[f"{link_name}Type"]
    if target not in entities:
        return {"total": 0, "list": []}
    access.check_scope(who, target, "read")
    scope = Scope(store, entities, entities[target], who)
    return page(scope, related(store, entities, entity, record, link), params or {})
