"""The documents of Accounts: tables of the SOP beside the policy, the tools and frozen cases."""

import re
from typing import get_args

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.decision import NOTICES
from teller_gym.scenarios.accounts.tools.types import Reason
from teller_gym.tasks.store import frozen_tasks

ACCOUNTS = load_scenario("accounts")
SOP = ACCOUNTS.sop_document
TASKS = list(frozen_tasks("accounts").values())
POLICY: AccountPolicy = ACCOUNTS.policy


def test_every_ending_of_the_table_is_met_by_a_frozen_case() -> None:
    met = {(task.standard.outputs["decision"], task.standard.outputs["reason"]) for task in TASKS}
    table = next(table for table in SOP.tables if table.id == "T5")
    for _, finding, decision, reason in table.rows:
        words = set(re.findall(r"[a-z_]+", reason)) & set(get_args(Reason))
        assert any((decision, word) in met for word in words), finding


def test_the_table_of_notices_is_that_of_the_tool() -> None:
    table = next(table for table in SOP.tables if table.id == "T9")
    for kind, carried, declined, pending in table.rows:
        for decision, cell in (("decline", declined), ("pend", pending)):
            if (kind, cell) != ("stop_payment", "none"):
                assert NOTICES.get((kind, decision), "none") == cell
        assert NOTICES[kind, "carry_out"] == carried.split(";")[0]


def test_the_tables_of_clocks_and_states_have_a_row_for_each() -> None:
    rows = {table.id: [row[0] for row in table.rows] for table in SOP.tables}
    assert rows["T7"] == list(POLICY.clocks)
    assert rows["T3"] == sorted(POLICY.states)
    assert rows["T8"] == list(POLICY.escalation_business_days)
