"""The search over several entities, and the words for entities and fields."""

from __future__ import annotations

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.global_search import MAX_FOUND, global_search
from teller_gym.office.crm.labels import label, plural
from teller_gym.office.crm.records import create
from tests.office.crm.world import office


def test_the_global_search_goes_over_entities() -> None:
    store = office()
    found = global_search(store, "ben", "A")
    assert {"Account", "Contact"} <= {one["_scope"] for one in found}
    assert all(one.keys() == {"id", "name", "_scope"} for one in found)
    assert global_search(store, "ben", "nobody-of-this-name") == []
    assert global_search(store, "ben", "Eve")[0]["_scope"] == "CBeneficiary"
    for number in range(MAX_FOUND):
        create(store, "ben", "Account", {"name": f"Acorn {number}"})
    assert len(global_search(store, "ben", "A")) == MAX_FOUND
    for user, text in (("ben", "a" * 2000), ("nobody", "a")):
        with pytest.raises(CrmError):
            global_search(store, user, text)


def test_words() -> None:
    assert [label(one) for one in ("name", "dateStart", "cClientNumber", "CBeneficiary", "isAllDay", "case")] == [
        *("Name", "Date Start", "Client Number", "Beneficiary", "Is All Day", "Case")
    ]
    assert [plural(one) for one in ("Case", "Opportunity", "Day")] == ["Cases", "Opportunities", "Days"]
