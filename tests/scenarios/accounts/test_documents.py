"""The documents of Accounts: the SOP's tables agree with the policy and the tools."""

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.decision import NOTICES

ACCOUNTS = load_scenario("accounts")
SOP = ACCOUNTS.sop_document
POLICY: AccountPolicy = ACCOUNTS.policy


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
