"""Initial CRM records are complete; an invalid description gets a clear error."""

import re
from typing import Any

import msgspec
import pytest

from teller_gym.office.crm.records import get
from teller_gym.office.crm.schema import compiled, schema
from teller_gym.office.crm.seeding import CrmDescription, tables
from teller_gym.office.store import Store
from tests.office.crm.world import CASES, DESCRIPTION, NOW, PEOPLE, SEED, base, office, rid

PLAIN: dict[str, Any] = {"users": ["ben"], "records": {}}


def build(**changes: Any) -> dict[str, Any]:
    return tables(msgspec.convert({**PLAIN, **changes}, CrmDescription), PEOPLE.values(), NOW, SEED)


def test_records_are_complete_and_plain() -> None:
    entities = schema(office())
    made = base()
    for name, entity in entities.items():
        for key, record in made[entity.table].items():
            assert record.keys() == entity.template.keys(), name
            assert record["id"] == key and re.fullmatch("[0-9a-f]{17}", key)
            assert msgspec.json.decode(msgspec.json.encode(record)) == record
    assert tables(msgspec.convert(DESCRIPTION, CrmDescription), PEOPLE.values(), NOW, SEED) == {
        name: rows for name, rows in made.items() if name != "people"
    }
    assert tables(
        msgspec.convert(DESCRIPTION, CrmDescription), PEOPLE.values(), NOW, SEED + 1
    ).keys() == made.keys() - {"people"}


def test_people_become_users() -> None:
    user = get(office(), "ada", "User", rid("User", "ben"))
    assert (user["name"], user["firstName"], user["lastName"], user["title"]) == (
        "Ben Okafor",
        "Ben",
        "Okafor",
        "Adviser",
    )
    assert user["type"] == "regular"
    assert get(office(), "ada", "User", rid("User", "ada"))["type"] == "admin"
    one = build(users=["ben"])
    assert list(one["crm.User"]) == [rid("User", "ben")]


def test_read_only_values_stand() -> None:
    note = {"type": "Update", "data": {"fields": []}, "parentType": "Contact", "parentId": "ann", "createdById": "ben",
            "createdAt": "2026-01-01 08:00:00"}  # fmt: skip
    done = {"name": "x", "assignedUserId": "ben", "status": "Completed"}
    tasks = {"t": {**done, "dateCompleted": "2026-01-03 08:00:00"}, "u": {**done, "modifiedAt": "2026-01-04 08:00:00"}}
    contact = {"lastName": "Roe", "modifiedAt": "2026-01-02 08:00:00"}
    made = build(records={"Contact": {"ann": contact}, "Note": {"n": note}, "Task": tasks})
    [stored] = made["crm.Note"].values()
    assert stored["type"] == "Update" and stored["data"] == {"fields": []} and stored["number"] == 1
    assert stored["parentId"] == rid("Contact", "ann") and stored["createdAt"] == "2026-01-01 08:00:00"
    assert [one["dateCompleted"] for one in made["crm.Task"].values()] == ["2026-01-03 08:00:00", "2026-01-04 08:00:00"]


@pytest.mark.parametrize(("changes", "message"), CASES["bad descriptions"])
def test_what_does_not_fit_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        build(**changes)


@pytest.mark.parametrize(("custom", "message"), CASES["bad schemas"])
def test_custom_fields_and_entities_are_checked(custom: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        compiled(custom)


def test_an_office_without_a_schema_has_espocrms_entities() -> None:
    assert "Contact" in schema(Store({}, NOW, 1)) and "CBeneficiary" not in schema(Store({}, NOW, 1))
