"""Values of every field type: the stored form of valid ones, and errors for the others."""

from typing import Any

import pytest

from teller_gym.office.crm.records import create
from tests.office.crm.world import CASES, office, refused


@pytest.mark.parametrize(
    ("entity", "values", "field", "kind"),
    [
        *CASES["refused values"],
        ("Account", {"name": "x" * 250}, "name", "maxLength"),
        ("Account", {"name": "\ud800"}, "name", "valid"),
        ("Account", {"name": "x", "emailAddress": "a" * 250 + "@x.org"}, "emailAddress", "maxLength"),
        ("Account", {"name": "x", "phoneNumber": "1" * 37}, "phoneNumber", "maxLength"),
        ("Account", {"name": "x", "billingAddressCity": "x" * 101}, "billingAddressCity", "maxLength"),
        ("Account", {"name": "x", "description": "x" * 100_001}, "description", "maxLength"),
        ("Account", {"name": "x", "teamsIds": ["a"] * 201}, "teams", "maxCount"),
        ("Case", {"name": "x", "collaboratorsIds": [f"c{n}" for n in range(31)]}, "collaborators", "maxCount"),
    ],
)
def test_a_value_that_does_not_pass_is_refused(entity: str, values: dict[str, Any], field: str, kind: str) -> None:
    error = refused(entity, values)
    assert (error.status, error.code) == (400, "validationFailure")
    assert error.body == {
        "messageTranslation": {"label": "validationFailure", "scope": None, "data": {"field": field, "type": kind}}
    }
    assert f"entityType: {entity}, field: {field}, type: {kind}." in error.message


@pytest.mark.parametrize(("entity", "given", "stored"), CASES["stored values"])
def test_values_are_stored_in_their_form(entity: str, given: dict[str, Any], stored: dict[str, Any]) -> None:
    found = create(office(), "ben", entity, given)
    assert {key: found[key] for key in stored} == stored and len(found["id"]) == 17
