"""Papers of firms and suppliers that get no orders."""

from typing import Any

import pytest

from tests.scenarios.distractors.desk import call, refused

FIRM: dict[str, Any] = {
    "legal_name": "Blue Heron Bakery LLC",
    "registration_number": "12-3456789",
    "country": "US",
    "formation_date": "2016-03-05",
    "document_type": "articles",
    "document_expiry": "2026-03-04",
    "owner_names": ["Ann Lee", "Bo Diaz", "Cy Roth"],
    "owner_percents": [60, 25, 15],
}


def test_papers_that_agree() -> None:
    assert call("check_business_identity", **FIRM, signer_name="BO  DIAZ") == {
        "identity_status": "consistent",
        "finding": "none",
        "reported_owners": ["Ann Lee", "Bo Diaz"],
        "age_years": 9,  # ten only tomorrow
    }


@pytest.mark.parametrize(
    ("change", "status", "finding"),
    [
        ({"owner_percents": [60, 25, 15.5]}, "inconsistent", "shares_above_100"),
        ({"signer_name": "Dee Poe"}, "inconsistent", "signer_is_no_owner"),
        ({"signer_name": "Dee Poe", "document_type": "trade_license"}, "consistent", "none"),
        ({"document_expiry": "2026-03-03"}, "incomplete", "paper_expired"),
        ({"owner_percents": [60, 25, 14]}, "incomplete", "owners_missing"),
        ({"owner_percents": [33.3, 33.3, 33.4]}, "consistent", "none"),
    ],
)
def test_papers_that_do_not(change: dict[str, Any], status: str, finding: str) -> None:
    found = call("check_business_identity", **FIRM | change)
    assert (found["identity_status"], found["finding"]) == (status, finding)


def test_firms_that_cannot_be() -> None:
    refused("owner_percents", "check_business_identity", **FIRM | {"owner_percents": [100]})
    refused("formation_date", "check_business_identity", **FIRM | {"formation_date": "2026-03-05"})


ORDER: dict[str, Any] = {"country": "US", "list_scope": ["house", "state"], "order_amount": 500}


def test_suppliers() -> None:
    assert call("screen_supplier", supplier_name="tri-county janitorial", **ORDER) == {
        "screening_result": "excluded",
        "list_entry_id": "SX-2007",
        "entry_name": "Tri-County Janitorial",
        "entry_country": "US",
        "similarity_percent": 100,
        "signatures_needed": 1,
    }
    abroad = call("screen_supplier", supplier_name="Tri-County Janitorial", **ORDER | {"country": "CA"})
    assert abroad["screening_result"] == "possible_match"
    near = call("screen_supplier", supplier_name="Tri County Janitors", **ORDER)
    assert near["screening_result"] == "possible_match" and 80 <= near["similarity_percent"] < 100
    house = call("screen_supplier", supplier_name="Tri-County Janitorial", **ORDER | {"list_scope": ["house"]})
    assert house["screening_result"] == "clear" and house["list_entry_id"] is None
    before = call("screen_supplier", supplier_name="Tri-County Janitorial", contract_date="2025-02-12", **ORDER)
    assert before["screening_result"] == "clear"
    large = call("screen_supplier", supplier_name="Anybody", **ORDER | {"order_amount": 1_000_000})
    assert large["signatures_needed"] == 2
