"""Values of every field type: accepted ones in their stored form, and refusals of the others."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.crm.records import create
from tests.office.crm.world import office, refused

DAY = {"closeDate": "2026-04-01"}
UNFLAGGED = {"optOut": False, "invalid": False}


@pytest.mark.parametrize(
    ("entity", "values", "field", "kind"),
    [
        ("Account", {}, "name", "required"),
        ("Account", {"name": "  "}, "name", "required"),
        ("Account", {"name": "x" * 250}, "name", "maxLength"),
        ("Account", {"name": "<b>"}, "name", "pattern"),
        ("Account", {"name": ["x"]}, "name", "valid"),
        ("Account", {"name": "\ud800"}, "name", "valid"),
        ("Account", {"name": "x", "type": "Friend"}, "type", "valid"),
        ("Account", {"name": "x", "emailAddress": "nobody"}, "emailAddress", "emailAddress"),
        ("Account", {"name": "x", "emailAddress": "a" * 250 + "@x.org"}, "emailAddress", "maxLength"),
        ("Account", {"name": "x", "phoneNumber": "?"}, "phoneNumber", "valid"),
        ("Account", {"name": "x", "phoneNumber": "1" * 37}, "phoneNumber", "maxLength"),
        ("Account", {"name": "x", "billingAddressCity": "x" * 101}, "billingAddressCity", "maxLength"),
        ("Account", {"name": "x", "description": "x" * 100_001}, "description", "maxLength"),
        ("Account", {"name": "x", "assignedUserId": "a b"}, "assignedUser", "pattern"),
        ("Account", {"name": "x", "teamsIds": "advice"}, "teams", "pattern"),
        ("Account", {"name": "x", "teamsIds": [None]}, "teams", "pattern"),
        ("Account", {"name": "x", "teamsIds": ["a"] * 201}, "teams", "maxCount"),
        ("Case", {"name": "x", "collaboratorsIds": [f"c{n}" for n in range(31)]}, "collaborators", "maxCount"),
        ("Contact", {"firstName": "x"}, "lastName", "required"),
        ("Contact", {"lastName": "x", "doNotCall": "perhaps"}, "doNotCall", "valid"),
        ("Contact", {"lastName": "x", "retirementAge": 49}, "retirementAge", "min"),
        ("Contact", {"lastName": "x", "retirementAge": 81}, "retirementAge", "max"),
        ("Contact", {"lastName": "x", "retirementAge": "old"}, "retirementAge", "valid"),
        ("Opportunity", {"name": "x", "closeDate": "2026-04-01"}, "amount", "required"),
        ("Opportunity", {"name": "x", **DAY, "amount": "1e999"}, "amount", "valid"),
        ("Opportunity", {"name": "x", **DAY, "amount": True}, "amount", "valid"),
        ("Opportunity", {"name": "x", **DAY, "amount": -1}, "amount", "min"),
        ("Opportunity", {"name": "x", "amount": 1}, "closeDate", "required"),
        ("Opportunity", {"name": "x", "amount": 1, "closeDate": "2026-02-30"}, "closeDate", "valid"),
        ("Opportunity", {"name": "x", "amount": 1, "closeDate": "soon"}, "closeDate", "valid"),
        ("Task", {"name": "x"}, "assignedUser", "required"),
        ("Task", {"name": "x", "status": ""}, "status", "valid"),
        ("Task", {"name": "x", "parentType": "Email"}, "parent", "valid"),
        ("Meeting", {"name": "x", "dateEnd": "2026-03-03 10:00"}, "dateStart", "required"),
        ("Meeting", {"name": "x", "dateStart": "2026-03-03 25:00"}, "dateStart", "valid"),
        ("Meeting", {"name": "x", "dateStart": 5}, "dateStart", "valid"),
        ("Document", {"name": "x"}, "file", "required"),
        ("CBeneficiary", {"name": "x", "share": 10}, "contact", "required"),
        ("CBeneficiary", {"name": "x", "share": 101}, "share", "max"),
    ],
)
def test_a_value_that_does_not_pass_is_refused(entity: str, values: dict[str, Any], field: str, kind: str) -> None:
    error = refused(entity, values)
    assert (error.status, error.code) == (400, "validationFailure")
    assert error.body == {
        "messageTranslation": {"label": "validationFailure", "scope": None, "data": {"field": field, "type": kind}}
    }
    assert f"entityType: {entity}, field: {field}, type: {kind}." in error.message


@pytest.mark.parametrize(
    ("entity", "given", "stored"),
    [
        ("Account", {"name": "  Elm  "}, {"name": "Elm"}),
        ("Account", {"name": 5}, {"name": "5"}),
        ("Account", {"name": "x", "type": ""}, {"type": None}),
        ("Account", {"name": "x", "description": ""}, {"description": None}),
        ("Account", {"name": "x", "emailAddress": ""}, {"emailAddress": None, "emailAddressData": []}),
        ("Account", {"name": "x", "billingAddressStreet": "1 Elm Road"}, {"billingAddressStreet": "1 Elm Road"}),
        (
            "Account",
            {"name": "x", "nothing": 1, "id": "mine", "createdAt": "2020-01-01 00:00:00", "deleted": True},
            {"createdAt": "2026-03-02 09:00:01", "deleted": False},
        ),
        (
            "Account",
            {"name": "x", "emailAddress": " B@c.example"},
            {
                "emailAddress": "B@c.example",
                "emailAddressData": [
                    {"emailAddress": "B@c.example", "lower": "b@c.example", "primary": True, **UNFLAGGED}
                ],
            },
        ),
        (
            "Account",
            {"name": "x", "phoneNumber": "0131 1"},
            {"phoneNumberData": [{"phoneNumber": "0131 1", "type": "Office", "primary": True, **UNFLAGGED}]},
        ),
        ("Contact", {"firstName": " Al ", "lastName": "Roe"}, {"name": "Al Roe"}),
        (
            "Contact",
            {"lastName": "Roe", "doNotCall": 1, "retirementAge": "60"},
            {"doNotCall": True, "retirementAge": 60},
        ),
        ("Lead", {"lastName": "Roe"}, {"status": "New"}),
        (
            "Opportunity",
            {"name": "x", "amount": "10.5", "closeDate": "2026-04-01T00:00:00+00:00"},
            {"amount": 10.5, "closeDate": "2026-04-01"},
        ),
    ],
)
def test_values_are_stored_in_their_form(entity: str, given: dict[str, Any], stored: dict[str, Any]) -> None:
    found = create(office(), "ben", entity, given)
    assert {key: found[key] for key in stored} == stored and len(found["id"]) == 17
