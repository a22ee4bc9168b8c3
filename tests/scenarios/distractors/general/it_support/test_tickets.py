"""Tests of it_support/tickets: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank

TICKET: dict[str, Any] = {"reporter": "E1042", "subject": "No sign-in", "affected_system": "email"}
TICKET |= {"impact": "team", "urgency": "blocked", "affected_users": 3}


def test_tickets() -> None:
    bank = empty_bank()
    first = call("open_support_ticket", bank, **TICKET)
    assert (first["priority"], first["respond_within_hours"], first["tickets_ahead"]) == ("P1", 1, 0)
    assert call("open_support_ticket", bank, **TICKET) == first
    second = call("open_support_ticket", bank, **TICKET | {"affected_system": "phones"}, workaround_known=True)
    assert (second["priority"], second["respond_within_hours"], second["tickets_ahead"]) == ("P2", 4, 1)
    assert call("open_support_ticket", **TICKET | {"urgency": "can_wait"})["priority"] == "P3"
    assert call("open_support_ticket", **TICKET | {"urgency": "can_wait", "affected_users": 50})["priority"] == "P2"
    listed = call("list_support_tickets", bank)
    assert [ticket["ticket_id"] for ticket in listed["tickets"]] == [first["ticket_id"], second["ticket_id"]]
    assert (listed["total_found"], listed["affected_users"]) == (2, 6)
    assert call("list_support_tickets", bank, priority="P2")["tickets"][0]["affected_system"] == "phones"
    assert call("list_support_tickets", bank, affected_system="laptop")["total_found"] == 0
    assert len(call("list_support_tickets", bank, limit=1)["tickets"]) == 1
    for wrong in ({"affected_users": 1}, {"impact": "one_person"}, {"subject": "\n"}, {"reporter": "E1042\n"}):
        with pytest.raises(ToolError):
            call("open_support_ticket", **TICKET | wrong)
