"""The bank around a case: another customer of a similar name with an account and a request."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.persons import People
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import account_record, movement, owner_rows, request_record
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.tools.bank import Record


def add_neighbours(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables, record: Record) -> None:
    """Add another customer with a request, and sometimes an older request about the case's account."""
    quiet = msgspec.structs.replace(plan, ending="", reason="none", kind="close_account")
    people = People(draw, quiet, tables)
    other = people.adult()
    opened = plan.today - timedelta(days=draw.integer(200, 3_000))
    owners = owner_rows([(other, "owner")])
    account = account_record(
        draw, quiet, owners, draw.choice(("checking", "savings")), opened, draw.integer(5_000, 800_000)
    )
    account["activity"] = [movement(draw, "owner_deposit", opened, draw.steps(2_000, 60_000, 500))]
    account_id = draw.identifier("AC")
    tables["accounts"][account_id] = account
    tables["requests"][draw.identifier("SR")] = request_record(
        draw, quiet, account_id, [people.row(other, "owner")], []
    )
    if record["account_id"] and draw.chance(0.35):
        before = plan.received - timedelta(days=draw.integer(40, 400))
        tables["requests"][draw.identifier("SR")] = {
            **request_record(draw, quiet, record["account_id"], [], []),
            "kind": "deposit_review",
            "received_date": before.isoformat(),
            "decision": "carry_out",
        }
